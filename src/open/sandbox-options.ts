/** What a sandbox can be made with, and which of it goes together. */

import { assertObject } from "../errors/arguments.ts";
import { describeUnknown } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { checkJournalOptions, type JournalOptions } from "../journal/journal-options.ts";
import type { WorldRecord } from "../sandbox/record.ts";
import type { WallClock } from "../world/clock.ts";
import type { Duration } from "../world/time.ts";
import type { GivenScenarios, SettingsInput } from "./typed-scenario.ts";

export type SandboxOptions = {
  /** Freezes the clock at an ISO 8601 instant, or runs it with an offset: `+3d`, `-2h`. Default: the wall clock. */
  readonly clock?: string | Date | undefined;
  /** The seed of ids, keys and randomness; a whole number. Default 1. */
  readonly seed?: number | undefined;
  /** Replaces the bundled base data: the path of a file or folder, or the value. Not together with `generate`. */
  readonly base?: string | object | undefined;
  /** Generates base data from the seed with faker instead of reading the committed fixtures. Default false. */
  readonly generate?: boolean | undefined;
  /** What `record()` gave: the sandbox goes on from there. Not together with scenario, seed, generate, settings or clock. */
  readonly record?: WorldRecord | undefined;
  /** A preset by name, a file by path, the value itself, or several, each applied over the ones before. */
  readonly scenario?: GivenScenarios | undefined;
  /** Settings by service: `{ museum: { strict: true } }`. */
  readonly settings?: SettingsInput | undefined;
  /** Host names served in addition to loopback ones. Whole names; no wildcards. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins, in addition to loopback ones, whose pages may call the two services. `https://*.example.test`: any label. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** When set, every control request must carry it: `Authorization: Bearer <token>`. */
  readonly controlToken?: string | undefined;
  /** Serves only addresses that name a world, so that no test can forget its own. Default false. */
  readonly strictWorlds?: boolean | undefined;
  /** The maximum number of worlds besides the main one. Default 1000. */
  readonly worldLimit?: number | undefined;
  /** A world that received no call for this long (wall time) is removed. Default `30m`. */
  readonly worldIdle?: Duration | undefined;
  /** A folder with one JSON file for each world. Its files are the present; other options define what `reset` returns to. Default: memory only. */
  readonly data?: string | undefined;
  /** Moves the files in `data` aside, and starts again. Default: false. */
  readonly stateReset?: boolean | undefined;
  /** Also sends the alert mails of every world over SMTP: `smtp://localhost:1025`. Default: mailbox only. */
  readonly smtp?: string | undefined;
  /** Plays a plausible day of invoices in the main world every simulated minute. Default false. */
  readonly autoplay?: boolean | undefined;
  /** `bodyBytes`: how much of each body the journal keeps. Default 8,192, at most 1,048,576. */
  readonly journal?: JournalOptions | undefined;
  /** Where wall time comes from. Default: the machine. */
  readonly wall?: WallClock | undefined;
};

/** Every option; the compiler ensures that none is missing. */
const OPTIONS: Readonly<Record<keyof SandboxOptions, true>> = {
  clock: true,
  seed: true,
  base: true,
  generate: true,
  record: true,
  scenario: true,
  settings: true,
  allowedHosts: true,
  allowedOrigins: true,
  controlToken: true,
  strictWorlds: true,
  worldLimit: true,
  worldIdle: true,
  data: true,
  stateReset: true,
  smtp: true,
  autoplay: true,
  journal: true,
  wall: true,
};

/** Throws a UsageError for an option that there is not, and for options that do not go together. */
export function checkOptions(options: SandboxOptions): void {
  for (const name of Object.keys(assertObject(options, "options"))) {
    if (!Object.hasOwn(OPTIONS, name))
      throw new UsageError("badOption", describeUnknown("option", name, Object.keys(OPTIONS)));
  }
  if (options.base !== undefined && options.generate === true)
    throw new UsageError("badOption", "base (--base) is not allowed together with generate (--seed).");
  if (options.stateReset === true && options.data === undefined)
    throw new UsageError("badOption", "stateReset (--state-reset) has no effect without data (--data).");
  checkJournalOptions(options.journal);
  assertRecordAlone(options);
}

/** What a record has of its own cannot be given beside it. */
function assertRecordAlone({ record, ...others }: SandboxOptions): void {
  if (record === undefined) return;
  const own = ["scenario", "seed", "base", "generate", "settings", "clock", "data"] as const;
  const beside = own.find((name) => others[name] !== undefined);
  if (beside !== undefined)
    throw new UsageError("badOption", `${beside} is not allowed together with record, which has its own.`);
}
