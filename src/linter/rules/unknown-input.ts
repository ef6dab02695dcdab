/** Lint rules for malformed ids, and for fields and parameters that the service does not document. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { LintRule } from "../lint-rule.ts";
import { groupBy } from "../traffic.ts";

export const unknownInput: LintRule = {
  key: "unknownInput",
  severity: "warning",
  title: "Sends fields or parameters that the service does not have",
  *find(traffic) {
    const noted = traffic
      .findMatches({ finding: "unknown*" })
      .flatMap((exchange) =>
        exchange.findings
          .filter(({ key }) => key === "unknownField" || key === "unknownQuery")
          .map(({ message }) => ({ exchange, message })),
      );
    for (const group of groupBy(noted, ({ message }) => message))
      yield {
        exchanges: group.map(({ exchange }) => exchange),
        advice: `Remove it or correct its name, because it has no effect: ${group[0]?.message}`,
      };
  },
};

export const doubleEncodedId: LintRule = {
  key: "doubleEncodedId",
  severity: "error",
  title: "Escapes an id twice, or sends an IRI as an id",
  *find(traffic) {
    const twice = traffic.findMatches({ path: { $regex: "(?i)%25[0-9a-f]{2}" } });
    const isTwice = (exchange: RecordedExchange): boolean => twice.includes(exchange);
    const wrong = traffic.exchanges.filter(
      (exchange) =>
        isTwice(exchange) || Object.values(exchange.params).some((value) => String(value).includes("/")),
    );
    for (const exchanges of groupBy(wrong, (exchange) => `${exchange.operation} ${isTwice(exchange)}`))
      yield {
        exchanges,
        advice: exchanges.some(isTwice)
          ? "Escape an id exactly once when it is put into a path."
          : "An `@id` is already a whole path: request it unchanged, or use the field `uuid` as the id.",
      };
  },
};
