/** Applies all lint rules to the exchanges of a journal. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Service } from "../operation/service.ts";
import type { LintView as AnyFinding } from "../sandbox/views.ts";
import type { LintRule, Severity } from "./lint-rule.ts";
import { credentialsInQuery, credentialsUnready, wrongServiceToken } from "./rules/credentials.ts";
import { expiredTokenReused, loginTooOften, tokenKeptPastExp } from "./rules/logins.ts";
import { acceptUnclear, contentTypeWrong } from "./rules/media.ts";
import { pagingByHand, pagingIgnored } from "./rules/paging.ts";
import { itemByItem } from "./rules/reads.ts";
import {
  refusalRepeated,
  repeatedAtOnce,
  retryAfterIgnored,
  retryStorm,
  writeRetriedUnchecked,
} from "./rules/retries.ts";
import { doubleEncodedId, unknownInput } from "./rules/unknown-input.ts";
import { Traffic } from "./traffic.ts";

export type LintFinding = AnyFinding & { readonly severity: Severity };

export const lintRules: readonly LintRule[] = [
  loginTooOften,
  tokenKeptPastExp,
  expiredTokenReused,
  retryAfterIgnored,
  retryStorm,
  writeRetriedUnchecked,
  repeatedAtOnce,
  refusalRepeated,
  pagingIgnored,
  pagingByHand,
  itemByItem,
  acceptUnclear,
  contentTypeWrong,
  unknownInput,
  credentialsInQuery,
  credentialsUnready,
  wrongServiceToken,
  doubleEncodedId,
];

/** Returns the findings of all lint rules, sorted by the first exchange of each finding. */
export function lint(exchanges: readonly RecordedExchange[], services: readonly Service[]): LintFinding[] {
  const traffic = new Traffic(exchanges, services);
  const findings = lintRules.flatMap(({ key, severity, title, find }) =>
    Array.from(find(traffic), ({ exchanges, advice }) => {
      return { rule: key, severity, title, exchanges: exchanges.map(({ seq }) => seq), advice };
    }),
  );
  return findings.sort((a, b) => (a.exchanges[0] ?? 0) - (b.exchanges[0] ?? 0));
}
