/** Creates the sandbox that tests use from the two services, base data, settings and one server of worlds. */

import { committedData, generatedData } from "./base-data.ts";
import { checkJournalOptions, type JournalOptions } from "./journal/journal-options.ts";
import { LiveSandbox } from "./live-sandbox.ts";
import { liveOf } from "./live-worlds.ts";
import type { Path } from "./operation/path.ts";
import type { Persistence } from "./places/node/persistence.ts";
import { readScenario } from "./places/node/scenario-files.ts";
import { Server } from "./places/node/server.ts";
import type { StateFolder, StateOptions } from "./places/node/state-folder.ts";
import { applyScenario, setClock } from "./sandbox/apply-scenario.ts";
import { noteOrigin, originIn } from "./sandbox/origin.ts";
import { readRecord, type WorldRecord } from "./sandbox/record.ts";
import { Sandbox as Core } from "./sandbox/sandbox.ts";
import type { KeptState, SandboxParts, Settings } from "./sandbox/sandbox-state.ts";
import { checkSettings } from "./scenario/check-data.ts";
import { throwAll, toMistakes } from "./scenario/complaint.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { services } from "./services/index.ts";
import type { GivenScenarios, SettingsInput } from "./typed-scenario.ts";
import { parseClock, type Wall } from "./world/clock.ts";
import { unknownName } from "./world/nearest.ts";
import { type Duration, toDate } from "./world/time.ts";
import { UsageError } from "./world/usage-error.ts";
import { World } from "./world/world.ts";

export const DURABILITIES = ["written", "power"] as const;
type Durability = (typeof DURABILITIES)[number];

export type SandboxOptions = {
  /** Freezes the clock at an ISO 8601 instant, or runs it with an offset: `+3d`, `-2h`. Default: the wall clock. */
  readonly clock?: string | Date | undefined;
  /** The seed of ids, keys and randomness; a whole number. Default 1. */
  readonly seed?: number | undefined;
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
  /** Origins, in addition to loopback ones, whose pages may call the two services. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** When set, every control request must carry it: `Authorization: Bearer <token>`. */
  readonly controlToken?: string | undefined;
  /** Serves only addresses that name a world, so that no test can forget its own. Default false. */
  readonly strictWorlds?: boolean | undefined;
  /** The maximum number of worlds besides the main one. Default 1000. */
  readonly worldLimit?: number | undefined;
  /** A world that received no call for this long (wall time) is removed. Default `30m`. */
  readonly worldIdle?: Duration | undefined;
  /** A folder that keeps the state of all worlds between runs; what it has comes before the other options. Default: memory only. */
  readonly data?: string | undefined;
  /** When an answer leaves: once a kill cannot undo what it shows (`written`), or once a loss of power cannot. Default `written`. */
  readonly durability?: Durability | undefined;
  /** Also keeps the journals of all worlds, and coverage, in `data`: behind the answers, with all secrets. Default false. */
  readonly keepJournal?: boolean | undefined;
  /** Moves the state in `data` aside, and starts anew. Default false. */
  readonly stateReset?: boolean | undefined;
  /** Also sends the alert mails of every world over SMTP: `smtp://localhost:1025`. Default: mailbox only. */
  readonly smtp?: string | undefined;
  /** Plays a plausible day of invoices in the main world every simulated minute. Default false. */
  readonly autoplay?: boolean | undefined;
  /** `bodyBytes`: how much of each body the journal keeps. Default 8,192, at most 1,048,576. */
  readonly journal?: JournalOptions | undefined;
  /** Where wall time comes from. Default: the machine. */
  readonly wall?: Wall | undefined;
};

/** Every option; the compiler ensures that none is missing. */
const OPTIONS: Readonly<Record<keyof SandboxOptions, true>> = {
  clock: true,
  seed: true,
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
  durability: true,
  keepJournal: true,
  stateReset: true,
  smtp: true,
  autoplay: true,
  journal: true,
  wall: true,
};

export type Sandbox = LiveSandbox;

/** `Sandbox.from(record)` goes on where `sandbox.record()` was taken. */
export const Sandbox = {
  from: (record: WorldRecord, options: SandboxOptions = {}): Promise<LiveSandbox> =>
    createSandbox({ ...options, record }),
};

/** A sandbox with both services and their base data, in process until `listen` is called. */
export function createSandbox(options: SandboxOptions = {}): Promise<LiveSandbox> {
  return createSandboxOver(options);
}

/** The same with the files and the bounds of its state, for tests of what happens when these give way. */
export async function createSandboxOver(
  options: SandboxOptions,
  state: Partial<StateOptions> = {},
): Promise<LiveSandbox> {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name))
      throw new UsageError("badOption", unknownName("option", name, Object.keys(OPTIONS)));
  }
  // What few sandboxes need is loaded by those that do, here and below.
  const { data, durability = "written", stateReset: reset = false } = options;
  if (!DURABILITIES.includes(durability))
    throw new UsageError("badOption", unknownName("durability", durability, DURABILITIES));
  if (options.keepJournal === true && data === undefined) {
    const message =
      "keepJournal (--keep-journal) is only allowed together with data (--data), where they are kept.";
    throw new UsageError("badOption", message);
  }
  const isPowerSafe = durability === "power";
  const folder =
    data === undefined
      ? undefined
      : await (await import("./places/node/state-folder.ts")).openStateFolder(data, services, {
          ...state,
          reset,
          isPowerSafe,
        });
  try {
    return await open(options, folder);
  } catch (error) {
    await folder?.release();
    throw error;
  }
}

async function open(options: SandboxOptions, folder: StateFolder | undefined): Promise<LiveSandbox> {
  checkJournalOptions(options.journal);
  checkRecordAlone(options);
  const scenario = folder?.found === undefined ? toScenario(options) : undefined;
  const main = await createWorld(options, folder, scenario);
  const relay =
    options.smtp === undefined
      ? undefined
      : await (await import("./places/node/mail-relay.ts")).openMailRelay(options.smtp);
  let persistence: Persistence | undefined;
  let stopAutoplay = (): void => {};
  const server = new Server({
    main,
    make(parts, home) {
      const core = new Core(parts);
      new LiveSandbox(core, home);
      relay?.follow(core.world.mailbox, (message) =>
        core.journal.notices.add({ key: "mailNotSent", message }),
      );
      return core;
    },
    services,
    control: async () => (await import("./control-with-pages.ts")).controlWithPages,
    access: {
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      controlToken: options.controlToken,
    },
    worlds: {
      strict: options.strictWorlds ?? false,
      limit: options.worldLimit ?? 1_000,
      idle: options.worldIdle ?? "30m",
    },
    commit: folder && {
      get undone() {
        return persistence?.undone ?? 0;
      },
      flush: (sandbox, undone) => persistence?.flush(sandbox, undone),
    },
    async onClose() {
      stopAutoplay();
      await relay?.close();
      await persistence?.close();
    },
  });
  const { worlds } = server;
  // The seed is already that of the base data.
  if (scenario !== undefined) await applyScenario(worlds.main, { ...scenario, seed: undefined });
  if (main.state === undefined) worlds.main.markStart();
  if (folder !== undefined) {
    const { keepWorlds } = await import("./places/node/kept-worlds.ts");
    persistence = await keepWorlds(worlds, folder, options, toSettings(options.settings));
  }
  if (options.autoplay === true) stopAutoplay = await play(liveOf(worlds.main));
  return liveOf(worlds.main);
}

/** What a record has of its own cannot be given beside it. */
function checkRecordAlone({ record, ...others }: SandboxOptions): void {
  if (record === undefined) return;
  const own = ["scenario", "seed", "generate", "settings", "clock", "data"] as const;
  const beside = own.find((name) => others[name] !== undefined);
  if (beside !== undefined)
    throw new UsageError("badOption", `${beside} is not allowed together with record, which has its own.`);
}

/** Starts automatic invoices; failures are noted in the journal. */
async function play(sandbox: LiveSandbox): Promise<() => void> {
  const { startAutoplay } = await import("./services/account/autoplay.ts");
  const {
    core: { world },
    usage,
    journal,
  } = sandbox;
  const onFailure = (message: string): void => journal.notices.add({ key: "autoplayFailed", message });
  return startAutoplay({ world, usage, onFailure });
}

/** The scenario of the options; a clock or seed given there takes precedence over the scenario's. */
function toScenario({ scenario, clock, seed, settings }: SandboxOptions): Scenario | undefined {
  if (scenario === undefined) return undefined;
  const read = readScenario(scenario, services, toSettings(settings));
  return { ...read, seed: seed ?? read.seed, clock: clock === undefined ? read.clock : undefined };
}

/** The main world with its clock set and its base data in place, or as a record has it. */
async function createWorld(
  { record, seed: asked, clock, wall, settings, journal, generate = false }: SandboxOptions,
  folder: StateFolder | undefined,
  scenario: Scenario | undefined,
): Promise<SandboxParts> {
  const wanted = asked ?? scenario?.seed;
  const kept = folder && (await import("./places/node/kept-worlds.ts")).mainWorldOf(folder, wanted);
  const state = record === undefined ? kept?.state : readRecord(record, services);
  if (state !== undefined) return { ...(await keptParts(state, wall)), journal, state };
  const seed = kept?.seed ?? wanted ?? 1;
  if (!Number.isSafeInteger(seed))
    throw new UsageError("badOption", `seed must be a whole number, not ${seed}.`);
  const world = new World({ seed, wall });
  parseClock(clock)(world.clock);
  const given = world.clock.state;
  const plainDay = toDate(world.clock.now());
  setClock(world.clock, scenario?.clock);
  const day = scenario?.clock?.rebase === false ? plainDay : toDate(world.clock.now());
  const baseData = generate ? await generatedData(seed, day) : committedData;
  world.store.restore(baseData(day));
  noteOrigin(world.store, {
    ...{ day, seed: kept?.seed ?? asked ?? 1, clock: given },
    ...(generate ? { generated: seed } : {}),
  });
  return { world, services, settings: toSettings(settings), baseData, journal };
}

/** What a sandbox needs besides its kept state to go on from it. */
async function keptParts({ present }: KeptState, wall: Wall | undefined) {
  const { world: moment, settings } = present;
  const { generated, day = "" } = originIn(moment.store.values) ?? {};
  const baseData = generated === undefined ? committedData : await generatedData(generated, day);
  return { world: new World({ seed: moment.seed, wall }), services, settings, baseData };
}

/** The complete settings, checked like those of a scenario. */
function toSettings(options: SettingsInput = {}): Settings {
  const given: Readonly<Record<string, unknown>> = options; // it may name anything where it was not compiled
  const issues = Object.entries(given).flatMap(([name, own]) => checkSettings(name, own ?? {}, services));
  const locate = (message: string, path: Path) =>
    new UsageError("badOption", `${path.join(".")}: ${message}`);
  throwAll(toMistakes(issues, locate));
  return Object.fromEntries(
    services.map(({ name, settings }) => [name, settings.parse(given[name] ?? {}, { jitless: true })]),
  );
}
