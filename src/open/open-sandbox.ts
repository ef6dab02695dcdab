/** Puts a sandbox together from the two services, base data, settings and one server of worlds, in a runtime. */

import { UsageError } from "../errors/usage-error.ts";
import type { Path } from "../http/json-pointer.ts";
import { createTokenCheck } from "../pipeline/guard.ts";
import type { Persistence } from "../runtimes/node/persistence.ts";
import type { StateFolder, StateOptions } from "../runtimes/node/state-folder.ts";
import type { HostedOptions } from "../runtimes/worker/hosted-world.ts";
import { applyScenario, setClock } from "../sandbox/apply-scenario.ts";
import { readOrigin, storeOrigin } from "../sandbox/origin.ts";
import { readRecord } from "../sandbox/record.ts";
import type { SandboxParts, Settings, StoredState } from "../sandbox/sandbox-state.ts";
import { checkSettings } from "../scenario/check-data.ts";
import { readScenario } from "../scenario/library.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { throwErrors, toErrors } from "../scenario/scenario-errors.ts";
import { loadPart, type Runtime } from "../server/runtime.ts";
import { Server } from "../server/server.ts";
import { generateData, getCommittedData } from "../services/base-data.ts";
import { services } from "../services/index.ts";
import { parseClock } from "../world/clock.ts";
import { toDate } from "../world/time.ts";
import { World, type WorldOptions } from "../world/world.ts";
import { LiveSandbox } from "./live-sandbox.ts";
import { checkOptions, type SandboxOptions } from "./sandbox-options.ts";
import type { SettingsInput } from "./typed-scenario.ts";

/** What the entry of a runtime adds to the options of its user. */
type EntryOptions = {
  /** Loads the storage of worlds. Undefined in runtimes without files. */
  readonly storage?: () => Promise<typeof import("../runtimes/node/kept-state.ts")>;
  /** The files and the bounds of what it keeps, where they are not the usual ones. */
  readonly files?: Partial<StateOptions>;
  /** It has a single world of many, each of which is in a sandbox of its own. */
  readonly hosted?: HostedOptions;
};

/** Where worlds are kept, if anywhere: a folder, or whoever hosts the only one. */
type StorageOptions = {
  readonly storage: EntryOptions["storage"];
  readonly folder: StateFolder | undefined;
  readonly hosted: HostedOptions | undefined;
};

export async function openSandbox(
  runtime: Runtime,
  options: SandboxOptions,
  { storage, files, hosted }: EntryOptions = {},
): Promise<LiveSandbox> {
  checkOptions(options);
  // What few sandboxes need is loaded by those that do, here and below.
  const { data, durability, stateReset: reset = false } = options;
  const bounds = { ...files, reset, isPowerSafe: durability === "power" };
  const folder =
    data === undefined
      ? undefined
      : await (await loadPart(storage, "data")).openStateFolder(data, services, bounds);
  try {
    return await buildSandbox(runtime, options, { storage, folder, hosted });
  } catch (error) {
    await folder?.release();
    throw error;
  }
}

async function buildSandbox(runtime: Runtime, options: SandboxOptions, keeping: StorageOptions) {
  const { storage, folder, hosted } = keeping;
  const isNew = folder?.found === undefined && hosted?.state === undefined;
  const scenario = isNew ? toScenario(runtime, options) : undefined;
  const main = await createWorld(runtime, options, keeping, scenario);
  const relay =
    options.smtp === undefined
      ? undefined
      : await (await loadPart(runtime.mail, "smtp")).openMailRelay(options.smtp);
  const { strictWorlds: strict = false, worldLimit: limit = 1_000, worldIdle: idle = "30m" } = options;
  let persistence: Persistence | undefined;
  let stopAutoplay = (): void => {};
  const server = new Server({
    runtime,
    main,
    make(parts, home) {
      const sandbox = new LiveSandbox(parts, home);
      relay?.follow(sandbox.mailbox, (message) =>
        sandbox.journal.notices.add({ key: "mailNotSent", message }),
      );
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
          return persistence?.undone ?? 0;
        },
        flush: (sandbox, undone) => persistence?.flush(sandbox, undone),
      }),
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
    const { keepWorlds } = await loadPart(storage, "data");
    persistence = await keepWorlds(worlds, folder, options, toSettings(options.settings));
  }
  const sandbox = worlds.main as LiveSandbox; // which `make` made
  if (options.autoplay === true) stopAutoplay = await runAutoplay(sandbox);
  return sandbox;
}

/** Starts automatic invoices; failures are noted in the journal. */
async function runAutoplay(sandbox: LiveSandbox): Promise<() => void> {
  const { startAutoplay } = await import("../services/account/autoplay.ts");
  const { world, usage, journal } = sandbox;
  const onFailure = (message: string): void => journal.notices.add({ key: "autoplayFailed", message });
  return startAutoplay({ world, usage, onFailure });
}

/** The scenario of the options; a clock or seed given there takes precedence over the scenario's. */
function toScenario(runtime: Runtime, { scenario, clock, seed, settings }: SandboxOptions) {
  if (scenario === undefined) return undefined;
  const read = readScenario(runtime, scenario, services, toSettings(settings));
  return { ...read, seed: seed ?? read.seed, clock: clock === undefined ? read.clock : undefined };
}

/** The first world with its clock set and its base data in place, or as it was kept. */
async function createWorld(
  runtime: Runtime,
  options: SandboxOptions,
  { storage, folder, hosted }: StorageOptions,
  scenario: Scenario | undefined,
): Promise<SandboxParts> {
  const { record, seed: asked, clock, wall, settings, journal, generate = false } = options;
  const wanted = asked ?? scenario?.seed;
  const kept = folder && (await loadPart(storage, "data")).mainWorldOf(folder, wanted);
  const state = record === undefined ? (kept?.state ?? hosted?.state) : readRecord(record);
  const { world: id, faults } = hosted ?? {};
  if (state !== undefined)
    return { ...(await buildStoredParts(runtime, state, { id, wall })), journal, faults, state };
  const seed = kept?.seed ?? wanted ?? 1;
  if (!Number.isSafeInteger(seed))
    throw new UsageError("badOption", `seed must be a whole number, not ${seed}.`);
  const world = new World({ id, seed, wall });
  parseClock(clock)(world.clock);
  const given = world.clock.state;
  const plainDay = toDate(world.clock.now());
  setClock(world.clock, scenario?.clock);
  const day = scenario?.clock?.rebase === false ? plainDay : toDate(world.clock.now());
  const baseData = generate ? await generateData(seed, day) : getCommittedData(runtime.library);
  world.store.restore(baseData(day));
  const origin = { day, seed: kept?.seed ?? asked ?? 1, clock: given };
  storeOrigin(world.store, generate ? { ...origin, generated: seed } : origin);
  return { world, services, settings: toSettings(settings), baseData, journal, faults };
}

/** What a sandbox needs besides its kept state to go on from it. */
async function buildStoredParts(
  runtime: Runtime,
  { present }: StoredState,
  own: Pick<WorldOptions, "id" | "wall">,
) {
  const { world: moment, settings } = present;
  const { generated, day = "" } = readOrigin(moment.store.values) ?? {};
  const baseData =
    generated === undefined ? getCommittedData(runtime.library) : await generateData(generated, day);
  return { world: new World({ ...own, seed: moment.seed }), services, settings, baseData };
}

/** The complete settings, checked like those of a scenario. */
function toSettings(options: SettingsInput = {}): Settings {
  const given: Readonly<Record<string, unknown>> = options; // it may name anything where it was not compiled
  const issues = Object.entries(given).flatMap(([name, own]) => checkSettings(name, own ?? {}, services));
  const locate = (message: string, path: Path) =>
    new UsageError("badOption", `${path.join(".")}: ${message}`);
  throwErrors(toErrors(issues, locate));
  return Object.fromEntries(
    services.map(({ name, settings }) => [name, settings.parse(given[name] ?? {}, { jitless: true })]),
  );
}
