/** Stores the active rules of one world with their counters. Rules added at run time apply before rules of scenarios. */

import { createUnknownError } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Timestamp } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { RuleInput } from "./grammar.ts";
import { isUsedUp } from "./limit.ts";
import { hasName } from "./matcher.ts";
import { assertRulesFit, type CheckedRule, losesReplies, type RuleStatus } from "./rule.ts";
import { RuleCounters } from "./rule-counters.ts";

export type ActiveRule = CheckedRule & {
  readonly since: Timestamp;
  readonly origin: "run time" | "scenario";
  /** True if the rule is turned off. */
  readonly off?: true | undefined;
};

/** A change of an existing rule. Omitted fields stay unchanged. */
export type RuleChange = {
  readonly enabled?: boolean | undefined;
  /** Moves the rule before the rule with this id, in the same list (run time or one scenario). `null`: to its end. */
  readonly before?: string | null | undefined;
  /** New content of the rule. The id stays the same; the counters are reset. */
  readonly rule?: CheckedRule | undefined;
};

/** How `sandbox.verify()` treats an irregularity: it fails, warns or ignores it. */
export type ExpectSeverity = "fail" | "warn" | "ignore";
export type SandboxExpectations = {
  /** Severity of requests that match no operation. Default: `fail`. */
  readonly unmatched?: ExpectSeverity | undefined;
  /** Severity of rules that never applied. Default: `warn`. */
  readonly unusedRules?: ExpectSeverity | undefined;
};

/** One change of data, in the same form as in the scenario file. */
export type DataRecord = {
  readonly environment: string;
  readonly collection: string;
  readonly change: object;
};

export type ActiveScenario<R> = {
  readonly name: string;
  readonly title: string | undefined;
  /** Whether the scenario comes with the package. */
  readonly isPreset: boolean;
  readonly expect: SandboxExpectations;
  readonly settings: readonly {
    readonly service: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
  readonly rules: readonly R[];
  /** Changes of data. `sandbox.capsule()`, which exports a test as JSON, contains them. */
  readonly data: readonly DataRecord[];
};

/** `instead`: a new scenario replaces the active ones. `onTop`: it is added, and their rules and settings stay active. */
export type Placement = "instead" | "onTop";

export type LoadedScenario = ActiveScenario<ActiveRule>;

export type RulesSnapshot = {
  readonly added: readonly ActiveRule[];
  /** The active scenarios, newest last. */
  readonly layers: readonly LoadedScenario[];
  readonly counters: RuleCounters;
  readonly named: number;
};

const NO_SCENARIO: LoadedScenario = {
  name: "default",
  title: undefined,
  isPreset: false,
  expect: {},
  settings: [],
  rules: [],
  data: [],
};

/** Merges scenarios, newest last, into one. Its rules are in evaluation order. Omits the settings. */
export function combineScenarios(layers: readonly LoadedScenario[]): LoadedScenario {
  const names = layers.map(({ name }) => name).filter((name) => name !== NO_SCENARIO.name);
  return {
    ...NO_SCENARIO,
    name: names.join(" + ") || NO_SCENARIO.name,
    title: layers.findLast(({ title }) => title !== undefined)?.title,
    expect: Object.assign({}, ...layers.map(({ expect }) => expect)),
    rules: layers.toReversed().flatMap(({ rules }) => rules),
    data: layers.flatMap(({ data }) => data),
  };
}

/** Cached evaluation order of all rules. `added` and `layers` are the values that it was computed from. */
type RuleOrder = {
  readonly added: readonly ActiveRule[];
  readonly layers: readonly LoadedScenario[];
  readonly all: readonly ActiveRule[];
  readonly losing: readonly ActiveRule[];
  readonly byOperation: Map<string | undefined, readonly ActiveRule[]>;
};

export class ActiveRules {
  protected readonly world: World;
  protected counters = new RuleCounters();
  protected added: readonly ActiveRule[] = [];
  layers: readonly LoadedScenario[] = [];
  #ordered: RuleOrder | undefined;
  #named = 0;
  #onLosing: (() => void) | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** Adds a rule that applies before all others. Throws a UsageError if another rule has its id, or the world has too many rules. */
  add(rule: CheckedRule): void {
    assertRulesFit([rule], this.all(), { pointer: "/id" });
    this.added = [{ ...rule, since: this.world.clock.now(), origin: "run time" }, ...this.added];
    this.#changed();
  }

  /** Generates an unused rule id, such as `use-1`. */
  nextId(): string {
    let id: string;
    do {
      this.#named += 1;
      id = `use-${this.#named}`;
    } while (this.all().some((rule) => rule.id === id));
    return id;
  }

  /** Throws a UsageError if the world cannot have these rules: they are too many, or another rule has the same id. */
  assertRoom(rules: readonly CheckedRule[], placing: Placement): void {
    assertRulesFit(rules, placing === "onTop" ? this.all() : this.added);
  }

  /** Activates a scenario. Rules added at run time still apply first. Throws the same errors as `assertRoom`. */
  load({ rules, ...scenario }: ActiveScenario<CheckedRule>, placing: Placement): void {
    this.assertRoom(rules, placing);
    const since = this.world.clock.now();
    const active = rules.map((rule): ActiveRule => ({ ...rule, since, origin: "scenario" }));
    if (placing === "instead") for (const { id } of this.scenario.rules) this.counters.forget(id);
    const loaded = { ...scenario, rules: active };
    this.layers = placing === "instead" ? [loaded] : [...this.layers, loaded];
    this.#changed();
  }

  /** The active scenarios, merged into one. If none is active, `name` is `default`. */
  get scenario(): LoadedScenario {
    return combineScenarios(this.layers);
  }

  /** Removes rules and settings of the newest scenario with this name. Keeps its data. Throws a UsageError for an unknown name. */
  removeScenario(name: string): void {
    const known = this.layers.filter((layer) => layer.name !== NO_SCENARIO.name);
    const found = known.findLast((layer) => layer.name === name);
    const names = known.map((layer) => layer.name);
    if (found === undefined) throw createUnknownError("active scenario", name, names);
    for (const { id } of found.rules) this.counters.forget(id);
    const rest = { ...NO_SCENARIO, data: found.data };
    this.layers = this.layers.map((layer) => (layer === found ? rest : layer));
  }

  /** Throws a UsageError for an unknown id. */
  remove(id: string): void {
    this.#getRule(id);
    this.#replace((rules) => rules.filter((rule) => rule.id !== id));
    this.counters.forget(id);
  }

  /** Throws a UsageError and changes nothing if the change is invalid. */
  update(id: string, { enabled, before, rule }: RuleChange): void {
    const present = this.#getRule(id);
    const next = typeof before === "string" ? this.#getRule(before, "/before") : undefined;
    const lists = [this.added, ...this.layers.map(({ rules }) => rules)];
    if (next !== undefined && !lists.some((rules) => rules.includes(present) && rules.includes(next)))
      throw new UsageError(
        "badScenario",
        `Cannot move ${quote(id)} next to ${quote(next.id)}: rules added at run time always come before those of a scenario.`,
        { pointer: "/before" },
      );
    const off = enabled === undefined ? present.off : enabled ? undefined : true;
    const since = rule === undefined ? present.since : this.world.clock.now();
    const changed: ActiveRule = { ...present, ...rule, since, off };
    if (rule !== undefined) this.counters.forget(id);
    this.#replace((rules) => {
      if (!rules.includes(present)) return rules;
      if (before === undefined || before === id)
        return rules.map((each) => (each === present ? changed : each));
      const others = rules.filter((each) => each !== present);
      const at = next === undefined ? others.length : others.indexOf(next);
      return others.toSpliced(at, 0, changed);
    });
    this.#changed();
  }

  #getRule(id: string, pointer?: string): ActiveRule {
    const rules = this.all();
    const found = rules.find((rule) => rule.id === id);
    if (found !== undefined) return found;
    const known = rules.map((rule) => rule.id);
    throw createUnknownError("rule", id, known, { pointer });
  }

  #replace(change: (rules: readonly ActiveRule[]) => readonly ActiveRule[]): void {
    this.added = change(this.added);
    this.layers = this.layers.map((layer) => ({ ...layer, rules: change(layer.rules) }));
  }

  clear(): void {
    for (const { id } of this.added) this.counters.forget(id);
    this.added = [];
  }

  /** Lists all rules with their counters, in evaluation order. */
  list(): readonly RuleStatus[] {
    return this.all().map(({ id, at, when, rule, origin, off }) => {
      const input = rule as RuleInput; // Safe cast: parsing does not change a rule.
      return { id, at, when, rule: input, origin, enabled: off !== true, ...this.counters.total(id) };
    });
  }

  /** Lists the ids of enabled rules that never applied. Omits the rules of a preset if one of its rules applied. */
  unused(): readonly string[] {
    const isUnused = ({ id }: ActiveRule): boolean => this.counters.total(id).acted === 0;
    const scenarios = this.layers.filter(({ isPreset, rules }) => !isPreset || rules.every(isUnused));
    const enabled = [...this.added, ...combineScenarios(scenarios).rules].filter(({ off }) => off !== true);
    return enabled.filter(isUnused).map(({ id }) => id);
  }

  snapshot(): RulesSnapshot {
    return { ...this.present, counters: this.counters.copy() };
  }

  /** Like `snapshot`, but with the live counters instead of a copy. */
  get present(): RulesSnapshot {
    return { added: this.added, layers: this.layers, counters: this.counters, named: this.#named };
  }

  restore({ added, layers, counters, named }: RulesSnapshot): void {
    this.added = added;
    this.layers = layers;
    this.counters = counters.copy();
    this.#named = named;
    this.#changed();
  }

  /** Whether an enabled rule can still inject a fault after which browsers may send a request again. */
  get canLoseReplies(): boolean {
    return this.#order().losing.some(this.#canLose);
  }

  /** Sets the function that is called after rules are added, updated or restored, if `canLoseReplies` is true then. */
  onLosing(listener: () => void): void {
    this.#onLosing = listener;
  }

  readonly #canLose = ({ id, rule, since, off }: ActiveRule): boolean =>
    off !== true && !isUsedUp(rule.limit ?? {}, this.counters.total(id).acted, this.world.clock.now(), since);

  #changed(): void {
    if (this.canLoseReplies) this.#onLosing?.();
  }

  protected all(): readonly ActiveRule[] {
    return this.#order().all;
  }

  /** Returns the rules that can apply to the operation. Caches them, so that rules for other operations cost no time. */
  protected rulesFor(operation: string | undefined): readonly ActiveRule[] {
    const { all, byOperation } = this.#order();
    const known = byOperation.get(operation);
    if (known !== undefined) return known;
    const isFor = ({ when: { operation: wanted } }: ActiveRule) =>
      wanted === undefined || hasName(operation, wanted);
    const rules = all.filter(isFor);
    byOperation.set(operation, rules);
    return rules;
  }

  #order(): RuleOrder {
    const { added, layers } = this;
    if (this.#ordered?.added !== added || this.#ordered.layers !== layers) {
      const all = [...added, ...combineScenarios(layers).rules];
      const losing = all.filter(({ rule }) => losesReplies(rule));
      this.#ordered = { added, layers, all, losing, byOperation: new Map() };
    }
    return this.#ordered;
  }
}
