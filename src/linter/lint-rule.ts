/** What a lint rule is: what it looks for in a client's traffic, and how its findings are reported. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Traffic } from "./traffic.ts";

/** `error`: breaks against the real service. `warning`: wasteful, or will break some day. `hint`: could be better. */
export type Severity = "error" | "warning" | "hint";

/** The exchanges that show a finding, in order of arrival, and one sentence of advice. */
type Evidence = { readonly exchanges: readonly RecordedExchange[]; readonly advice: string };

export type LintRule = {
  /** Stable: `retryAfterIgnored`. */
  readonly key: string;
  readonly severity: Severity;
  /** What the client does. */
  readonly title: string;
  readonly find: (traffic: Traffic) => Iterable<Evidence>;
};
