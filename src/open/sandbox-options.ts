/** Options of `createSandbox`. */

import { assertObject } from "../errors/arguments.ts";
import { describeUnknown } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { checkJournalOptions, type JournalOptions } from "../journal/journal-options.ts";
import type { WorldRecord } from "../sandbox/record.ts";
import type { WallClock } from "../world/clock.ts";
import type { Duration } from "../world/time.ts";
import type { GivenScenarios, SettingsInput } from "./typed-scenario.ts";

export type SandboxOptions = {
  /** A Date or ISO 8601 time freezes the clock; an offset (`+3d`, `-2h`) shifts it. Default: the system clock. */
  readonly clock?: string | Date | undefined;
  /** Seed of ids, keys and random values; a whole number. Default: 1. */
  readonly seed?: number | undefined;
  /** Base data in place of the bundled data: path of a file or folder, or an object. Not allowed with `generate`. */
  readonly base?: string | object | undefined;
  /** Whether faker generates the base data from the seed. Default: false, the bundled data. */
  readonly generate?: boolean | undefined;
  /** Initial state, from `sandbox.record()`. Not allowed with scenario, seed, base, generate, settings, clock or data. */
  readonly record?: WorldRecord | undefined;
  /** A preset name, a file path, a scenario, or several of these. Later ones apply over earlier ones. */
  readonly scenario?: GivenScenarios | undefined;
  /** Settings by service: `{ museum: { strict: true } }`. */
  readonly settings?: SettingsInput | undefined;
  /** Host names that are accepted in addition to loopback names. Wildcards are not supported. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of pages that may call the services, such as `https://*.example.test`. Loopback origins are always allowed. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Token that every control request must send: `Authorization: Bearer <token>`. Default: none. */
  readonly controlToken?: string | undefined;
  /** Whether requests must name a world, so that tests cannot share state by accident. Default: false. */
  readonly strictWorlds?: boolean | undefined;
  /** Maximum number of worlds besides the main one. Default: 1000. */
  readonly worldLimit?: number | undefined;
  /** Wall-clock time without a call, after which a world is removed. Default: `30m`. */
  readonly worldIdle?: Duration | undefined;
  /** Folder that stores each world in a JSON file. Stored state overrides other options until `reset`. Default: memory only. */
  readonly data?: string | undefined;
  /** Whether to move the files in `data` into a subfolder, and to start without stored state. Default: false. */
  readonly stateReset?: boolean | undefined;
  /** Also sends the alert mails of every world over SMTP: `smtp://localhost:1025`. Default: mailbox only. */
  readonly smtp?: string | undefined;
  /** Whether every simulated minute adds the invoices of one day to the main world. Default: false. */
  readonly autoplay?: boolean | undefined;
  /** `bodyBytes`: number of bytes to record of each body. Default: 8,192. Maximum: 1,048,576. */
  readonly journal?: JournalOptions | undefined;
  /** Source of wall-clock time. Default: the system clock. */
  readonly wall?: WallClock | undefined;
};

/** All option names. The compiler checks that the list is complete. */
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

/** Throws a UsageError for unknown options and forbidden combinations. */
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

/** Throws a UsageError if `record` is combined with an option whose value the record already contains. */
function assertRecordAlone({ record, ...others }: SandboxOptions): void {
  if (record === undefined) return;
  const own = ["scenario", "seed", "base", "generate", "settings", "clock", "data"] as const;
  const conflict = own.find((name) => others[name] !== undefined);
  if (conflict !== undefined)
    throw new UsageError("badOption", `${conflict} is not allowed together with record, which has its own.`);
}
