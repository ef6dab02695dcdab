/** Counts how often each rule matched and applied. Counts each caller separately if the rule has `per: "user"`. */

import { NO_COUNT, type RuleCount } from "./limit.ts";

/** The version number that was assigned last. All RuleCounters share it, so that no two versions are equal. */
let lastVersion = 0;

/** Counts by rule, then by caller. The caller is an empty string if the rule counts all callers together. */
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

  /** Number that differs after every change of a count. Data stores compare it to detect changes. */
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

  /** Returns the sum of the counts of all callers. */
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
