/** Schemas of the request journal: queries, expectations, exchanges, reports and exports. */

import { z } from "zod";
import type { EventStrings } from "../../operation/service.ts";
import { MatcherSchema } from "../../rules/matcher-schema.ts";
import { createQuerySchema } from "../matcher-query.ts";
import { count, duration, flag, instant, list, model, text, texts } from "./parts.ts";

export const EventStream = z
  .custom<EventStrings>((value) => Symbol.asyncIterator in Object(value))
  .meta({ wire: { type: "string" } });

const { shape: matcher } = MatcherSchema();
export const JournalQuery = createQuerySchema(matcher);
export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .meta({ wire: { type: "integer" } });
export const JournalPageQuery = {
  limit: wholeNumber
    .optional()
    .meta({ description: "Maximum number of exchanges; the newest are returned." }),
  before: wholeNumber.optional().meta({ description: "Returns only exchanges with a smaller number." }),
  journal: z
    .string()
    .optional()
    .describe("Id of the journal, from the state. If the journal was replaced: 409 `journalChanged`."),
};
const TimesBounds = z.strictObject({
  min: count("Minimum number.").optional(),
  max: count("Maximum number.").optional(),
});
const times = z
  .union([z.int(), TimesBounds])
  .describe("Number of matches: exact, or bounds. Default: at least one.");
export const WaitInput = model("Wait", {
  ...matcher,
  within: duration("How long to wait, in wall time. Default: 5s.").optional(),
});
export const IdleInput = model("Idle", {
  within: duration("How long to wait, in wall time. Default: 5s.").optional(),
});
export const ExpectationInput = model("Expectation", {
  ...matcher,
  times: times.optional(),
  within: duration(
    "How long to wait, in wall time. Default: 50 ms for open exchanges that may change the result.",
  ).optional(),
});
export const CountView = model("Count", { count: count("How many exchanges match.") });

const UndecidedView = z.object({ seq: count("The number of the exchange."), why: text("The reason.") });
const NearMissView = z.object({
  seq: count("The number of the exchange."),
  operation: text("The operation that was called."),
  differs: texts("Differences, one line each."),
});
export const VerdictView = model("Verdict", {
  ok: flag("Whether the expectation is met."),
  found: count("How many stored exchanges match."),
  undecided: list(UndecidedView).describe("Exchanges that may match, so that the result is uncertain."),
  evicted: count("Number of dropped exchanges that may match."),
  message: text("The result in one sentence."),
  nearest: list(NearMissView).describe("The closest exchanges, if too few match."),
});
export const ExchangeView = z
  .looseObject({
    seq: count("The number of the exchange, from 1 in order of arrival."),
    world: text("The name of the world that was addressed."),
    at: instant("When the request arrived, in simulated time."),
    method: text("The method of the request."),
    path: text("Path of the request, relative to the base URL of its service."),
  })
  .meta({ id: "Exchange" });
export const ExchangeList = list(ExchangeView);
export const ReportView = model("Report", {
  ok: flag("Whether there is no failure."),
  failures: texts("Problems that fail a test."),
  warnings: texts("Problems that do not fail a test."),
});
const CoverageRow = z.object({
  operation: text("The operation: `museum.listSpecialEvents`."),
  status: count("The status of the response."),
  media: text("The media type of the response. Empty without a body."),
  count: count("Number of occurrences."),
});
export const CoverageView = model("Coverage", {
  format: z.literal("vitrine-coverage-1").describe("Version of the format."),
  documented: list(CoverageRow).describe("Every documented response, also with count 0."),
  undocumented: list(CoverageRow).describe("Undocumented responses that occurred."),
});
export const LintFindingView = model("LintFinding", {
  rule: text("Key of the lint rule, such as `retryStorm`."),
  severity: text("`error`, `warning` or `hint`."),
  title: text("What the client does wrong."),
  exchanges: list(z.int()).describe("Numbers of the exchanges that show the problem."),
  advice: text("How to fix the client."),
});
export const CapsuleView = z
  .looseObject({
    format: z.literal("vitrine-capsule-1").describe("Version of the format."),
    seed: count("Seed of the world's random numbers."),
    journal: list(ExchangeView).describe("The exchanges in order of arrival."),
  })
  .meta({ id: "Capsule", description: "The recorded data of a failed test, for `vitrine show`." });
const HarLog = z.looseObject({ version: z.literal("1.2").describe("The version of the format.") });
export const HarView = z
  .object({ log: HarLog.describe("The exchanges as entries.") })
  .meta({ id: "Har", description: "HTTP Archive 1.2." });
