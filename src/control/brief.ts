/** Renders responses as brief text with one line per entry, like the output of the CLI. */

import type { z } from "zod";
import { toLine, toLines } from "../errors/line.ts";
import { coverageReports } from "../journal/coverage-report.ts";
import { describeCapsule, describeExchange } from "../journal/describe-capsule.ts";
import type { OperationView } from "../sandbox/views.ts";
import { OperationList } from "./schemas/catalogue.ts";
import { CapsuleView, CoverageView, ExchangeList } from "./schemas/journal.ts";

/** Formatters of the brief text, by the schema of the response. */
export const briefViews = new Map<z.ZodType, (answer: never) => string>([
  [ExchangeList, (exchanges) => formatList(exchanges, describeExchange)],
  [OperationList, (operations) => formatList(operations, describeOperation)],
  [CoverageView, (data) => toLines(coverageReports.text(data))],
  [CapsuleView, (capsule) => toLines(describeCapsule(capsule))],
]);

function formatList<T>(entries: readonly T[], describe: (entry: T) => string): string {
  return entries.map((entry) => `${toLine(describe(entry))}\n`).join("");
}

/** Example: `museum.getMuseumHours GET /museum-hours: Get museum hours · 200 · 400 invalidInput` */
function describeOperation({ name, method, path, summary, outcomes }: OperationView): string {
  const answers = outcomes.map(({ status, problem = "" }) => `${status} ${problem}`.trimEnd());
  return [`${name} ${method} ${path}: ${summary}`, ...answers].join(" · ");
}
