/** The schemas of the control API's bodies. */

import { z } from "zod";
import type { EventText } from "../operation/service.ts";
import { MatcherSchema } from "../rules/matcher-schema.ts";
import { MailSchema } from "../sandbox/record-entities.ts";
import { queryOf } from "./matcher-query.ts";

const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });

/** An array that nobody changes; with `readonly()` the document would mark it. */
export const list = <S extends z.ZodType>(item: S) =>
  z.array(item) as z.ZodType<readonly z.output<S>[], readonly z.input<S>[]>;

export const Ready = named("Ready", { ready: z.literal(true) });

const Urls = z.record(z.string(), z.string()).meta({
  id: "Urls",
  description: "Base URL of each environment: museum, account, accountSandbox, control.",
});
export const WorldName = z
  .string()
  .meta({ description: "1 to 100 letters, digits, dots, dashes, underscores." });
export const WorldInput = named("WorldInput", { name: WorldName.optional() });
export const WorldSourceInput = named("WorldSource", {
  from: WorldName.optional(),
  record: z.record(z.string(), z.unknown()).optional(),
});
/** Checked against its own schema where it is read. */
export const WorldRecordView = z
  .looseObject({ format: z.string(), id: z.string() })
  .meta({ id: "WorldRecord", description: "What `PUT /worlds/{id}` takes as `record`." });
export const WorldView = named("World", { id: z.string(), urls: Urls });

const instant = z.string().meta({ description: "ISO 8601 in UTC: 2026-03-01T09:00:00Z." });
const duration = z.string().meta({ description: "A duration: 500ms, 30s, 15m, 24h, 3d." });
const mode = z.enum(["frozen", "ticking"]);
export const ClockView = named("Clock", { at: instant, mode });
export const ClockInput = z
  .object({
    at: instant.optional(),
    mode: mode.optional(),
    rebase: z
      .boolean()
      .optional()
      .meta({ description: "The dates of the base data go along; default false." }),
  })
  .refine(({ at, mode }) => at !== undefined || mode !== undefined, "needs at, mode, or both")
  .meta({ id: "ClockInput", description: "`at` left out: now; `mode` left out: as it is." });
export const AdvanceInput = named("AdvanceInput", { by: duration });

export const SnapshotInput = named("SnapshotInput", { name: z.string().min(1).max(100).optional() });
const names = list(z.string());
export const DifferenceView = named("StateDifference", {
  collections: z.record(
    z.string(),
    z.object({ added: names, removed: names, changed: list(z.object({ key: z.string(), fields: names })) }),
  ),
  clock: z.boolean(),
  settings: z.boolean(),
  rules: z.boolean(),
});
export const SnapshotView = named("Snapshot", { id: z.string() });

export const Mail = MailSchema().extend({ at: instant }).meta({ id: "Mail" });

const mailFilter = {
  to: z.string().optional().meta({ description: "The whole address of the receiver." }),
  subject: z.string().optional().meta({ description: "A part of the subject." }),
  actionUuid: z.string().optional().meta({ description: "The presale action that sent it." }),
  environment: z.string().optional().meta({ description: "The environment whose user it is for." }),
};
export const MailFilter = mailFilter;
export const MailWait = named("MailWait", { ...mailFilter, within: duration.optional() });

export const Entities = list(z.record(z.string(), z.unknown())).meta({ id: "Entities" });

export const DataPatch = named("DataPatch", {
  upsert: Entities.optional(),
  remove: list(z.string()).optional(),
});

export const State = named("State", {
  world: z.string(),
  clock: z.object({ now: instant, mode }),
  collections: z.record(z.string(), z.int()),
  mails: z.int(),
  exchanges: z.int(),
  notices: z
    .array(z.object({ key: z.string(), message: z.string() }))
    .readonly()
    .meta({ description: "Problems outside the exchanges, such as a mail that could not be sent." }),
  digest: z.string(),
});

/** Server-sent events. */
export const EventStream = z
  .custom<EventText>((value) => Symbol.asyncIterator in Object(value))
  .meta({ wire: { type: "string" } });

// These two are checked against the scenario grammar, which reports errors more precisely.
export const RuleInput = z.record(z.string(), z.unknown()).meta({ id: "Rule" });
const ScenarioValue = z.record(z.string(), z.unknown());
export const ScenarioInput = z.union([ScenarioValue, list(z.union([z.string(), ScenarioValue]))]).meta({
  id: "ScenarioInput",
  description: "{ name } of a preset or of several, or a whole scenario, or a list of names and scenarios.",
});
export const ScenarioView = named("Scenario", {
  name: z.string(),
  title: z.string().optional(),
  rules: list(z.string()),
});
export const RuleUpdateInput = z
  .object({
    enabled: z.boolean().optional(),
    before: z.string().nullable().optional(),
    rule: RuleInput.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, "needs enabled, before or rule")
  .meta({ id: "RuleUpdate" });
export const CheckInput = named("Check", { rule: RuleInput.optional(), scenario: ScenarioInput.optional() });
export const CheckView = named("CheckReport", {
  ok: z.boolean(),
  mistakes: list(z.object({ message: z.string(), pointer: z.string().optional() })),
});
export const QuestionInput = named("Question", {
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});
export const ExplanationView = named("Explanation", {
  method: z.string(),
  path: z.string(),
  operation: z.string().optional(),
  status: z.int().optional(),
  problem: z.string().optional(),
  fault: z.string().optional(),
  made: z.int().optional(),
  sent: z.object({ bytes: z.int(), of: z.int() }).optional(),
  rules: list(z.object({ rule: z.string(), applied: z.boolean(), why: z.string() })),
});
export const RuleAdded = named("RuleAdded", { id: z.string() });
export const RuleView = z
  .looseObject({ id: z.string(), origin: z.string(), enabled: z.boolean(), matched: z.int(), acted: z.int() })
  .meta({ id: "RuleStatus" });
export const Waiting = named("Waiting", { gate: z.string(), exchange: z.int() });
export const ReleaseInput = named("ReleaseInput", { exchange: z.int().optional() });
export const Released = named("Released", { released: z.int() });

const { shape: matcher } = MatcherSchema();
/** Each part as text or JSON; see matcher-query.ts. */
export const JournalQuery = queryOf(matcher);
const whole = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .meta({ wire: { type: "integer" } });
export const JournalPage = {
  limit: whole.optional().meta({ description: "The newest so many of them." }),
  before: whole.optional().meta({ description: "Those with a smaller number." }),
  open: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Those in flight instead: begun and not ended. Only by itself." }),
};
const times = z.union([z.int(), z.strictObject({ min: z.int().optional(), max: z.int().optional() })]);
export const WaitInput = named("Wait", { ...matcher, within: duration.optional() });
export const ExpectationInput = named("Expectation", {
  ...matcher,
  times: times.optional(),
  within: duration.optional(),
});
export const Count = named("Count", { count: z.int() });
export const Verdict = named("Verdict", {
  ok: z.boolean(),
  found: z.int(),
  undecided: list(z.object({ seq: z.int(), why: z.string() })),
  evicted: z.int(),
  message: z.string(),
  nearest: list(z.object({ seq: z.int(), operation: z.string(), differs: list(z.string()) })),
});
export const ExchangeView = z
  .looseObject({ seq: z.int(), world: z.string(), at: instant, method: z.string(), path: z.string() })
  .meta({ id: "Exchange" });
export const Report = named("Report", {
  ok: z.boolean(),
  failures: list(z.string()),
  warnings: list(z.string()),
});
const Counted = z.object({ operation: z.string(), status: z.int(), media: z.string(), count: z.int() });
export const Coverage = named("Coverage", {
  format: z.literal("vitrine-coverage-1"),
  documented: list(Counted),
  undocumented: list(Counted),
});
export const LintFinding = named("LintFinding", {
  rule: z.string(),
  severity: z.string(),
  title: z.string(),
  exchanges: list(z.int()),
  advice: z.string(),
});
export const Capsule = z
  .looseObject({ format: z.literal("vitrine-capsule-1"), seed: z.int(), journal: list(ExchangeView) })
  .meta({ id: "Capsule", description: "What `vitrine replay` plays again." });
export const Har = z
  .object({ log: z.looseObject({ version: z.literal("1.2") }) })
  .meta({ id: "Har", description: "HTTP Archive 1.2." });

const user = z.string().optional().meta({ description: "The name that logs in; default: the first user." });
const environment = z
  .string()
  .optional()
  .meta({ description: "account or production (default), accountSandbox or sandbox." });
export const TokenInput = named("TokenInput", {
  user,
  environment,
  kind: z.string().optional().meta({ description: "valid (default), expired, …" }),
});
export const IssuedTokens = list(
  named("IssuedToken", {
    environment: z.string(),
    user: z.string(),
    issued: instant,
    expires: instant,
    nextLogin: instant.optional().meta({ description: "When its user may log in again; left out: now." }),
  }),
);
export const TokenView = named("Token", { token: z.string() });
export const Jwks = named("Jwks", { keys: list(z.record(z.string(), z.unknown())) });
export const UsageInput = named("UsageInput", {
  sent: z.number().optional(),
  received: z.number().optional(),
  at: instant.optional(),
  user,
  environment,
});
export const Receipt = z
  .looseObject({ environment: z.string(), user: z.string(), at: instant })
  .meta({ id: "UsageReceipt" });

const optionalText = z.string().optional();
export const Presets = list(
  named("Preset", { name: z.string(), title: z.string(), description: optionalText }),
);
export const Operations = list(
  named("Operation", {
    name: z.string(),
    service: z.string(),
    method: z.string(),
    path: z.string(),
    summary: z.string(),
    outcomes: list(
      z.object({
        status: z.int(),
        problem: optionalText,
        title: z.string(),
        source: z.string(),
        rule: RuleInput,
      }),
    ),
  }),
);
export const SettingViews = list(
  named("Setting", {
    name: z.string(),
    description: z.string(),
    value: z.unknown().optional(),
    default: z.unknown().optional(),
  }),
);
export const Credentials = list(
  named("Credentials", {
    environment: z.string(),
    user: z.string(),
    password: z.string(),
    any: z.literal(true).optional().meta({ description: "Any other pair is as good." }),
  }),
);
export const Assumptions = list(
  named("Assumption", {
    service: z.string(),
    point: z.string(),
    served: z.string(),
    setting: optionalText.meta({ description: "The setting that changes it." }),
  }),
);
