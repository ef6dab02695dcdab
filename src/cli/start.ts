/** `vitrine start`: serves until stopped. */

import { toJsonLine, toLine } from "../errors/line.ts";
import { UsageError } from "../errors/usage-error.ts";
import { describeExchange } from "../journal/describe-capsule.ts";
import type { ExchangeSummary } from "../journal/recorded-exchange.ts";
import type { LiveSandbox } from "../open/live-sandbox.ts";
import { readBaseOption, readScenarioOption } from "../open/open-sandbox.ts";
import { nodeRuntime } from "../runtimes/node/runtime.ts";
import { watchScenarios } from "../runtimes/node/scenario-files.ts";
import { applyRules, rebuildStart } from "../sandbox/apply-scenario.ts";
import { MAIN_WORLD } from "../world/world-name.ts";
import { defineCommand } from "./command.ts";
import type { Io } from "./io.ts";
import { DEFAULT_PORT, formatBanner, SERVING_FLAGS, type ServingFlags, serve, toOptions } from "./serving.ts";

export const start = defineCommand({
  name: "start",
  summary: "serve both services until stopped",
  flags: {
    ...SERVING_FLAGS,
    "no-watch": { about: "do not reload changed files of --scenario, --base and --data" },
    quiet: { about: "do not print a line for each request" },
    json: { about: "print one JSON object per line; the first one reports readiness" },
    "until-stdin-ends": { about: "stop when standard input ends, for example with the parent process" },
  },
  async run({ flags, io }) {
    if (flags["no-watch"] && (flags.base ?? flags.data ?? flags.scenario[0]) === undefined)
      throw new UsageError("badOption", "--no-watch has no effect without --scenario, --base or --data.");
    if (flags["until-stdin-ends"]) io.stopWithStdin();
    const log = createLog(io, flags.json);
    const { sandbox, listening, stopped } = await serve(flags, io, DEFAULT_PORT, {
      watch: !flags["no-watch"],
      onWorld: flags.quiet ? undefined : log.follow,
    });
    const stopWatching = flags["no-watch"] ? undefined : watchStart(sandbox, flags, io);
    if (flags.json) {
      const { url, urls } = listening;
      io.out(toJsonLine({ event: "ready", url, urls, pid: process.pid }));
      sandbox.journal.notices.subscribe((notice) => log.write(toJsonLine({ event: "notice", ...notice })));
    } else {
      io.out(`${formatBanner(sandbox, listening, flags.host)}\nCtrl+C stops it.\n`);
      sandbox.journal.notices.subscribe(({ message }) => io.printError(`vitrine: ${message}`));
    }
    await stopped;
    stopWatching?.();
    await sandbox.close();
    log.reportDropped();
    return 0;
  },
});

/** Applies valid edits of the files of `--scenario` and `--base`: rules and settings now, data and clock at the next reset. */
function watchStart({ core }: LiveSandbox, flags: ServingFlags, io: Io): () => void {
  const options = toOptions(flags, io);
  const base = flags.base === undefined ? [] : [flags.base];
  const names = [...flags.scenario, ...base];
  return watchScenarios(flags.scenario, core.services, base, async (reload) => {
    if ("error" in reload)
      return io.printError(`vitrine: The last valid files stay active. ${reload.error.message}`);
    const baseData = flags.base === undefined ? core.baseData : readBaseOption(nodeRuntime, flags.base);
    const scenario = readScenarioOption(nodeRuntime, options);
    if (scenario !== undefined) applyRules(core, scenario);
    core.baseData = baseData;
    await rebuildStart(core, scenario);
    io.printError(
      `vitrine: Reloaded ${names.join(", ")}. Rules and settings apply now, data and clock at the next reset.`,
    );
  });
}

/** Maximum length of the buffered output, in characters. If the buffer is longer, the log drops the lines of exchanges. */
const MAX_UNREAD_CHARS = 1_048_576;

/** Logs one line for each exchange of the worlds that it follows. Reports the number of dropped lines. */
function createLog(io: Io, isJson: boolean) {
  let lines = "";
  let dropped = 0;
  const flush = (): void => {
    io.out(lines);
    lines = "";
  };
  /** Writes the lines of one turn of the event loop together, to reduce the number of writes. */
  const write = (line: string): void => {
    if (lines === "") setImmediate(flush);
    lines += line;
  };
  const reportDropped = (): void => {
    if (dropped === 0) return;
    const text = `${dropped} lines were dropped because the output was not read.\n`;
    write(isJson ? toJsonLine({ event: "dropped", lines: dropped }) : text);
    dropped = 0;
  };
  const add = (world: string, exchange: ExchangeSummary): void => {
    if (io.unread() > MAX_UNREAD_CHARS) {
      dropped += 1;
      return;
    }
    reportDropped();
    const prefix = world === MAIN_WORLD ? "" : `~${world} `;
    write(isJson ? toJson(world, exchange) : `${prefix}${toLine(describeExchange(exchange))}\n`);
  };
  const follow = ({ id, journal }: LiveSandbox) =>
    journal.subscribeSummaries((exchange) => add(id, exchange));
  return { write, follow, reportDropped };
}

function toJson(world: string, exchange: ExchangeSummary): string {
  const { seq, at, method, path, operation, status, made, problem, fault, gone } = exchange;
  const answer = { status, made, problem, fault, gone };
  return toJsonLine({ event: "exchange", world, seq, at, method, path, operation, ...answer });
}
