/** Lint rule for clients that read a list, and then each of its items with a separate request. */

import type { LintRule } from "../lint-rule.ts";
import { getCallKey, groupBy } from "../traffic.ts";

const MIN_SINGLE_READS = 5;

export const itemByItem: LintRule = {
  key: "itemByItem",
  severity: "warning",
  title: "Reads a list, then each of its items (N+1)",
  *find(traffic) {
    const reads = traffic.listReads();
    const items = reads.filter(({ target }) => /\/\{\w+\}$/.test(target.operation.path));
    for (const group of groupBy(items, ({ exchange }) => getCallKey(exchange))) {
      const collection = group[0]?.target.operation.path.replace(/\/\{\w+\}$/, "");
      const list = reads.find(
        ({ exchange, target }) =>
          target.operation.path === collection && exchange.environment === group[0]?.exchange.environment,
      )?.exchange;
      if (list === undefined) continue;
      const after = group.map(({ exchange }) => exchange).filter(({ seq }) => seq > list.seq);
      // Keeps only the first read of each item.
      const single = after.filter((read, at) => after.findIndex(({ path }) => path === read.path) === at);
      if (single.length >= MIN_SINGLE_READS)
        yield {
          exchanges: [list, ...single],
          advice: `Use the items in the list of ${collection}: they have all fields, so ${single.length} requests are not necessary.`,
        };
    }
  },
};
