/** The core of a sandbox: a world with its settings, rules and journal. */

import { assertObject, readFields, readText } from "../errors/arguments.ts";
import { quote } from "../errors/quote.ts";
import { runAtPointer, UsageError } from "../errors/usage-error.ts";
import { type Capsule, createCapsule } from "../journal/capsule.ts";
import { Coverage } from "../journal/coverage.ts";
import { Journal } from "../journal/journal.ts";
import { NO_JOURNAL } from "../journal/journal-record.ts";
import { MemoryLimit } from "../journal/memory-limit.ts";
import { buildReport, type SandboxReport } from "../journal/verify.ts";
import type { Environment, GetSettings, Service } from "../operation/service.ts";
import type { Gates } from "../rules/gates.ts";
import type { Matcher, RuleInput } from "../rules/grammar.ts";
import { Rules } from "../rules/rules.ts";
import { mergeSettings } from "../scenario/check-data.ts";
import type { GetCallers } from "../scenario/check-matcher.ts";
import { readRule } from "../scenario/read-rule.ts";
import { writeRules } from "../scenario/rules-record.ts";
import type { Clock } from "../world/clock.ts";
import { World } from "../world/world.ts";
import { DataCollection } from "./data.ts";
import { type BaseData, readOrigin, rebase } from "./origin.ts";
import { type WorldRecord, writeRecord } from "./record.ts";
import type {
  Replacement,
  SandboxParts,
  SandboxSnapshot,
  SandboxState,
  Settings,
  StoredState,
  WorldAction,
} from "./sandbox-state.ts";
import { Snapshots } from "./snapshots.ts";
import { buildStateReport } from "./state-report.ts";
import type { RuleUpdate, Snapshot, StateReport } from "./views.ts";

export class SandboxCore {
  readonly world: World;
  readonly services: readonly Service[];
  readonly journal: Journal;
  readonly coverage: Coverage;
  readonly ruleSet: Rules;
  baseData: BaseData;
  readonly faults: SandboxParts["faults"];
  /** Settings from the sandbox's options. The settings of a scenario override them. */
  baseSettings: Settings;
  readonly #journalParts: SandboxParts["journal"];
  #settings: Settings;
  #states = new Map<string, unknown>();
  #initial: SandboxSnapshot;
  readonly snapshotStore = new Snapshots();
  onAction: ((action: WorldAction) => void) | undefined;

  constructor({
    world,
    services,
    settings,
    baseData,
    coverage = new Coverage(services),
    journal = {},
    faults,
    state,
  }: SandboxParts) {
    this.world = world;
    this.services = services;
    this.faults = faults;
    this.coverage = coverage.withSettings(this.settingsOf);
    this.#journalParts = { room: new MemoryLimit(), ...journal };
    this.journal = new Journal({
      ...this.#journalParts,
      wall: world.wall,
      ended: world.ended,
      services,
      callersOf: this.callersOf,
    });
    world.mailbox.onListenerFailure((message) =>
      this.journal.notices.add({ key: "listenerFailed", message }),
    );
    this.baseData = baseData;
    world.clock.onRebase(() => rebase(this));
    this.ruleSet = new Rules(world, services, this.settingsOf);
    this.ruleSet.onWait = (exchange) => this.journal.tell(exchange);
    this.#settings = settings;
    this.baseSettings = settings;
    this.#initial = this.captureState();
    if (state !== undefined) this.replace(state);
  }

  get id(): string {
    return this.world.id;
  }

  get clock(): Clock {
    return this.world.clock;
  }

  get settings(): Settings {
    return this.#settings;
  }

  readonly settingsOf: GetSettings = ({ name }) => this.#settings[name];

  readonly callersOf: GetCallers = (service, environment) =>
    service.callers?.(this.world, environment, this.settingsOf(service));

  /** Replaces the settings of the given services. The settings must be complete and valid. */
  changeSettings(settings: Settings): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#states.clear();
  }

  getServiceState(service: Service, environment: Environment): unknown {
    let state = this.#states.get(environment.key);
    if (state === undefined) {
      state = service.state(this.world, environment, this.settingsOf(service));
      this.#states.set(environment.key, state);
    }
    return state;
  }

  collection(service: Service, environment: Environment, name: string): DataCollection {
    return new DataCollection(this.world, service, environment, name);
  }

  use(rule: RuleInput): string {
    const checked = readRule(rule, () => this.ruleSet.nextId(), this);
    this.ruleSet.add(checked);
    return checked.id;
  }

  /** Enables, disables, moves or replaces a rule. If the change is invalid, throws a UsageError and changes nothing. */
  updateRule(id: string, given: RuleUpdate): void {
    const { rule, ...change } = readFields(given, ["rule", "enabled", "before"], "change");
    const message = `Cannot change the id of rule ${quote(id)}. Remove the rule and add it again.`;
    if (rule?.id !== undefined && rule.id !== id)
      throw new UsageError("badScenario", message, { pointer: "/rule/id" });
    const checked = rule && runAtPointer("/rule", () => readRule({ ...rule, id }, () => id, this));
    this.ruleSet.update(id, { ...change, rule: checked });
  }

  removeScenario(name: string): string {
    this.ruleSet.removeScenario(name);
    const settings = this.ruleSet.layers.flatMap((layer) => layer.settings);
    this.changeSettings(mergeSettings(this.services, this.baseSettings, settings));
    return `The rules and settings of ${quote(name)} are removed. Its data and clock stay; reset restores them.`;
  }

  get gates(): Pick<Gates, "waiting" | "release" | "arrived"> {
    return this.ruleSet.gates;
  }

  /** Returns the constructor arguments of a copy. `state` defaults to the current state, without snapshots and journal. */
  copy(id: string, state: Replacement = this.getForkState()): SandboxParts {
    return {
      world: new World({ id, seed: state.present.world.seed, wall: this.world.wall }),
      services: this.services,
      settings: this.#settings,
      baseData: this.baseData,
      coverage: this.coverage,
      journal: this.#journalParts,
      faults: this.faults,
      state,
    };
  }

  snapshot(name?: string): SandboxSnapshot {
    if (name !== undefined) readText(name, "name");
    const snapshot = { ...this.captureState(), id: this.snapshotStore.createName(name) };
    this.snapshotStore.put(snapshot);
    this.onAction?.(name === undefined ? { verb: "snapshot" } : { verb: "snapshot", name });
    return snapshot;
  }

  restore(snapshot: Snapshot | string): void {
    const id = typeof snapshot === "string" ? snapshot : assertObject(snapshot, "A snapshot").id;
    const found = isSnapshot(snapshot) ? snapshot : this.snapshotStore.get(id);
    this.#setState(found);
    this.onAction?.(this.snapshotStore.has(found) ? { verb: "restore", id } : { verb: "replace" });
  }

  dropSnapshot(id: string): void {
    this.snapshotStore.remove(id);
    this.onAction?.({ verb: "forget", id });
  }

  record(): WorldRecord {
    return writeRecord(this.id, this.getFullState());
  }

  getFullState(): SandboxState {
    return { ...this.getStoredState(), journal: this.journal.toRecord() };
  }

  getStoredState(): StoredState {
    return {
      present: this.captureState(),
      start: this.#initial,
      snapshots: this.snapshotStore.all(),
      taken: this.snapshotStore.taken,
      baseSettings: this.baseSettings,
    };
  }

  getForkState(): SandboxState {
    const [present, baseSettings] = [this.captureState(), this.baseSettings];
    return { present, start: present, snapshots: [], taken: 0, baseSettings, journal: NO_JOURNAL };
  }

  /** Replaces the state. If `journal` is undefined, the journal stays. Requests at a gate or in a delay get a 503. */
  replace({ present, start, snapshots, taken, baseSettings, journal }: Replacement): void {
    this.#setState(present);
    this.#initial = start;
    this.snapshotStore.replace(snapshots, taken);
    this.baseSettings = baseSettings;
    if (journal !== undefined) this.journal.restore(journal);
    this.onAction?.({ verb: "replace" });
  }

  report(): SandboxReport {
    const { ruleSet, journal } = this;
    const { expect } = ruleSet.scenario;
    return buildReport({ journal, unusedRules: ruleSet.unused(), waiting: ruleSet.gates.waiting(), expect });
  }

  state(): StateReport {
    const { added, layers, counts } = writeRules(this.ruleSet.snapshot());
    const journal = { exchanges: this.journal.count(), notices: this.journal.notices.all };
    return buildStateReport(this.world, journal, [this.#settings, added, layers, counts]);
  }

  capsule(matcher?: Matcher | string): Capsule {
    const { id: world, journal } = this;
    const [now, acted] = [this.clock.now(), this.ruleSet.list()];
    const [start, end] = [this.#initial, this.captureState()];
    const baseDay = readOrigin(end.world.store.values)?.day;
    return createCapsule({ world, start, end, now, baseDay, acted, journal, matcher });
  }

  /** Makes `reset` return to the current state. */
  markStart(): void {
    this.setStart(this.captureState());
  }

  setStart(start: SandboxSnapshot): void {
    this.#initial = start;
    this.onAction?.({ verb: "start" });
  }

  reset(): void {
    this.#setState(this.#initial);
    this.journal.reset();
    this.onAction?.({ verb: "reset" });
  }

  /** Ends the sandbox permanently. Pending waits, such as `waitFor`, reject. Requests at a gate or in a delay get a 503. */
  end(): void {
    this.world.end();
    this.ruleSet.gates.cancelAll();
    this.journal.close();
  }

  #setState({ world, rules, settings }: SandboxSnapshot): void {
    this.world.restore(world);
    this.ruleSet.restore(rules);
    this.#settings = settings;
    this.#states.clear();
  }

  captureState(): SandboxSnapshot {
    const { world, ruleSet } = this;
    return { id: "start", world: world.snapshot(), settings: this.#settings, rules: ruleSet.snapshot() };
  }
}

/** Whether the argument contains the state of the snapshot. Snapshots received over HTTP have only an id. */
function isSnapshot(snapshot: Snapshot | string): snapshot is SandboxSnapshot {
  return typeof snapshot === "object" && "world" in snapshot;
}
