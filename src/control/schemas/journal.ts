/** What the clients did, and what is asked about it. */

import { z } from "zod";
import type { EventStrings } from "../../operation/service.ts";
import { MatcherSchema } from "../../rules/matcher-schema.ts";
import { createQuerySchema } from "../matcher-query.ts";
import { count, duration, flag, instant, list, model, text, texts } from "./parts.ts";

/** Server-sent events. */
export const EventStream = z
  .custom<EventStrings>((value) => Symbol.asyncIterator in Object(value))
  .meta({ wire: { type: "string" } });

const { shape: matcher } = MatcherSchema();
/** Each part as text or JSON; see matcher-query.ts. */
export const JournalQuery = createQuerySchema(matcher);
export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .meta({ wire: { type: "integer" } });
export const JournalPageQuery = {
  limit: wholeNumber.optional().meta({ description: "The newest so many of them." }),
  before: wholeNumber.optional().meta({ description: "Those with a smaller number." }),
  journal: z
    .string()
    .optional()
    .describe(
      "The journal that is meant, by the id in the state: 409 `journalChanged` if it is another by now.",
    ),
};
const TimesBounds = z.strictObject({
  min: count("At least so many.").optional(),
  max: count("At most so many.").optional(),
});
const times = z
  .union([z.int(), TimesBounds])
  .describe("How often: exactly, or within bounds; left out: at least once.");
export const WaitInput = model("Wait", {
  ...matcher,
  within: duration("How long to wait, in wall time; default 5s.").optional(),
});
export const IdleInput = model("Idle", {
  within: duration("How long to wait, in wall time; default 5s.").optional(),
});
export const ExpectationInput = model("Expectation", {
  ...matcher,
  times: times.optional(),
  within: duration(
    "How long to wait for it, in wall time; left out: 50 ms for open exchanges that may change the result.",
  ).optional(),
});
export const CountView = model("Count", { count: count("How many exchanges match.") });

const UndecidedView = z.object({
  seq: count("The number of the exchange."),
  why: text("Why it is not known whether it matches."),
});
const NearMissView = z.object({
  seq: count("The number of the exchange."),
  operation: text("The operation that was called."),
  differs: texts("What does not match, one line each."),
});
export const VerdictView = model("Verdict", {
  ok: flag("Whether the expectation is met."),
  found: count("How many stored exchanges match."),
  undecided: list(UndecidedView).describe("Those that leave the result open."),
  evicted: count("How many dropped exchanges leave the result open."),
  message: text("The result in one sentence."),
  nearest: list(NearMissView).describe("The exchanges that are most alike, where too few match."),
});
export const ExchangeView = z
  .looseObject({
    seq: count("The number of the exchange, from 1 in order of arrival."),
    world: text("The name of the world that was addressed."),
    at: instant("When it began, by the sandbox's clock."),
    method: text("The method of the request."),
    path: text("The path of the request, within its service."),
  })
  .meta({ id: "Exchange" });
export const ExchangeList = list(ExchangeView);
export const ReportView = model("Report", {
  ok: flag("Whether there is no failure."),
  failures: texts("What a test must not leave behind."),
  warnings: texts("What is worth a look."),
});
const CoverageRow = z.object({
  operation: text("The operation: `museum.listSpecialEvents`."),
  status: count("The status of the answer."),
  media: text("The media type of the answer; empty without a body."),
  count: count("How often it was met."),
});
export const CoverageView = model("Coverage", {
  format: z.literal("vitrine-coverage-1").describe("Which edition of coverage it is."),
  documented: list(CoverageRow).describe("Every documented answer, met or not."),
  undocumented: list(CoverageRow).describe("Answers that were met and are not documented."),
});
export const LintFindingView = model("LintFinding", {
  rule: text("Key of the lint rule."),
  severity: text("How grave it is."),
  title: text("What the client does."),
  exchanges: list(z.int()).describe("Numbers of the exchanges that show it."),
  advice: text("What to do instead."),
});
export const CapsuleView = z
  .looseObject({
    format: z.literal("vitrine-capsule-1").describe("Which edition of capsules it is."),
    seed: count("What the world's random values came from."),
    journal: list(ExchangeView).describe("The exchanges in order of arrival."),
  })
  .meta({ id: "Capsule", description: "A failed test as one JSON, for `vitrine show`." });
const HarLog = z.looseObject({ version: z.literal("1.2").describe("The version of the format.") });
export const HarView = z
  .object({ log: HarLog.describe("The exchanges as entries.") })
  .meta({ id: "Har", description: "HTTP Archive 1.2." });
