// Owns the grammar of scenarios: one strict schema that reads a file, `sandbox.use(rule)` and the control API, and from
// which the published JSON Schema is made. What names mean is checked against the services in contract.ts.

import { z } from "zod";
import { parseDuration, parseInstant, parseOffset } from "../world/time.ts";
import { FAULTS } from "./effect.ts";
import { matcherFault } from "./matcher.ts";
import { Mutations } from "./mutate.ts";

export const STAGES = ["edge", "handler", "response"] as const;
const LONGEST_DELAY_MS = 60_000;
const MOST_RULES = 1_000;
const DURATION = 'must be a duration such as "500ms", "30s" or "24h"';

/** True when `parse` accepts the text: the parsers of time.ts throw for nothing but texts they do not read. */
const readable = (parse: (text: string) => unknown) => (text: string) => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

const duration = z.string().refine(readable(parseDuration), DURATION);
const shortDuration = duration.refine(
  (text) => !readable(parseDuration)(text) || parseDuration(text) <= LONGEST_DELAY_MS,
  "must be at most 60s: longer waits are not waited for, use the clock",
);
const relative = (text: string): boolean => /^[+-]/.test(text);
const instant = z
  .string()
  .refine(
    (text) => (relative(text) ? readable(parseOffset)(text) : readable(parseInstant)(text)),
    'must be an instant such as "2026-03-01T09:00:00Z" or an offset such as "+10m"',
  );
const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/#-]{0,99}$/, "must begin with a letter or digit and have no spaces");

/** A literal, a subset object or operators; see matcher.ts. */
const matcher = z.json().superRefine((value, context) => {
  const fault = matcherFault(value);
  if (fault !== undefined)
    context.addIssue({ code: "custom", path: [...fault.path], message: fault.message });
});
const matchers = z.record(z.string(), matcher);
const names = z.union([z.string(), z.array(z.string()).min(1)]);

export const When = z
  .strictObject({
    operation: names.optional().meta({ description: "Name, list of names, or glob: `account.list*`." }),
    method: z
      .enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
      .optional()
      .meta({ description: "Where no operation is named." }),
    path: z.string().regex(/^\//, "must begin with /").optional().meta({
      description: "Relative to the base address, where no operation is named; `*` stands for anything.",
    }),
    environment: names.optional().meta({ description: "Key of the base address: `accountSandbox`." }),
    query: matchers.optional(),
    headers: matchers.optional(),
    params: matchers.optional().meta({ description: "Parameters of the path." }),
    body: matcher.optional(),
    user: matcher.optional().meta({ description: "Name of the caller." }),
    accept: matcher.optional().meta({ description: "The Accept header as sent." }),
  })
  .superRefine((when, context) => {
    if (when.operation === undefined || (when.method === undefined && when.path === undefined)) return;
    const path = [when.method === undefined ? "path" : "method"];
    context.addIssue({
      code: "custom",
      path,
      message: "Name an operation, or a method and a path; not both.",
    });
  });
export type When = z.output<typeof When>;

export const Limit = z.strictObject({
  after: z.int().min(0).optional().meta({ description: "So many matches pass first." }),
  times: z.int().min(1).optional().meta({ description: "It acts so often, then steps aside." }),
  every: z.int().min(1).optional().meta({ description: "It acts on each nth match." }),
  chance: z.number().min(0).max(1).optional().meta({ description: "Drawn from the seed, per match." }),
  from: instant
    .optional()
    .meta({ description: "Simulated time, included; `+10m` counts from when the rule came." }),
  until: instant.optional().meta({ description: "Simulated time, excluded." }),
  per: z
    .enum(["user", "world"])
    .optional()
    .meta({ description: "Counted for each caller apart, or for all." }),
});
export type Limit = z.output<typeof Limit>;

export const Delay = z.union([
  shortDuration,
  z.strictObject({ uniform: z.tuple([shortDuration, shortDuration]) }),
  z.strictObject({
    lognormal: z.strictObject({ median: shortDuration, sigma: z.number().min(0).max(3), max: shortDuration }),
  }),
  z.strictObject({ dribble: z.strictObject({ chunks: z.int().min(1).max(1_000), over: shortDuration }) }),
]);
export type Delay = z.output<typeof Delay>;

const Violations = z.array(
  z.strictObject({ propertyPath: z.string(), message: z.string(), code: z.string().optional() }),
);
/** What frames a reply is not for a rule to say: a fault breaks it instead. */
const FRAMING = ["connection", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade"];
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not the name of a header")
  .refine(
    (name) => !FRAMING.includes(name.toLowerCase()),
    "is the connection's own header; use a fault to break it",
  );
const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "may hold no control characters and nothing beyond Latin-1");
const Respond = z
  .strictObject({
    status: z.int().min(200).max(599),
    headers: z.record(headerName, headerValue).optional(),
    body: z.json().optional(),
  })
  .superRefine(({ status, body }, context) => {
    if (body !== undefined && [204, 205, 304].includes(status))
      context.addIssue({ code: "custom", path: ["body"], message: `A ${status} has no body.` });
  });

const step = {
  problem: z.string().optional().meta({ description: "Key of a problem that the operation documents." }),
  title: z.string().optional().meta({ description: "Beside problem: its text." }),
  violations: Violations.optional().meta({ description: "Beside problem: the broken rules of fields." }),
  respond: Respond.optional().meta({ description: "Exactly this answer." }),
  undocumented: z.literal(true).optional().meta({
    description: "Beside respond: the status is not one the operation documents, and that is meant.",
  }),
  fault: z.enum(FAULTS).optional().meta({ description: "The wire breaks." }),
  mutate: Mutations.optional().meta({ description: "The true reply, changed: JSON Patch or named drills." }),
  hold: name.optional().meta({ description: "Name of a gate: waits until a test releases it." }),
  pass: z.literal(true).optional().meta({ description: "The service answers; later rules do not." }),
  delay: Delay.optional().meta({ description: "Wall time, at most 60s." }),
  clock: z
    .literal("virtual")
    .optional()
    .meta({ description: "Beside delay: waits for the sandbox's clock instead of wall time." }),
  advance: duration.optional().meta({ description: "Moves the sandbox's clock." }),
};
const ANSWERS = ["problem", "respond", "fault", "mutate", "hold", "pass"] as const;
const BESIDE = [
  ["title", "problem"],
  ["violations", "problem"],
  ["undocumented", "respond"],
  ["clock", "delay"],
] as const;

type Chosen = {
  readonly [K in (typeof ANSWERS)[number] | (typeof BESIDE)[number][0 | 1] | "advance"]?: unknown;
};
const isStep = (then: Chosen, context: z.core.$RefinementCtx): void => {
  const chosen = ANSWERS.filter((key) => then[key] !== undefined);
  const [, second] = chosen;
  if (second !== undefined)
    context.addIssue({
      code: "custom",
      path: [second],
      message: `One of ${ANSWERS.join(", ")}; not ${chosen.join(" and ")}.`,
    });
  if (chosen.length === 0 && then.delay === undefined && then.advance === undefined)
    context.addIssue({
      code: "custom",
      path: [],
      message: `Say what happens: one of ${ANSWERS.join(", ")}, sequence, delay, advance.`,
    });
  for (const [key, needed] of BESIDE) {
    if (then[key] !== undefined && then[needed] === undefined)
      context.addIssue({ code: "custom", path: [key], message: `${key} stands beside ${needed}.` });
  }
};
export const Step = z.strictObject(step).superRefine(isStep);
export type Step = z.output<typeof Step>;

const Then = z
  .strictObject({
    ...step,
    sequence: z.array(Step).min(1).optional().meta({ description: "One step for each match, in turn." }),
    after: z
      .enum(["pass", "last", "cycle", "fail"])
      .optional()
      .meta({ description: "Beside sequence: what follows its end. Default pass." }),
  })
  .superRefine((then, context) => {
    if (then.sequence === undefined) {
      if (then.after !== undefined)
        context.addIssue({ code: "custom", path: ["after"], message: "after stands beside sequence." });
      return isStep(then, context);
    }
    const other = Object.keys(step).find((key) => then[key as keyof typeof step] !== undefined); // keys of step itself
    if (other !== undefined)
      context.addIssue({
        code: "custom",
        path: [other],
        message: `${other} stands inside the steps of a sequence.`,
      });
  });

export const Rule = z.strictObject({
  id: name.optional().meta({ description: "Names the rule in journal and messages. Unique." }),
  title: z.string().optional(),
  when: When.optional().meta({ description: "Which exchanges. Left out: all." }),
  limit: Limit.optional().meta({ description: "How often." }),
  at: z
    .enum(STAGES)
    .optional()
    .meta({ description: "Where in the life of a request. Default: as the effect needs." }),
  then: Then.meta({ description: "What happens." }),
});
export type Rule = z.output<typeof Rule>;
/** One rule as it is written. */
export type RuleInput = z.input<typeof Rule>;

/** What a scenario does to one collection of base data, in this order. */
export const DataChange = z
  .strictObject({
    replace: z.array(z.json()).optional().meta({ description: "Leaves exactly these." }),
    generate: z
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .meta({ description: "Leaves so many new ones, made from the seed." }),
    upsert: z
      .array(z.json())
      .optional()
      .meta({ description: "Adds these, or replaces those with the same key." }),
    remove: z.array(z.string()).optional().meta({ description: "Removes by key." }),
  })
  .superRefine((change, context) => {
    if (change.replace !== undefined && change.generate !== undefined)
      context.addIssue({ code: "custom", path: ["generate"], message: "replace or generate, not both." });
  });
export type DataChange = z.output<typeof DataChange>;

export const ScenarioFile = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  title: z.string().optional(),
  description: z.string().optional(),
  extends: z
    .array(z.string())
    .optional()
    .meta({ description: "Scenarios beneath this one; a later one lies over an earlier." }),
  seed: z.int().min(0).optional().meta({ description: "Ids, generated data and chance." }),
  clock: z
    .strictObject({
      at: instant.meta({ description: "An instant, or an offset from now such as `+3d`." }),
      mode: z.enum(["frozen", "ticking"]).optional().meta({ description: "Default frozen." }),
    })
    .optional(),
  settings: z
    .record(z.string(), z.record(z.string(), z.json()))
    .optional()
    .meta({ description: "Switches by service." }),
  data: z
    .record(z.string(), z.record(z.string(), DataChange))
    .optional()
    .meta({ description: "Base data by environment and collection." }),
  rules: z.array(Rule).max(MOST_RULES, `A scenario has at most ${MOST_RULES} rules.`).optional(),
  expect: z
    .strictObject({
      unmatched: z
        .enum(["fail", "warn", "ignore"])
        .optional()
        .meta({ description: "Requests that no operation took." }),
      unusedRules: z
        .enum(["fail", "warn", "ignore"])
        .optional()
        .meta({ description: "Rules that never acted." }),
    })
    .optional(),
});
export type ScenarioFile = z.output<typeof ScenarioFile>;
/** A scenario as it is written in a file. */
export type ScenarioValue = z.input<typeof ScenarioFile>;
