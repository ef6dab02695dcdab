/** Queries on the exchanges of a journal, for lint rules. */

import { type RecordedExchange, toMatchable } from "../journal/recorded-exchange.ts";
import { listOperations, type NamedOperation, type Service } from "../operation/service.ts";
import { arrivesWhole } from "../rules/effect.ts";
import type { Matcher } from "../rules/grammar.ts";
import { decide } from "../rules/judge.ts";
import type { Matchable } from "../rules/matcher.ts";

/** Matches the mark that the journal shows in place of a secret. Equal secrets have equal marks. */
const SECRET_MARK = /\[redacted #\d+]/;

export type TargetedExchange = { readonly exchange: RecordedExchange; readonly target: NamedOperation };

export class Traffic {
  /** Exchanges in order of arrival. */
  readonly exchanges: readonly RecordedExchange[];
  readonly #targets: ReadonlyMap<string, NamedOperation>;
  readonly #services: readonly Service[];
  readonly #matchables: readonly Matchable[];

  constructor(exchanges: readonly RecordedExchange[], services: readonly Service[]) {
    this.exchanges = exchanges;
    this.#services = services;
    this.#matchables = exchanges.map(toMatchable);
    this.#targets = new Map(listOperations(services).map((target) => [target.name, target]));
  }

  lookUpTarget({ operation = "" }: RecordedExchange): NamedOperation | undefined {
    return this.#targets.get(operation);
  }

  withTargets(exchanges = this.exchanges): TargetedExchange[] {
    return exchanges.flatMap((exchange) => {
      const target = this.lookUpTarget(exchange);
      return target === undefined ? [] : [{ exchange, target }];
    });
  }

  findMatches(matcher: Matcher): readonly RecordedExchange[] {
    return this.exchanges.filter((_exchange, index) => {
      const matchable = this.#matchables[index];
      return matchable !== undefined && decide(matcher, matchable, this.#services) === "matches";
    });
  }

  listReads(): TargetedExchange[] {
    return this.withTargets(this.findMatches({ method: "GET", status: 200 }));
  }

  /** Whether the operation returns a token and needs no authentication. */
  isLogin(exchange: RecordedExchange): boolean {
    const operation = this.lookUpTarget(exchange)?.operation;
    if (operation === undefined || operation.security !== "none") return false;
    return Object.values(operation.responses).some(
      (schema) => "shape" in schema && Object.hasOwn(schema.shape as object, "token"), // Safe cast: only z.object() has a `shape`.
    );
  }

  /** Lists the exchanges between two others, both excluded. */
  listBetween(first: RecordedExchange, last: RecordedExchange): readonly RecordedExchange[] {
    return this.exchanges.filter(({ seq }) => seq > first.seq && seq < last.seq);
  }
}

/** Groups requests of one caller that have the same method, URL and body. Omits requests that occur only once. */
export function findRepetitions(exchanges: readonly RecordedExchange[]): RecordedExchange[][] {
  const equal = groupBy(exchanges, (exchange) => {
    const { method, environment, path, search, requestText } = exchange;
    return JSON.stringify([getCaller(exchange), method, environment, path, search, requestText]);
  });
  return equal.filter((group) => group.length > 1);
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [item]);
    else group.push(item);
  }
  return [...byKey.values()];
}

export function getCaller({ user, headers }: RecordedExchange): string {
  return user ?? headers["authorization"] ?? "";
}

/** Returns the same key for all requests that one caller sends to one operation. */
export function getCallKey(exchange: RecordedExchange): string {
  return [exchange.operation, exchange.environment, getCaller(exchange)].join(" ");
}

/** Returns the mark that replaces the bearer token of a request. */
export function getTokenMark({ headers }: RecordedExchange): string | undefined {
  const { authorization = "" } = headers;
  return /^bearer/i.test(authorization) ? SECRET_MARK.exec(authorization)?.[0] : undefined;
}

export function getIssuedMark({ responseBody = "" }: RecordedExchange): string | undefined {
  return SECRET_MARK.exec(responseBody)?.[0];
}

export function isAnswered({ status, fault }: RecordedExchange): boolean {
  return status !== undefined && arrivesWhole(fault);
}

/** Whether the exchange failed for a reason that may be temporary: no complete response, 429 or a server error. */
export function isTransientFailure(exchange: RecordedExchange): boolean {
  const { status = 0 } = exchange;
  return !isAnswered(exchange) || status === 429 || status >= 500;
}

/** Returns the time between two exchanges: by the sandbox's clock or the wall clock, whichever is longer. */
export function getWaitMs(first: RecordedExchange, next: RecordedExchange): number {
  const simulated = Date.parse(next.at) - Date.parse(first.at);
  if (first.startedMs === undefined || next.startedMs === undefined) return Math.max(simulated, 0);
  return Math.max(simulated, next.startedMs - first.startedMs - (first.durationMs ?? 0));
}

/** Returns undefined for invalid JSON, such as a truncated body. */
export function tryParseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
