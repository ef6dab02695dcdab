/** The exchanges that a journal had to drop: how many of each kind, which is all that is left of them. */

import { NO_HEADERS } from "../operation/asked.ts";
import type { Exchange } from "../operation/exchange.ts";
import { decide, type Matchable, type Matcher } from "../rules/matcher.ts";

/** Those of one kind: an outline of one, how many there were, and the highest number. */
type Kind = { readonly outline: Matchable; count: number; lastSeq: number };

export class Evicted {
  readonly #kinds = new Map<string, Kind>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ seq, at, method, path, service, environment, operation, status, problem }: Exchange): void {
    this.#count += 1;
    const name = `${environment} ${operation} ${status} ${problem}`;
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      const known = { seq, at, method, path, service, environment, operation, status, problem };
      const lost = { search: "", headers: NO_HEADERS, params: {}, query: {}, rules: [], findings: [] };
      kind = { outline: { ...known, ...lost }, count: 0, lastSeq: 0 };
      this.#kinds.set(name, kind);
    }
    kind.count += 1;
    kind.lastSeq = Math.max(kind.lastSeq, seq);
  }

  /** How many may have matched. */
  possibly({ operation, service, environment, status, problem, after = 0 }: Matcher): number {
    const known = { operation, service, environment, status, problem };
    let count = 0;
    for (const kind of this.#kinds.values())
      if (kind.lastSeq > after && decide(known, kind.outline, []) === "matches") count += kind.count;
    return count;
  }
}
