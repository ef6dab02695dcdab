/** Creates a sandbox from its options: services, base data, settings, storage and a server for its worlds. */

import { UsageError } from "../errors/usage-error.ts";
import type { Path } from "../http/json-pointer.ts";
import { createTokenCheck } from "../pipeline/guard.ts";
import type { DataFolder, FileCalls } from "../runtimes/node/data-folder.ts";
import type { DataStore } from "../runtimes/node/data-store.ts";
import type { HostedOptions } from "../runtimes/worker/hosted-world.ts";
import { applyScenario, rebuildStart, setClock } from "../sandbox/apply-scenario.ts";
import { type BaseData, readOrigin, storeOrigin } from "../sandbox/origin.ts";
import { readRecord } from "../sandbox/record.ts";
import type { SandboxParts, Settings, StoredState } from "../sandbox/sandbox-state.ts";
import { checkSettings } from "../scenario/check-data.ts";
import { readScenario } from "../scenario/library.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { throwErrors, toErrors } from "../scenario/scenario-errors.ts";
import { createValueSource, readSource } from "../scenario/source.ts";
import { loadPart, type Runtime } from "../server/runtime.ts";
import { Server } from "../server/server.ts";
import {
  completeBase,
  createBaseData,
  generateBase,
  getBundledData,
  readBase,
} from "../services/base-data.ts";
import { services } from "../services/index.ts";
import { parseClock } from "../world/clock.ts";
import { type CalendarDate, toDate } from "../world/time.ts";
import { World, type WorldOptions } from "../world/world.ts";
import { MAIN_WORLD } from "../world/world-name.ts";
import { LiveSandbox } from "./live-sandbox.ts";
import { checkOptions, type SandboxOptions } from "./sandbox-options.ts";
import type { SettingsInput } from "./typed-scenario.ts";

/** Maximum size of a file for the option `base`, in bytes. */
const MAX_BASE_BYTES = 64 * 1_048_576;

/** Options that the entry point of a runtime adds to the options of the user. */
export type EntryOptions = {
  /** Loads the module that stores worlds in files. Undefined in runtimes without a file system. */
  readonly storage?: () => Promise<typeof import("../runtimes/node/data-storage.ts")>;
  /** File operations. Tests replace them to simulate failures. */
  readonly calls?: FileCalls;
  /** Whether the running sandbox applies edits of the files in the folder `data`. Default: false. */
  readonly watch?: boolean;
  /** Set only in a Cloudflare Durable Object, which hosts a single world. Other objects host the other worlds. */
  readonly hosted?: HostedOptions;
  /** Called with each new world, including the main world. */
  readonly onWorld?: ((world: LiveSandbox) => void) | undefined;
};

type OpenedOptions = EntryOptions & { readonly folder: DataFolder | undefined };

export async function openSandbox(
  runtime: Runtime,
  options: SandboxOptions,
  entry: EntryOptions = {},
): Promise<LiveSandbox> {
  checkOptions(options);
  const { data, stateReset: reset = false } = options;
  const { storage, calls } = entry;
  const folder =
    data === undefined
      ? undefined
      : await (await loadPart(storage, "data")).DataFolder.open(data, services, { reset, calls });
  try {
    return await buildSandbox(runtime, options, { ...entry, folder });
  } catch (error) {
    folder?.lock.release();
    throw error;
  }
}

async function buildSandbox(
  runtime: Runtime,
  options: SandboxOptions,
  entry: OpenedOptions,
): Promise<LiveSandbox> {
  const { storage, folder, hosted } = entry;
  const isStored = (folder?.found.get(MAIN_WORLD)?.content.state ?? hosted?.state) !== undefined;
  const scenario = hosted?.state === undefined ? readScenarioOption(runtime, options) : undefined;
  const main = await createWorld(runtime, options, entry, isStored ? undefined : scenario);
  const relay =
    options.smtp === undefined
      ? undefined
      : await (await loadPart(runtime.mail, "smtp")).openMailRelay(options.smtp);
  const { strictWorlds: strict = false, worldLimit: limit = 1_000, worldIdle: idle = "30m" } = options;
  let store: DataStore | undefined;
  let stopAutoplay = (): void => {};
  const server = new Server({
    runtime,
    main,
    make(parts, home) {
      const sandbox = new LiveSandbox(parts, home);
      relay?.follow(sandbox.mailbox, (message) =>
        sandbox.journal.notices.add({ key: "mailNotSent", message }),
      );
      entry.onWorld?.(sandbox);
      return sandbox;
    },
    services,
    access: {
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      isControlToken: hosted?.isControlToken ?? createTokenCheck(options.controlToken),
      faults: hosted?.faults,
    },
    worlds: { strict, limit, idle },
    commit:
      hosted?.commit ??
      (folder && {
        get undone() {
          return store?.undone ?? 0;
        },
        flush: (sandbox, undone) => store?.flush(sandbox, undone),
      }),
    async onClose() {
      stopAutoplay();
      await relay?.close();
      await store?.close();
    },
  });
  const { worlds } = server;
  // Omits the seed, because createWorld has already set the seed of the option or the scenario.
  if (scenario !== undefined && !isStored) await applyScenario(worlds.main, { ...scenario, seed: undefined });
  if (main.state === undefined) worlds.main.markStart();
  if (folder !== undefined) {
    const { storeWorlds } = await loadPart(storage, "data");
    if (isStored && (options.base ?? scenario) !== undefined) await rebuildStart(worlds.main, scenario);
    store = await storeWorlds(worlds, folder, options, toSettings(options.settings));
    if (entry.watch === true) store.watch();
  }
  const sandbox = worlds.main as LiveSandbox; // Safe cast: `make` creates all worlds.
  if (options.autoplay === true) stopAutoplay = await runAutoplay(sandbox);
  return sandbox;
}

/** Starts autoplay, which records a day of invoices in each simulated minute. Reports failures as notices of the journal. */
async function runAutoplay(sandbox: LiveSandbox): Promise<() => void> {
  const { startAutoplay } = await import("../services/account/autoplay.ts");
  const { world, usage, journal } = sandbox;
  const onFailure = (message: string): void => journal.notices.add({ key: "autoplayFailed", message });
  return startAutoplay({ world, usage, onFailure });
}

/** Reads the option `scenario`. The options `clock` and `seed` override the clock and the seed of the scenario. */
export function readScenarioOption(
  runtime: Runtime,
  { scenario, clock, seed, settings }: SandboxOptions,
): Scenario | undefined {
  if (scenario === undefined) return undefined;
  const read = readScenario(runtime, scenario, services, toSettings(settings));
  return { ...read, seed: seed ?? read.seed, clock: clock === undefined ? read.clock : undefined };
}

/** Reads the option `base`, a path or an object. Throws a UsageError for invalid data. */
export function readBaseOption(runtime: Runtime, base: string | object): BaseData {
  const given = typeof base === "string" ? runtime.openBase(base) : undefined;
  const source =
    given === undefined ? createValueSource(base) : readSource(given.text, given.file, MAX_BASE_BYTES);
  const file = readBase(source, runtime.library);
  return createBaseData(() => file);
}

/** Builds the parts of the main world from the option `record` or the stored state. Without both, uses clock and base data. */
async function createWorld(
  runtime: Runtime,
  options: SandboxOptions,
  { folder, hosted }: OpenedOptions,
  scenario: Scenario | undefined,
): Promise<SandboxParts> {
  const { record, seed: wanted, clock, wall, settings, journal, generate = false, base } = options;
  const found = folder?.found.get(MAIN_WORLD)?.content;
  const state = record === undefined ? (found?.state ?? hosted?.state) : readRecord(record);
  const { world: id, faults } = hosted ?? {};
  const ownBase = base === undefined ? undefined : readBaseOption(runtime, base);
  const seed = folder?.server?.seed ?? wanted ?? scenario?.seed ?? 1;
  if (wanted !== undefined && wanted !== seed) {
    const message = `The stored state has seed ${seed}, not ${wanted}. Omit the seed, or choose another --data folder.`;
    throw new UsageError("badOption", message);
  }
  if (state !== undefined)
    return { ...(await buildStoredParts(runtime, state, ownBase, { id, wall })), journal, faults, state };
  if (!Number.isSafeInteger(seed))
    throw new UsageError("badOption", `seed must be a whole number, not ${seed}.`);
  const world = new World({ id, seed, wall });
  parseClock(clock)(world.clock);
  const given = world.clock.state;
  const plainDay = toDate(world.clock.now());
  setClock(world.clock, scenario?.clock);
  const day = scenario?.clock?.rebase === false ? plainDay : toDate(world.clock.now());
  let baseData = ownBase ?? (generate ? await generateData(seed, day) : getBundledData(runtime.library));
  if (found !== undefined) {
    // This data file has data but no stored state, for example because a user wrote it. Its data becomes the base data.
    const file = completeBase({ anchor: found.anchor ?? day, sections: found.sections }, runtime.library);
    baseData = createBaseData(() => file);
  }
  world.store.restore(baseData(day));
  const origin = { day, seed: wanted ?? folder?.server?.seed ?? 1, clock: given };
  storeOrigin(world.store, generate ? { ...origin, generated: seed } : origin);
  return { world, services, settings: toSettings(settings), baseData, journal, faults };
}

async function generateData(seed: number, day: CalendarDate): Promise<BaseData> {
  const file = await generateBase(seed, day);
  return createBaseData(() => file);
}

/** Builds the parts of a sandbox that continues from a stored state. */
async function buildStoredParts(
  runtime: Runtime,
  { present }: StoredState,
  base: BaseData | undefined,
  own: Pick<WorldOptions, "id" | "wall">,
) {
  const { world, settings } = present;
  const { generated, day = "" } = readOrigin(world.store.values) ?? {};
  const defaultData =
    generated === undefined ? getBundledData(runtime.library) : await generateData(generated, day);
  return {
    world: new World({ ...own, seed: world.seed }),
    services,
    settings,
    baseData: base ?? defaultData,
  };
}

/** Validates the settings, and adds the defaults. */
function toSettings(options: SettingsInput = {}): Settings {
  const given: Readonly<Record<string, unknown>> = options; // JavaScript callers can pass unknown services.
  const issues = Object.entries(given).flatMap(([name, own]) => checkSettings(name, own ?? {}, services));
  const locate = (message: string, path: Path) =>
    new UsageError("badOption", `${path.join(".")}: ${message}`);
  throwErrors(toErrors(issues, locate));
  return Object.fromEntries(
    services.map(({ name, settings }) => [name, settings.parse(given[name] ?? {}, { jitless: true })]),
  );
}
