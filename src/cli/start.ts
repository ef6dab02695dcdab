/** `vitrine start`: serves until stopped. */

import { describeExchange } from "../journal/describe-exchange.ts";
import type { LiveSandbox } from "../live-sandbox.ts";
import { watchScenarios } from "../places/node/scenario-files.ts";
import { applyRules } from "../sandbox/apply-scenario.ts";
import { defineCommand } from "./command.ts";
import type { Io } from "./io.ts";
import { toJsonLine, toLine } from "./line.ts";
import { banner, DEFAULT_PORT, SERVING_FLAGS, serve } from "./serving.ts";

export const start = defineCommand({
  name: "start",
  summary: "serve both services until stopped",
  flags: {
    ...SERVING_FLAGS,
    watch: { about: "read scenario files again when they change; the state is kept" },
    quiet: { about: "do not print a line for each request" },
    json: { about: "one JSON object a line; the first says that it is ready" },
  },
  async run({ flags, io }) {
    const { sandbox, listening, stopped } = await serve(flags, io, DEFAULT_PORT);
    const stopWatching = flags.watch ? watch(sandbox, flags.scenario, io) : undefined;
    if (flags.json) {
      const { url, urls } = listening;
      io.out(toJsonLine({ event: "ready", url, urls, pid: process.pid }));
      logEvents(sandbox, io);
    } else {
      io.out(`${banner(sandbox, listening, flags.host)}\nCtrl+C stops it.\n`);
      sandbox.journal.notices.subscribe(({ message }) => io.complain(`vitrine: ${message}`));
      const say = gathering(io);
      if (!flags.quiet)
        sandbox.journal.subscribeBriefly((exchange) => say(`${toLine(describeExchange(exchange))}\n`));
    }
    await stopped;
    stopWatching?.();
    await sandbox.close();
    return 0;
  },
});

/** Applies rules and settings of changed scenario files to the existing state; a wrong file changes nothing. */
function watch({ core }: LiveSandbox, scenarios: readonly string[], io: Io): () => void {
  return watchScenarios(scenarios, core.services, (reload) => {
    if ("error" in reload)
      return io.complain(`vitrine: the last good scenario stays: ${reload.error.message}`);
    applyRules(core, reload.scenario);
    io.complain(`vitrine: read again: ${scenarios.join(", ")}`);
  });
}

/** One line for each exchange of the main world, as the journal records it, and for each notice. */
function logEvents({ journal }: LiveSandbox, io: Io): void {
  const say = gathering(io);
  journal.subscribeBriefly(({ seq, at, method, path, operation, status, made, problem, fault, gone }) => {
    const answer = { status, made, problem, fault, gone };
    say(toJsonLine({ event: "exchange", seq, at, method, path, operation, ...answer }));
  });
  journal.notices.subscribe(({ key, message }) => say(toJsonLine({ event: "notice", key, message })));
}

/** Writes once what is said in one turn of the event loop: under load a write costs more than the line in it. */
function gathering(io: Io): (line: string) => void {
  let said = "";
  const write = (): void => {
    io.out(said);
    said = "";
  };
  return (line) => {
    if (said === "") setImmediate(write);
    said += line;
  };
}
