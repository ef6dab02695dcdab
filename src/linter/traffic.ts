// Owns the exchanges of a journal as the rules of the linter see them: with the operation each met, who called, which
// token was shown, whether an answer reached the client and how long it waited. Knows no rule.

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import { type NamedOperation, namedOperations, type Service } from "../operation/service.ts";
import { arrivesWhole } from "../rules/effect.ts";

export type Target = NamedOperation;

/** The mark that stands for a secret; equal secrets have equal marks. */
const MARK = /\[cut \d+ characters[^\]]*]/;

export class Traffic {
  /** In order of arrival. */
  readonly exchanges: readonly RecordedExchange[];
  readonly #targets: ReadonlyMap<string, Target>;

  constructor(exchanges: readonly RecordedExchange[], services: readonly Service[]) {
    this.exchanges = exchanges;
    this.#targets = new Map(namedOperations(services).map((target) => [target.name, target]));
  }

  /** The operation an exchange met. */
  targetOf({ operation = "" }: RecordedExchange): Target | undefined {
    return this.#targets.get(operation);
  }

  /** The exchanges that met an operation, with it. */
  targeted(): { readonly exchange: RecordedExchange; readonly target: Target }[] {
    return this.exchanges.flatMap((exchange) => {
      const target = this.targetOf(exchange);
      return target === undefined ? [] : [{ exchange, target }];
    });
  }

  /** True for an operation that hands out tokens to those who have none. */
  isLogin(exchange: RecordedExchange): boolean {
    const operation = this.targetOf(exchange)?.operation;
    if (operation === undefined || operation.security !== "none") return false;
    return Object.values(operation.responses).some(
      (schema) => "shape" in schema && Object.hasOwn(schema.shape as object, "token"), // only object schemas have one
    );
  }

  /** What lies between two exchanges, both left out. */
  between(one: RecordedExchange, other: RecordedExchange): readonly RecordedExchange[] {
    return this.exchanges.filter(({ seq }) => seq > one.seq && seq < other.seq);
  }
}

/** The same method, address and body. */
function requestKey({ method, environment, path, search, requestText }: RecordedExchange): string {
  return JSON.stringify([method, environment, path, search, requestText]);
}

/** Runs of equal requests by one caller, in order; other requests may lie between. */
export function repetitions(exchanges: readonly RecordedExchange[]): RecordedExchange[][] {
  return groups(exchanges, (exchange) => `${callerOf(exchange)} ${requestKey(exchange)}`).filter(
    (group) => group.length > 1,
  );
}

export function groups<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [item]);
    else group.push(item);
  }
  return [...byKey.values()];
}

/** Who called, as far as one can tell. */
export function callerOf({ identity, headers }: RecordedExchange): string {
  return identity ?? headers["authorization"] ?? "";
}

/** The mark of the bearer token that a request showed. */
export function tokenOf({ headers }: RecordedExchange): string | undefined {
  const { authorization = "" } = headers;
  return /^bearer/i.test(authorization) ? MARK.exec(authorization)?.[0] : undefined;
}

/** The mark of the token that a login handed out. */
export function tokenGiven({ responseBody = "" }: RecordedExchange): string | undefined {
  return MARK.exec(responseBody)?.[0];
}

/** Whether the client got an answer at all. */
export function wasAnswered({ fault }: RecordedExchange): boolean {
  return arrivesWhole(fault);
}

/** Failed for a reason that may pass: no answer, 429, or the server's own fault. */
export function failedForNow(exchange: RecordedExchange): boolean {
  const { status = 0 } = exchange;
  return !wasAnswered(exchange) || status === 429 || status >= 500;
}

/** How long the client waited before the second exchange: by the sandbox's clock or, where that stood, by the wall's. */
export function waitedMs(one: RecordedExchange, other: RecordedExchange): number {
  const simulated = Date.parse(other.at) - Date.parse(one.at);
  const { startedMs, durationMs = 0 } = one;
  const wall =
    startedMs === undefined || other.startedMs === undefined ? 0 : other.startedMs - startedMs - durationMs;
  return Math.max(simulated, wall);
}

/** The JSON of a text, or undefined: what was cut short is no JSON. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // JSON.parse throws for nothing but a text that is no JSON
  }
}
