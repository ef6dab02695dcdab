/** Selects and applies the rules of an exchange. Selection is synchronous, so that it counts parallel requests exactly. */

import type { Exchange } from "../http/exchange.ts";
import type { GetSettings, Service } from "../operation/service.ts";
import type { World } from "../world/world.ts";
import { type Action, canRespond, toEffect, withWireFault } from "./action.ts";
import { type ActiveRule, ActiveRules, type RulesSnapshot } from "./active-rules.ts";
import { computeDelayMs, toDribble } from "./delay.ts";
import { breaksReply, type Effect, type Fault, respondAsSandbox } from "./effect.ts";
import { Gates, type Wait, type WaitKind } from "./gates.ts";
import { applyLimit } from "./limit.ts";
import { explainMismatch, matchesTarget } from "./matcher.ts";
import { rejectRemovedHeader, toPreferredEffect } from "./one-off.ts";
import { listActions, type RuleStage, selectAction } from "./rule.ts";

/** The service's response, which rules at stage `response` can change. */
type DueReply = { readonly status: number } | undefined;
/** `signal` aborts when the client disconnects. */
type ClientSignal = { readonly signal: AbortSignal } | undefined;

type RuleDecision = { readonly waits: readonly Wait[]; readonly effect: Effect | undefined };

/** An exchange lists skipped rules only while its list has fewer entries than this. It always lists applied rules. */
const MAX_TRACES = 50;

export class Rules extends ActiveRules {
  readonly gates: Gates;
  readonly #services: readonly Service[];
  readonly #settingsOf: GetSettings;
  /** Rules to skip, because an earlier rule has `pass`. `all`: every rule that can respond, because a rule or `Prefer` responded. */
  readonly #suppressed = new WeakMap<Exchange, ReadonlySet<ActiveRule> | "all">();
  /** Faults that a `Prefer` header requests and that need a response. They apply at stage `response`. */
  readonly #deferred = new WeakMap<Exchange, Effect>();
  /** Exchanges with a canceled wait or a disconnected client. No rule applies to them. */
  readonly #cancelled = new WeakSet<Exchange>();
  /** Called with each exchange when a rule makes it wait. */
  onWait: ((exchange: Exchange) => void) | undefined;

  constructor(world: World, services: readonly Service[], settingsOf: GetSettings) {
    super(world);
    this.#services = services;
    this.#settingsOf = settingsOf;
    this.gates = new Gates(world);
  }

  /** Returns the effect of the first rule that responds at this stage, or a promise of it if the exchange must wait first. */
  apply(
    at: RuleStage,
    exchange: Exchange,
    due?: DueReply,
    client?: ClientSignal,
  ): Effect | undefined | Promise<Effect | undefined> {
    const preferred = this.findPreferred(at, exchange);
    if (preferred !== undefined) return preferred;
    if (this.#isEmpty) return undefined;
    if (this.#cancelled.has(exchange)) return undefined;
    const { waits, effect } = this.#choose(at, exchange, due);
    return waits.length === 0 ? effect : this.#awaitAll(waits, effect, exchange, client);
  }

  /** Returns the effect of the request's `Prefer` header. Faults that need a response apply at stage `response`. */
  findPreferred(at: RuleStage, exchange: Exchange): Effect | undefined {
    const effect = this.#readPreferred(at, exchange);
    const why = "the request has a Prefer header";
    if (effect !== undefined) exchange.rules.push({ rule: "request", outcome: "applied", why });
    return effect;
  }

  #readPreferred(at: RuleStage, exchange: Exchange): Effect | undefined {
    if (at === "response") return this.#deferred.get(exchange);
    const { headers } = exchange;
    if (at === "edge") return headers.has("x-vitrine-respond") ? rejectRemovedHeader() : undefined;
    if (!headers.has("prefer")) return undefined;
    const effect = toPreferredEffect(exchange, this.#services, this.#settingsOf);
    if (effect === undefined) return undefined;
    this.#suppressed.set(exchange, "all");
    if (effect.kind !== "fault" || !breaksReply(effect.fault.kind)) return effect;
    this.#deferred.set(exchange, effect);
    return undefined;
  }

  async #awaitAll(
    waits: readonly Wait[],
    effect: Effect | undefined,
    exchange: Exchange,
    client: ClientSignal,
  ): Promise<Effect | undefined> {
    for (const wait of waits) {
      const full = "500 requests are waiting already. Release a gate, or advance the clock.";
      if (!this.gates.hasRoom) return respondAsSandbox(503, full);
      exchange.waits = wait.why;
      const passing = this.gates.wait(wait, exchange.seq, client?.signal);
      this.onWait?.(exchange);
      const passed = await passing;
      exchange.waits = undefined;
      // After a reset, the request must not continue in the new state of the world.
      if (!passed) {
        this.#cancelled.add(exchange);
        return respondAsSandbox(503, "The world was reset or closed while this request waited.");
      }
      if (client?.signal.aborted) {
        this.#cancelled.add(exchange);
        return { kind: "gone" };
      }
    }
    return effect;
  }

  /** Fast path for worlds without rules, which are the most frequent. */
  override get canLoseReplies(): boolean {
    return !this.#isEmpty && super.canLoseReplies;
  }

  get #isEmpty(): boolean {
    return this.added.length === 0 && this.layers.length === 0;
  }

  /** Restores the rules and cancels every wait. */
  override restore(snapshot: RulesSnapshot): void {
    super.restore(snapshot);
    this.gates.cancelAll();
  }

  #choose(at: RuleStage, exchange: Exchange, due: DueReply): RuleDecision {
    const waits: Wait[] = [];
    let wire: Fault | undefined;
    const rules = this.rulesFor(exchange.operation);
    for (const [index, rule] of rules.entries()) {
      if (rule.at !== at || !matchesTarget(rule.when, exchange)) continue;
      const action = this.#action(rule, exchange, due);
      if (action === undefined) continue;
      waits.push(...this.#collectWaits(rule, action));
      wire ??= toDribble(action.delay);
      const effect = toEffect(action);
      if (effect === undefined && action.pass !== true) continue;
      const { undocumented = false, respond: { status = 0 } = {} } = action;
      if (undocumented || status >= 500)
        exchange.findings.push({ key: "undocumentedReply", message: `Rule ${rule.id} sent ${status}.` });
      this.#suppressed.set(exchange, effect === undefined ? new Set(rules.slice(index + 1)) : "all");
      return { waits, effect: effect === undefined ? undefined : withWireFault(wire, effect) };
    }
    return { waits, effect: wire === undefined ? undefined : { kind: "fault", fault: wire } };
  }

  /** Updates the rule's counters and adds the reason to the exchange. Returns the action, or undefined if it skips the rule. */
  #action(rule: ActiveRule, exchange: Exchange, due: DueReply): Action | undefined {
    const { id, when, since } = rule;
    const skip = (why: string): undefined => {
      if (exchange.rules.length < MAX_TRACES) exchange.rules.push({ rule: id, outcome: "skipped", why });
    };
    if (rule.off === true) return skip("it is switched off");
    const suppressed = this.#suppressed.get(exchange);
    if (suppressed instanceof Set && suppressed.has(rule))
      return skip("an earlier rule lets the service respond");
    if (suppressed === "all" && canRespond(rule.rule.then)) return skip("another rule has responded");
    const mismatched = explainMismatch(when, exchange, this.#services);
    if (mismatched !== undefined) return skip(mismatched);
    const mutates = listActions(rule.rule).some(({ mutate }) => mutate !== undefined);
    if (mutates && (due === undefined || due.status >= 300))
      return skip("there is no successful response to change");

    const caller = rule.rule.limit?.per === "user" ? (exchange.user ?? "") : "";
    const { acts, why, count } = applyLimit(rule.rule.limit ?? {}, this.counters.of(id, caller), {
      now: exchange.at,
      since,
      fraction: (hit) => this.world.random.fraction("chance", id, caller, hit),
    });
    this.counters.set(id, caller, count);
    if (!acts) return skip(why);
    const action = selectAction(rule, count.acted);
    if (action === undefined) {
      this.counters.set(id, caller, { ...count, acted: count.acted - 1 });
      return skip("its sequence has ended");
    }
    exchange.rules.push({ rule: id, outcome: "applied", why });
    return action;
  }

  #collectWaits(rule: ActiveRule, action: Action): Wait[] {
    const waits: Wait[] = [];
    const add = (wait: WaitKind, label: string): void =>
      void waits.push({ ...wait, why: `${label}, rule ${rule.id}` });
    if (action.advance !== undefined)
      add({ kind: "advance", by: action.advance }, `advance ${action.advance}`);
    if (action.hold !== undefined) add({ kind: "hold", gate: action.hold }, `gate ${action.hold}`);
    if (action.delay === undefined) return waits;
    const ms = computeDelayMs(action.delay, (part) =>
      this.world.random.fraction("delay", rule.id, this.counters.total(rule.id).matched, part),
    );
    const kind = action.clock === "virtual" ? "later" : "pause";
    if (ms > 0) add({ kind, delayMs: ms }, `${kind === "later" ? "virtual delay" : "delay"} ${ms} ms`);
    return waits;
  }
}
