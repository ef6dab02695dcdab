/** The rules in force in one world, and how often each acted: those added at run time, then those of the scenario. */

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
  /** Switched off: it does not act. */
  readonly off?: true | undefined;
};

/** What becomes of a rule; what is left out stays as it is. */
export type RuleChange = {
  readonly enabled?: boolean | undefined;
  /** The rule that it comes before, both added at run time or both of the scenario; null: it comes last of them. */
  readonly before?: string | null | undefined;
  /** What takes its place, under the same id; its counts start anew. */
  readonly rule?: CheckedRule | undefined;
};

/** How serious a kind of surprise is for verification. */
export type ExpectSeverity = "fail" | "warn" | "ignore";
export type SandboxExpectations = {
  /** Requests that met no operation. Default `fail`. */
  readonly unmatched?: ExpectSeverity | undefined;
  /** Rules that never fired. Default `warn`. */
  readonly unusedRules?: ExpectSeverity | undefined;
};

/** One change of data as it was written. */
export type DataRecord = {
  readonly environment: string;
  readonly collection: string;
  readonly change: object;
};

export type ActiveScenario<R> = {
  readonly name: string;
  readonly title: string | undefined;
  /** Whether it comes with the package. */
  readonly isPreset: boolean;
  readonly expect: SandboxExpectations;
  readonly settings: readonly {
    readonly service: string;
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
  readonly rules: readonly R[];
  /** For playing it again. */
  readonly data: readonly DataRecord[];
};

/** A scenario takes the place of the one in force, or is put on top of it: rules and settings of that one stay. */
export type Placement = "instead" | "onTop";

export type LoadedScenario = ActiveScenario<ActiveRule>;

export type RulesSnapshot = {
  readonly added: readonly ActiveRule[];
  /** The scenarios in force, the newest last. */
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

/** The scenarios in force as one. */
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

/** The rules as requests read them, computed once after each change. */
type RuleOrder = {
  readonly added: readonly ActiveRule[];
  readonly layers: readonly LoadedScenario[];
  /** In the order in which they are evaluated. */
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

  /** Puts a rule before all others. Throws when its id is taken. */
  add(rule: CheckedRule): void {
    assertRulesFit([rule], this.all(), { pointer: "/id" });
    this.added = [{ ...rule, since: this.world.clock.now(), origin: "run time" }, ...this.added];
    this.#changed();
  }

  /** An id for a rule that was added without one. */
  nextId(): string {
    let id: string;
    do {
      this.#named += 1;
      id = `use-${this.#named}`;
    } while (this.all().some((rule) => rule.id === id));
    return id;
  }

  /** Throws a UsageError when these rules of a scenario do not fit next to those that stay. */
  assertRoom(rules: readonly CheckedRule[], placing: Placement): void {
    assertRulesFit(rules, placing === "onTop" ? this.all() : this.added);
  }

  /** Takes over a scenario; rules added at run time stay before its rules. Throws where there is no room. */
  load({ rules, ...scenario }: ActiveScenario<CheckedRule>, placing: Placement): void {
    this.assertRoom(rules, placing);
    const since = this.world.clock.now();
    const active = rules.map((rule): ActiveRule => ({ ...rule, since, origin: "scenario" }));
    if (placing === "instead") for (const { id } of this.scenario.rules) this.counters.forget(id);
    const loaded = { ...scenario, rules: active };
    this.layers = placing === "instead" ? [loaded] : [...this.layers, loaded];
    this.#changed();
  }

  /** The scenario in force; `default` is a plain sandbox. */
  get scenario(): LoadedScenario {
    return combineScenarios(this.layers);
  }

  /** Removes the newest scenario of that name, except for its changes of data. Throws a UsageError for an unknown name. */
  removeScenario(name: string): void {
    const known = this.layers.filter((layer) => layer.name !== NO_SCENARIO.name);
    const found = known.findLast((layer) => layer.name === name);
    if (found === undefined)
      throw createUnknownError(
        "scenario in force",
        name,
        known.map((layer) => layer.name),
      );
    for (const { id } of found.rules) this.counters.forget(id);
    const rest = { ...NO_SCENARIO, data: found.data };
    this.layers = this.layers.map((layer) => (layer === found ? rest : layer));
  }

  /** Removes a rule. Throws a UsageError for an unknown id. */
  remove(id: string): void {
    this.#getRule(id);
    this.#replace((rules) => rules.filter((rule) => rule.id !== id));
    this.counters.forget(id);
  }

  /** Switches a rule off or on, moves it, puts another in its place. Throws a UsageError, changing nothing. */
  update(id: string, { enabled, before, rule }: RuleChange): void {
    const present = this.#getRule(id);
    const next = typeof before === "string" ? this.#getRule(before, "/before") : undefined;
    const lists = [this.added, ...this.layers.map(({ rules }) => rules)];
    if (next !== undefined && !lists.some((rules) => rules.includes(present) && rules.includes(next)))
      throw new UsageError(
        "badScenario",
        `${quote(id)} and ${quote(next.id)} stand in different lists: rules added at run time come before those of a scenario.`,
        { pointer: "/before" },
      );
    const off = enabled === undefined ? present.off : enabled ? undefined : true;
    const since = rule === undefined ? present.since : this.world.clock.now();
    const changed: ActiveRule = { ...present, ...rule, since, off };
    if (rule !== undefined) this.counters.forget(id);
    this.#replace((rules) => {
      if (!rules.includes(present)) return rules;
      if (before === undefined || before === id) return rules.map((one) => (one === present ? changed : one));
      const others = rules.filter((one) => one !== present);
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

  /** Removes all rules that were added at run time. */
  clear(): void {
    for (const { id } of this.added) this.counters.forget(id);
    this.added = [];
  }

  /** In the order in which they are evaluated. */
  list(): readonly RuleStatus[] {
    return this.all().map(({ id, at, when, rule, origin, off }) => {
      const written = rule as RuleInput; // it was read from one
      return { id, at, when, rule: written, origin, enabled: off !== true, ...this.counters.total(id) };
    });
  }

  /** Ids of the rules that are switched on and never acted. Of a preset only if none of its rules acted. */
  unused(): readonly string[] {
    const isUnused = ({ id, off }: ActiveRule): boolean =>
      off !== true && this.counters.total(id).acted === 0;
    const scenarios = this.layers.filter(({ isPreset, rules }) => !isPreset || rules.every(isUnused));
    return [...this.added, ...combineScenarios(scenarios).rules].filter(isUnused).map(({ id }) => id);
  }

  snapshot(): RulesSnapshot {
    return { ...this.present, counters: this.counters.copy() };
  }

  /** What `snapshot` takes; these counters go on counting. */
  get present(): RulesSnapshot {
    return { added: this.added, layers: this.layers, counters: this.counters, named: this.#named };
  }

  /** Takes over rules and counts. */
  restore({ added, layers, counters, named }: RulesSnapshot): void {
    this.added = added;
    this.layers = layers;
    this.counters = counters.copy();
    this.#named = named;
    this.#changed();
  }

  /** Whether a rule may still end a connection in place of a reply. */
  get canLoseReplies(): boolean {
    return this.#order().losing.some(this.#canLose);
  }

  /** Calls `listener` after each change of the rules after which they may. */
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

  /** The rules whose `operation` allows this one. 1,000 rules for another operation then cost a request nothing. */
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
