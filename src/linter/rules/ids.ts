/** Lint rule for ids that were escaped once too often, and for whole IRIs in place of an id. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { LintRule } from "../lint-rule.ts";
import { groups } from "../traffic.ts";

export const doubleEncodedId: LintRule = {
  key: "doubleEncodedId",
  severity: "error",
  title: "Escapes an id twice, or sends an IRI as an id",
  *find(traffic) {
    const twice = ({ path }: RecordedExchange): boolean => /%25[0-9a-f]{2}/i.test(path);
    const wrong = traffic.exchanges.filter(
      (exchange) =>
        twice(exchange) || Object.values(exchange.params).some((value) => String(value).includes("/")),
    );
    for (const exchanges of groups(wrong, (exchange) => `${exchange.operation} ${twice(exchange)}`))
      yield {
        exchanges,
        advice: exchanges.some(twice)
          ? "Escape an id exactly once when it is put into a path."
          : "An `@id` is the whole path already: call it as it is, or use the `uuid` field as the id.",
      };
  },
};
