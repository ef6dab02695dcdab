/** Type of lint rules. Each lint rule searches the exchanges of a client for one kind of mistake. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Traffic } from "./traffic.ts";

/** `error`: the client fails against the real service. `warning`: it wastes requests or may fail later. `hint`: it could be better. */
export type Severity = "error" | "warning" | "hint";

/** The exchanges that show the mistake, in order of arrival, and one sentence of advice. */
type Evidence = { readonly exchanges: readonly RecordedExchange[]; readonly advice: string };

export type LintRule = {
  /** Stable name, such as `retryAfterIgnored`. */
  readonly key: string;
  readonly severity: Severity;
  /** Behavior of the client, such as "Retries many times without growing pauses". */
  readonly title: string;
  readonly find: (traffic: Traffic) => Iterable<Evidence>;
};
