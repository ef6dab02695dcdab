/** Lint rules: each one searches the traffic of a client for a problem. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Traffic } from "./traffic.ts";

/** `error`: fails against the real service. `warning`: wasteful, or may fail later. `hint`: could be better. */
export type Severity = "error" | "warning" | "hint";

/** Exchanges of a finding in order of arrival, and one sentence of advice. */
type Evidence = { readonly exchanges: readonly RecordedExchange[]; readonly advice: string };

export type LintRule = {
  /** Stable name, such as `retryAfterIgnored`. */
  readonly key: string;
  readonly severity: Severity;
  /** Behavior of the client, such as "Retries many times without growing pauses". */
  readonly title: string;
  readonly find: (traffic: Traffic) => Iterable<Evidence>;
};
