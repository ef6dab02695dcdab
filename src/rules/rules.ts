// Owns the rules in force in one world: which of them act on an exchange at a stage of its life, and what they do.
// Whether a rule acts is decided without waiting, so counts are exact however many clients come at once.

import type { Exchange } from "../operation/exchange.ts";
import type { Service } from "../operation/service.ts";
import { unknownName } from "../world/nearest.ts";
import type { Instant } from "../world/time.ts";
import { type Place, UsageError } from "../world/usage-error.ts";
import type { World } from "../world/world.ts";
import { answers, effectOf, type Step, sentBy } from "./action.ts";
import { delayMs, dribbleOf } from "./delay.ts";
import { type Effect, type Fault, sandboxAnswer } from "./effect.ts";
import { Parking } from "./gates.ts";
import { type Count, draw } from "./limit.ts";
import { oneOff } from "./one-off.ts";
import { type CheckedRule, MOST_RULES, type RuleStage, stepAt, stepsOf } from "./rule.ts";
import { Tally } from "./rule-counters.ts";
import { isNamed, whyNot } from "./when.ts";

type ActiveRule = CheckedRule & { readonly since: Instant; readonly origin: "run time" | "scenario" };

/** How serious a kind of surprise is to whoever verifies. */
export type Severity = "fail" | "warn" | "ignore";
export type SandboxExpectations = {
  /** Requests that met no operation. Default `fail`. */
  readonly unmatched?: Severity | undefined;
  /** Rules that never fired. Default `warn`. */
  readonly unusedRules?: Severity | undefined;
};

/** One change of data as it was written. */
export type WrittenData = {
  readonly environment: string;
  readonly collection: string;
  readonly change: object;
};

type ScenarioInForce<R> = {
  readonly name: string;
  readonly title: string | undefined;
  readonly expect: SandboxExpectations;
  readonly rules: readonly R[];
  /** For those who want to play it again. */
  readonly data: readonly WrittenData[];
};

/** The scenario in force with its rules. */
export type LoadedScenario = ScenarioInForce<ActiveRule>;

export type RulesSnapshot = {
  readonly added: readonly ActiveRule[];
  readonly scenario: LoadedScenario;
  readonly tally: Tally;
  readonly named: number;
};

/** A rule and what it has done so far. */
export type RuleStatus = CheckedRule & Count & { readonly origin: "run time" | "scenario" };

/** What else a rule may need to know: the reply that is due, at stage response, and when the client has gone. */
export type Circumstances = {
  readonly due?: { readonly status: number } | undefined;
  readonly signal?: (() => AbortSignal) | undefined;
};

type Wait =
  | { readonly kind: "hold"; readonly gate: string }
  | { readonly kind: "pause" | "later"; readonly delayMs: number }
  | { readonly kind: "advance"; readonly by: string };
type Struck = { readonly waits: readonly Wait[]; readonly effect: Effect | undefined };

const NO_SCENARIO: LoadedScenario = { name: "default", title: undefined, expect: {}, rules: [], data: [] };

/** Refuses rules that would be too many with those that are `there`, or whose ids are taken: counts go by id. */
function refuseCrowd(comers: readonly CheckedRule[], there: readonly CheckedRule[], place?: Place): void {
  if (comers.length + there.length > MOST_RULES)
    throw new UsageError("badScenario", `A world has at most ${MOST_RULES} rules. Take some out, or reset.`);
  const coming = new Set(comers.map(({ id }) => id));
  const twin = there.find(({ id }) => coming.has(id));
  if (twin === undefined) return;
  const message = `There is a rule ${JSON.stringify(twin.id)} already. Take it out, or reset.`;
  throw new UsageError("badScenario", message, place);
}

export class Rules {
  readonly parking: Parking;
  readonly #world: World;
  readonly #services: readonly Service[];
  #added: readonly ActiveRule[] = [];
  #scenario: LoadedScenario = NO_SCENARIO;
  #tally = new Tally();
  #named = 0;
  /** The rules that an exchange no longer listens to, because one before them answered. */
  readonly #silenced = new WeakMap<Exchange, ReadonlySet<ActiveRule> | "all">();

  constructor(world: World, services: readonly Service[]) {
    this.#world = world;
    this.#services = services;
    this.parking = new Parking(world.clock, world.wall);
  }

  /** The effect of the first rule that answers at this stage; delays and holds have passed when it resolves. */
  async strike(
    at: RuleStage,
    exchange: Exchange,
    circumstances: Circumstances = {},
  ): Promise<Effect | undefined> {
    // The control API is steered by nobody's rules but its own.
    if (!this.#services.some(({ name, observed }) => observed && name === exchange.service)) return undefined;
    const asked = at === "handler" ? oneOff(exchange, this.#services) : undefined;
    if (asked !== undefined) {
      this.#silenced.set(exchange, "all");
      exchange.rules.push({
        rule: "request",
        outcome: "applied",
        why: "the request's own header asks for it",
      });
      return asked;
    }
    if (this.#added.length === 0 && this.#scenario.rules.length === 0) return undefined;
    const { waits, effect } = this.#choose(at, exchange, circumstances);
    for (const wait of waits) {
      if (!this.parking.hasRoom)
        return sandboxAnswer(503, "500 requests are waiting already. Release a gate, or advance the clock.");
      // What it waited in is gone: it must not do its work in the world that came after.
      if (!(await this.#wait(wait, exchange, circumstances.signal?.())))
        return sandboxAnswer(503, "The world was reset or closed while this request waited.");
    }
    return effect;
  }

  /** Puts a rule before all others. Throws when its id is taken. */
  add(rule: CheckedRule): void {
    refuseCrowd([rule], this.#rules(), { pointer: "/id" });
    this.#added = [{ ...rule, since: this.#world.clock.now(), origin: "run time" }, ...this.#added];
  }

  /** An id for a rule that was added without one. */
  nextId(): string {
    let id: string;
    do {
      this.#named += 1;
      id = `use-${this.#named}`;
    } while (this.#rules().some((rule) => rule.id === id));
    return id;
  }

  /** Throws a UsageError when these rules of a scenario cannot stand beside those that were added. */
  expectRoom(rules: readonly CheckedRule[]): void {
    refuseCrowd(rules, this.#added);
  }

  /** Replaces the scenario; rules added at run time stay before its rules. Throws where there is no room. */
  load({ rules, ...scenario }: ScenarioInForce<CheckedRule>): void {
    this.expectRoom(rules);
    const since = this.#world.clock.now();
    for (const { id } of this.#scenario.rules) this.#tally.forget(id);
    const active = rules.map((rule): ActiveRule => ({ ...rule, since, origin: "scenario" }));
    this.#scenario = { ...scenario, rules: active };
  }

  /** The scenario in force; `default` is a plain sandbox. */
  get scenario(): LoadedScenario {
    return this.#scenario;
  }

  /** Takes a rule out. Throws a UsageError for an unknown id. */
  remove(id: string): void {
    const known = this.#rules().map((rule) => rule.id);
    if (!known.includes(id)) throw new UsageError("unknownName", unknownName("rule", id, known));
    this.#added = this.#added.filter((rule) => rule.id !== id);
    const { rules } = this.#scenario;
    this.#scenario = { ...this.#scenario, rules: rules.filter((rule) => rule.id !== id) };
    this.#tally.forget(id);
  }

  /** Takes out all rules that were added at run time. */
  clear(): void {
    for (const { id } of this.#added) this.#tally.forget(id);
    this.#added = [];
  }

  /** In the order in which they are asked. */
  list(): readonly RuleStatus[] {
    return this.#rules().map(({ since: _since, ...rule }) => ({ ...rule, ...this.#tally.total(rule.id) }));
  }

  /** Ids of the rules that never acted. */
  unused(): readonly string[] {
    return this.list()
      .filter(({ acted }) => acted === 0)
      .map(({ id }) => id);
  }

  snapshot(): RulesSnapshot {
    return {
      added: this.#added,
      scenario: this.#scenario,
      tally: this.#tally.copy(),
      named: this.#named,
    };
  }

  /** Takes over rules and counts. Whoever waits is let go: the world they waited in is gone. */
  restore({ added, scenario, tally, named }: RulesSnapshot): void {
    this.#added = added;
    this.#scenario = scenario;
    this.#tally = tally.copy();
    this.#named = named;
    this.parking.letGo();
  }

  #rules(): readonly ActiveRule[] {
    return [...this.#added, ...this.#scenario.rules];
  }

  #choose(at: RuleStage, exchange: Exchange, { due }: Circumstances): Struck {
    const waits: Wait[] = [];
    let wire: Fault | undefined;
    const rules = this.#rules();
    for (const [index, rule] of rules.entries()) {
      if (rule.at !== at || !isNamed(rule.when, exchange)) continue;
      const step = this.#step(rule, exchange, due);
      if (step === undefined) continue;
      waits.push(...this.#waitsOf(rule, step));
      wire ??= dribbleOf(step.delay);
      const effect = effectOf(step);
      if (effect === undefined && step.pass !== true) continue;
      if (step.undocumented === true || (step.respond?.status ?? 0) >= 500)
        exchange.findings.push({
          key: "undocumentedReply",
          message: `${rule.id} answered ${step.respond?.status}.`,
        });
      this.#silenced.set(exchange, effect === undefined ? new Set(rules.slice(index + 1)) : "all");
      return { waits, effect: effect === undefined ? undefined : sentBy(wire, effect) };
    }
    return { waits, effect: wire === undefined ? undefined : { kind: "fault", fault: wire } };
  }

  /** The step that the rule takes on this exchange, counted and noted; undefined when it steps aside. */
  #step(rule: ActiveRule, exchange: Exchange, due: Circumstances["due"]): Step | undefined {
    const { id, when, since } = rule;
    const skip = (why: string): undefined => void exchange.rules.push({ rule: id, outcome: "skipped", why });
    const silenced = this.#silenced.get(exchange);
    if (silenced instanceof Set && silenced.has(rule)) return skip("an earlier rule lets the service answer");
    if (silenced === "all" && answers(rule.rule.then)) return skip("another rule has answered");
    const mismatched = whyNot(when, exchange);
    if (mismatched !== undefined) return skip(mismatched);
    const mutates = stepsOf(rule.rule).some(({ mutate }) => mutate !== undefined);
    if (mutates && (due === undefined || due.status >= 300))
      return skip("there is no reply of success to change");

    const caller = rule.rule.limit?.per === "user" ? (exchange.identity ?? "") : "";
    const { acts, why, count } = draw(rule.rule.limit ?? {}, this.#tally.of(id, caller), {
      now: exchange.at,
      since,
      fraction: (hit) => this.#world.random.fraction("chance", id, caller, hit),
    });
    this.#tally.set(id, caller, count);
    if (!acts) return skip(why);
    const step = stepAt(rule, count.acted);
    if (step === undefined) {
      this.#tally.set(id, caller, { ...count, acted: count.acted - 1 });
      return skip("its sequence has ended");
    }
    exchange.rules.push({ rule: id, outcome: "applied", why });
    return step;
  }

  #waitsOf(rule: ActiveRule, step: Step): Wait[] {
    const waits: Wait[] = [];
    if (step.advance !== undefined) waits.push({ kind: "advance", by: step.advance });
    if (step.hold !== undefined) waits.push({ kind: "hold", gate: step.hold });
    if (step.delay === undefined) return waits;
    const ms = delayMs(step.delay, (part) =>
      this.#world.random.fraction("delay", rule.id, this.#tally.total(rule.id).matched, part),
    );
    if (ms > 0) waits.push({ kind: step.clock === "virtual" ? "later" : "pause", delayMs: ms });
    return waits;
  }

  async #wait(wait: Wait, exchange: Exchange, signal: AbortSignal | undefined): Promise<boolean> {
    switch (wait.kind) {
      case "hold":
        return this.parking.hold(wait.gate, exchange.seq, signal);
      case "later":
        return this.parking.untilLater(wait.delayMs, exchange.seq, signal);
      case "pause":
        return this.parking.pause(wait.delayMs, signal);
      case "advance":
        await this.#world.clock.advance(wait.by);
        return true;
    }
  }
}
