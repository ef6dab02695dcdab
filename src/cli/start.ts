// Owns `vitrine start`: serve until told to stop.

import type { LiveSandbox } from "../live-sandbox.ts";
import { defineCommand } from "./command.ts";
import type { Io } from "./io.ts";
import { toJsonLine } from "./line.ts";
import { banner, DEFAULT_PORT, readyEvent, SERVING_FLAGS, serve } from "./serving.ts";

export const start = defineCommand({
  name: "start",
  summary: "serve both services until stopped",
  flags: { ...SERVING_FLAGS, json: { about: "one JSON object a line; the first says that it is ready" } },
  async run({ flags, io }) {
    const stopped = io.stopped();
    const { sandbox, listening } = await serve(flags, io, DEFAULT_PORT);
    if (flags.json) {
      io.out(toJsonLine(readyEvent(listening)));
      tell(sandbox, io);
    } else io.out(`${banner(sandbox, listening, flags.host)}\nCtrl+C stops it.\n`);
    await stopped;
    await sandbox.close();
    return 0;
  },
});

/** One line for each exchange of the main world, as the journal keeps it. */
function tell(sandbox: LiveSandbox, io: Io): void {
  sandbox.journal.subscribe(({ seq, at, method, path, operation, status, problem, fault }) => {
    io.out(toJsonLine({ event: "exchange", seq, at, method, path, operation, status, problem, fault }));
  });
}
