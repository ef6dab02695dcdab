/** Lint rule for reading a collection's items one by one although the list contained them all. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { Evidence, LintRule } from "../lint-rule.ts";
import { callerOf, groups } from "../traffic.ts";

const MANY = 5;

export const itemByItem: LintRule = {
  key: "itemByItem",
  severity: "warning",
  title: "Reads a list, then each of its items (N+1)",
  find(traffic) {
    const reads = traffic
      .targeted()
      .filter(({ exchange }) => exchange.method === "GET" && exchange.status === 200);
    const items = reads.filter(({ target }) => /\/\{\w+\}$/.test(target.operation.path));
    const byOperation = groups(items, ({ exchange }) =>
      [exchange.operation, exchange.environment, callerOf(exchange)].join(" "),
    );
    return byOperation.flatMap((group): Evidence[] => {
      const collection = group[0]?.target.operation.path.replace(/\/\{\w+\}$/, "");
      const list = reads.find(
        ({ exchange, target }) =>
          target.operation.path === collection && exchange.environment === group[0]?.exchange.environment,
      )?.exchange;
      if (list === undefined) return [];
      const single = distinct(group.map(({ exchange }) => exchange).filter(({ seq }) => seq > list.seq));
      if (single.length < MANY) return [];
      return [
        {
          exchanges: [list, ...single],
          advice: `Use the items as the list of ${collection} has them: it carries every field, so ${single.length} reads can go.`,
        },
      ];
    });
  },
};

/** The first read of each item. */
function distinct(reads: readonly RecordedExchange[]): RecordedExchange[] {
  return reads.filter((read, index) => reads.findIndex(({ path }) => path === read.path) === index);
}
