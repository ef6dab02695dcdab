/** Lint rule for ids that were escaped once too often, and for whole IRIs in place of an id. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { Evidence, LintRule } from "../lint-rule.ts";
import { groups } from "../traffic.ts";

export const doubleEncodedId: LintRule = {
  key: "doubleEncodedId",
  severity: "error",
  title: "Escapes an id twice, or sends an IRI as an id",
  find(traffic) {
    const wrong = traffic.exchanges.filter(
      ({ path, params }) =>
        /%25[0-9a-f]{2}/i.test(path) || Object.values(params).some((value) => String(value).includes("/")),
    );
    const twice = ({ path }: RecordedExchange): boolean => /%25[0-9a-f]{2}/i.test(path);
    return groups(wrong, (exchange) => `${exchange.operation} ${twice(exchange)}`).map(
      (exchanges): Evidence => ({
        exchanges,
        advice: exchanges.some(twice)
          ? "Escape an id exactly once when it is put into a path."
          : "An `@id` is the whole path already: call it as it is, or use the `uuid` field as the id.",
      }),
    );
  },
};
