// Owns `vitrine start`: serve until told to stop.

import type { LiveSandbox } from "../live-sandbox.ts";
import { watchScenarios } from "../places/node/scenario-files.ts";
import { stageRules } from "../sandbox/apply-scenario.ts";
import { defineCommand } from "./command.ts";
import type { Io } from "./io.ts";
import { toJsonLine } from "./line.ts";
import { banner, DEFAULT_PORT, readyEvent, SERVING_FLAGS, serve } from "./serving.ts";

export const start = defineCommand({
  name: "start",
  summary: "serve both services until stopped",
  flags: {
    ...SERVING_FLAGS,
    watch: { about: "read scenario files again when they change; the state is kept" },
    json: { about: "one JSON object a line; the first says that it is ready" },
  },
  async run({ flags, io }) {
    const stopped = io.stopped();
    const { sandbox, listening } = await serve(flags, io, DEFAULT_PORT);
    const stopWatching = flags.watch ? watch(sandbox, flags.scenario, io) : undefined;
    if (flags.json) {
      io.out(toJsonLine(readyEvent(listening)));
      tell(sandbox, io);
    } else {
      io.out(`${banner(sandbox, listening, flags.host)}\nCtrl+C stops it.\n`);
      sandbox.journal.onNotice(({ message }) => io.complain(`vitrine: ${message}`));
    }
    await stopped;
    stopWatching?.();
    await sandbox.close();
    return 0;
  },
});

/** Lays rules and settings of changed scenario files over the state that is there; a wrong file changes nothing. */
function watch(sandbox: LiveSandbox, scenarios: readonly string[], io: Io): () => void {
  return watchScenarios(scenarios, sandbox.services, (reload) => {
    if ("error" in reload)
      return io.complain(`vitrine: the last good scenario stays: ${reload.error.message}`);
    stageRules(sandbox, reload.scenario);
    io.complain(`vitrine: read again: ${scenarios.join(", ")}`);
  });
}

/** One line for each exchange of the main world, as the journal keeps it, and for what goes wrong beside them. */
function tell(sandbox: LiveSandbox, io: Io): void {
  sandbox.journal.subscribe(({ seq, at, method, path, operation, status, problem, fault }) => {
    io.out(toJsonLine({ event: "exchange", seq, at, method, path, operation, status, problem, fault }));
  });
  sandbox.journal.onNotice(({ key, message }) => io.out(toJsonLine({ event: "notice", key, message })));
}
