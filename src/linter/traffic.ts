/** The exchanges of a journal as lint rules see them. */

import { type RecordedExchange, toMatchable } from "../journal/recorded-exchange.ts";
import { listOperations, type NamedOperation, type Service } from "../operation/service.ts";
import { arrivesWhole } from "../rules/effect.ts";
import type { Matcher } from "../rules/grammar.ts";
import { decide } from "../rules/judge.ts";
import type { Matchable } from "../rules/matcher.ts";

/** The mark in place of a secret; equal secrets have equal marks. */
const SECRET_MARK = /\[redacted #\d+]/;

/** An exchange and the operation that it met. */
export type TargetedExchange = { readonly exchange: RecordedExchange; readonly target: NamedOperation };

export class Traffic {
  /** In order of arrival. */
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

  /** Those that read something with success. */
  listReads(): TargetedExchange[] {
    return this.withTargets(this.findMatches({ method: "GET", status: 200 }));
  }

  /** Whether it met an operation that issues tokens to unauthenticated callers. */
  isLogin(exchange: RecordedExchange): boolean {
    const operation = this.lookUpTarget(exchange)?.operation;
    if (operation === undefined || operation.security !== "none") return false;
    return Object.values(operation.responses).some(
      (schema) => "shape" in schema && Object.hasOwn(schema.shape as object, "token"), // only object schemas have one
    );
  }

  /** The exchanges between two others, both excluded. */
  listBetween(one: RecordedExchange, other: RecordedExchange): readonly RecordedExchange[] {
    return this.exchanges.filter(({ seq }) => seq > one.seq && seq < other.seq);
  }
}

/** Groups of requests by one caller with the same method, address and body; others may come in between. */
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

/** Equal for calls of one operation by one caller. */
export function getCallKey(exchange: RecordedExchange): string {
  return [exchange.operation, exchange.environment, getCaller(exchange)].join(" ");
}

/** The mark of the bearer token that a request carried. */
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

/** Whether it failed for a temporary reason: no answer, 429 or a server error. */
export function isTransientFailure(exchange: RecordedExchange): boolean {
  const { status = 0 } = exchange;
  return !isAnswered(exchange) || status === 429 || status >= 500;
}

/** How long the client waited before the second exchange: by the sandbox's clock or, if frozen, by wall time. */
export function getWaitMs(one: RecordedExchange, other: RecordedExchange): number {
  const simulated = Date.parse(other.at) - Date.parse(one.at);
  if (one.startedMs === undefined || other.startedMs === undefined) return Math.max(simulated, 0);
  return Math.max(simulated, other.startedMs - one.startedMs - (one.durationMs ?? 0));
}

/** The value of a JSON text, or undefined if it is invalid, such as a truncated one. */
export function tryParseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // JSON.parse throws only for invalid JSON
  }
}
