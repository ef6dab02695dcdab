/** How often each rule matched and acted, counted per caller where a rule asks for that. */

import { NO_COUNT, type RuleCount } from "./limit.ts";

/** Of all counters together, so that two of them never have the same version. */
let lastVersion = 0;

/** All counts as plain data: by rule, then by caller; an empty name where all are counted together. */
export type RuleCountEntries = readonly (readonly [
  rule: string,
  counts: readonly (readonly [caller: string, RuleCount])[],
])[];

export class RuleCounters {
  readonly #counts = new Map<string, Map<string, RuleCount>>();
  #version = ++lastVersion;

  static of(entries: RuleCountEntries): RuleCounters {
    const counters = new RuleCounters();
    for (const [rule, counts] of entries) counters.#counts.set(rule, new Map(counts));
    return counters;
  }

  /** Changes whenever a count may have. */
  get version(): number {
    return this.#version;
  }

  of(rule: string, caller: string): RuleCount {
    return this.#counts.get(rule)?.get(caller) ?? NO_COUNT;
  }

  set(rule: string, caller: string, count: RuleCount): void {
    const counts = this.#counts.get(rule) ?? new Map<string, RuleCount>();
    this.#counts.set(rule, counts.set(caller, count));
    this.#version = ++lastVersion;
  }

  /** Over all callers. */
  total(rule: string): RuleCount {
    let total = NO_COUNT;
    for (const { matched, acted } of this.#counts.get(rule)?.values() ?? [])
      total = { matched: total.matched + matched, acted: total.acted + acted };
    return total;
  }

  forget(rule: string): void {
    this.#counts.delete(rule);
    this.#version = ++lastVersion;
  }

  entries(): RuleCountEntries {
    return [...this.#counts].map(([rule, counts]) => [rule, [...counts]]);
  }

  copy(): RuleCounters {
    return RuleCounters.of(this.entries());
  }
}
