// Owns what a rule of the linter is: what it looks for in a client's traffic, and how what it found is put.

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Traffic } from "./traffic.ts";

/** `error`: breaks against the real service. `warning`: costs, or breaks some day. `hint`: could be better. */
export type Severity = "error" | "warning" | "hint";

/** The exchanges that show a habit, in order of arrival, and what to do about it in one sentence. */
export type Evidence = { readonly exchanges: readonly RecordedExchange[]; readonly advice: string };

export type LintRule = {
  /** Stable: `retryAfterIgnored`. */
  readonly key: string;
  readonly severity: Severity;
  /** What the client does. */
  readonly title: string;
  readonly find: (traffic: Traffic) => readonly Evidence[];
};
