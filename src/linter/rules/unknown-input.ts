/** Lint rule for undocumented fields and parameters: the service ignores them, so they have no effect. */

import type { LintRule } from "../lint-rule.ts";
import { groups } from "../traffic.ts";

export const unknownInput: LintRule = {
  key: "unknownInput",
  severity: "warning",
  title: "Sends fields or parameters that the service does not know",
  *find(traffic) {
    const noted = traffic
      .matching({ finding: "unknown*" })
      .flatMap((exchange) =>
        exchange.findings
          .filter(({ key }) => key === "unknownField" || key === "unknownQuery")
          .map(({ message }) => ({ exchange, message })),
      );
    for (const group of groups(noted, ({ message }) => message))
      yield {
        exchanges: group.map(({ exchange }) => exchange),
        advice: `Leave it out or correct its name, it has no effect: ${group[0]?.message}`,
      };
  },
};
