/** The schemas of the control API's bodies. */

import { z } from "zod";
import type { EventText } from "../operation/service.ts";

export const Ready = z.object({ ready: z.literal(true), world: z.string() }).meta({ id: "Ready" });

const Urls = z.record(z.string(), z.string()).meta({
  id: "Urls",
  description: "Base URL of each environment: museum, account, accountSandbox, control.",
});
export const WorldName = z
  .string()
  .meta({ description: "1 to 100 letters, digits, dots, dashes, underscores." });
export const WorldInput = z.object({ name: WorldName.optional() }).meta({ id: "WorldInput" });
export const WorldView = z.object({ id: z.string(), urls: Urls }).meta({ id: "World" });

const instant = z.string().meta({ description: "ISO 8601 in UTC: 2026-03-01T09:00:00Z." });
export const duration = z.string().meta({ description: "A duration: 500ms, 30s, 15m, 24h, 3d." });
const mode = z.enum(["frozen", "ticking"]);
export const ClockView = z.object({ at: instant, mode }).meta({ id: "Clock" });
export const ClockInput = z
  .object({ at: instant.optional(), mode: mode.optional() })
  .refine(({ at, mode }) => at !== undefined || mode !== undefined, "needs at, mode, or both")
  .meta({ id: "ClockInput", description: "`at` left out: now; `mode` left out: as it is." });
export const AdvanceInput = z.object({ by: duration }).meta({ id: "AdvanceInput" });

export const SnapshotInput = z
  .object({ name: z.string().min(1).max(100).optional() })
  .meta({ id: "SnapshotInput" });
export const SnapshotView = z.object({ id: z.string() }).meta({ id: "Snapshot" });

export const Mail = z
  .object({
    id: z.string(),
    environment: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    at: instant,
    actionUuid: z.string(),
  })
  .meta({ id: "Mail" });

export const Entities = z.array(z.record(z.string(), z.unknown())).meta({ id: "Entities" });

export const DataPatch = z
  .object({ upsert: Entities.optional(), remove: z.array(z.string()).optional() })
  .meta({ id: "DataPatch" });

export const State = z
  .object({
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
  })
  .meta({ id: "State" });

/** Server-sent events. */
export const EventStream = z
  .custom<EventText>((value) => Symbol.asyncIterator in Object(value))
  .meta({ wire: { type: "string" } });

// These two are checked against the scenario grammar, which reports errors more precisely.
export const RuleInput = z.record(z.string(), z.unknown()).meta({ id: "Rule" });
const ScenarioValue = z.record(z.string(), z.unknown());
export const ScenarioInput = z.union([ScenarioValue, z.array(z.union([z.string(), ScenarioValue]))]).meta({
  id: "ScenarioInput",
  description: "{ name } of a preset or of several, or a whole scenario, or a list of names and scenarios.",
});
export const ScenarioView = z
  .object({ name: z.string(), title: z.string().optional(), rules: z.array(z.string()) })
  .meta({ id: "Scenario" });
export const RuleAdded = z.object({ id: z.string() }).meta({ id: "RuleAdded" });
export const RuleView = z
  .looseObject({ id: z.string(), origin: z.string(), matched: z.int(), acted: z.int() })
  .meta({ id: "RuleStatus" });
export const Waiting = z.object({ gate: z.string(), exchange: z.int() }).meta({ id: "Waiting" });
export const ReleaseInput = z.object({ exchange: z.int().optional() }).meta({ id: "ReleaseInput" });
export const Released = z.object({ released: z.int() }).meta({ id: "Released" });

const names = z.union([z.string(), z.array(z.string())]);
const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);
const filter = {
  operation: names.optional().meta({ description: "A name, or several; * stands for any part." }),
  service: z.string().optional(),
  environment: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  problem: z.string().optional(),
  identity: z.string().optional(),
  rule: z.string().optional(),
  finding: z.string().optional(),
  since: instant.optional(),
  until: instant.optional(),
};
export const JournalQuery = { ...filter, status: wholeNumber.optional(), after: wholeNumber.optional() };
export const ExpectationInput = z
  .object({
    ...filter,
    status: z.int().optional(),
    after: z.int().optional(),
    times: z
      .union([z.int(), z.strictObject({ min: z.int().optional(), max: z.int().optional() })])
      .optional(),
    within: duration.optional(),
  })
  .meta({ id: "Expectation" });
export const Verdict = z
  .object({
    ok: z.boolean(),
    found: z.int(),
    evicted: z.int(),
    message: z.string(),
    nearest: z.array(z.object({ seq: z.int(), operation: z.string(), differs: z.array(z.string()) })),
  })
  .meta({ id: "Verdict" });
export const ExchangeView = z
  .looseObject({ seq: z.int(), world: z.string(), at: instant, method: z.string(), path: z.string() })
  .meta({ id: "Exchange" });
export const Report = z
  .object({ ok: z.boolean(), failures: z.array(z.string()), warnings: z.array(z.string()) })
  .meta({ id: "Report" });
const Counted = z.object({ operation: z.string(), status: z.int(), media: z.string(), count: z.int() });
export const Coverage = z
  .object({
    format: z.literal("vitrine-coverage-1"),
    documented: z.array(Counted),
    undocumented: z.array(Counted),
  })
  .meta({ id: "Coverage" });
export const LintFinding = z
  .object({
    rule: z.string(),
    severity: z.string(),
    title: z.string(),
    exchanges: z.array(z.int()),
    advice: z.string(),
  })
  .meta({ id: "LintFinding" });
export const Capsule = z
  .looseObject({ format: z.literal("vitrine-capsule-1"), seed: z.int(), journal: z.array(ExchangeView) })
  .meta({ id: "Capsule", description: "What `vitrine replay` plays again." });
export const Har = z
  .object({ log: z.looseObject({ version: z.literal("1.2") }) })
  .meta({ id: "Har", description: "HTTP Archive 1.2." });

const user = z.string().optional().meta({ description: "The name that logs in; default: the first user." });
const environment = z
  .string()
  .optional()
  .meta({ description: "account or production (default), accountSandbox or sandbox." });
export const TokenInput = z
  .object({
    user,
    environment,
    kind: z.string().optional().meta({ description: "valid (default), expired, …" }),
  })
  .meta({ id: "TokenInput" });
export const TokenView = z.object({ token: z.string() }).meta({ id: "Token" });
export const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: "Jwks" });
export const UsageInput = z
  .object({
    sent: z.number().optional(),
    received: z.number().optional(),
    at: instant.optional(),
    user,
    environment,
  })
  .meta({ id: "UsageInput" });
export const Receipt = z
  .looseObject({ environment: z.string(), user: z.string(), at: instant })
  .meta({ id: "UsageReceipt" });
