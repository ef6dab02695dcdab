/** Counts dropped exchanges by environment, operation, status and problem. So a query knows how many may have matched. */

import { type Exchange, openExchange } from "../http/exchange.ts";
import { NO_HEADERS } from "../http/incoming-request.ts";
import type { Matcher } from "../rules/grammar.ts";
import { decide } from "../rules/judge.ts";
import { type JournalHead, readExchange, writeExchange } from "./journal-record.ts";

/** Dropped exchanges with equal environment, operation, status and problem. `outline` copies the first, without its details. */
type EvictedKind = { readonly outline: Exchange; count: number; lastSeq: number };

export class EvictedExchanges {
  readonly #kinds = new Map<string, EvictedKind>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(exchange: Exchange): void {
    const name = formatKind(exchange);
    const known = this.#kinds.get(name);
    this.#put(name, { outline: known?.outline ?? buildOutline(exchange), count: 1, lastSeq: exchange.seq });
  }

  toRecord(): JournalHead["evicted"] {
    return Array.from(this.#kinds.values(), ({ outline, ...counts }) => ({
      kind: writeExchange(outline),
      ...counts,
    }));
  }

  restore(kinds: JournalHead["evicted"]): void {
    for (const { kind, ...counts } of kinds) {
      const outline = readExchange(kind);
      this.#put(formatKind(outline), { outline, ...counts });
    }
  }

  #put(name: string, { outline, count, lastSeq }: Readonly<EvictedKind>): void {
    this.#count += count;
    const kind = this.#kinds.get(name) ?? { outline, count: 0, lastSeq: 0 };
    kind.count += count;
    kind.lastSeq = Math.max(kind.lastSeq, lastSeq);
    this.#kinds.set(name, kind);
  }

  countPossible({ operation, service, environment, status, problem, state, after = 0 }: Matcher): number {
    const known = { operation, service, environment, status, problem, state };
    let count = 0;
    for (const kind of this.#kinds.values())
      if (kind.lastSeq > after && decide(known, kind.outline, []) === "matches") count += kind.count;
    return count;
  }
}

function formatKind({ environment, operation, status, problem }: Exchange): string {
  return `${environment} ${operation} ${status} ${problem}`;
}

/** Copies an exchange without its large and secret parts. */
function buildOutline({ status, problem, ...exchange }: Exchange): Exchange {
  const { seq, world, at, method, path, service, environment, operation } = exchange;
  const named = { seq, world, at, method, path, service, environment, operation };
  const empty = { base: "", origin: "", search: "", headers: NO_HEADERS, params: {} };
  return { ...openExchange({ ...named, ...empty }), state: "ended", status, problem };
}
