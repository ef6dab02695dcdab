/** Schema of `then` in a rule, and the conversion of its actions to effects. */

import { z } from "zod";
import { duration, toRefinement } from "../operation/checks.ts";
import { fromViolation, type ValidationIssue } from "../operation/issue.ts";
import { fail } from "../operation/problem.ts";
import { once } from "../world/lazy.ts";
import { checkWallDelay, Delay } from "./delay.ts";
import { DEFAULT_DRIBBLE, type Effect, FAULTS, type Fault } from "./effect.ts";
import { Mutations } from "./mutation.ts";
import { name } from "./primitives.ts";

const Violations = () =>
  z.array(z.strictObject({ propertyPath: z.string(), message: z.string(), code: z.string().optional() }));
/** Headers that delimit a message or control the connection. Rules cannot set them. To break a connection, a rule needs a fault. */
const FRAMING = ["connection", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade"];
const headerName = () =>
  z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not the name of a header")
    .refine(
      (name) => !FRAMING.includes(name.toLowerCase()),
      "is the connection's own header; use a fault to break it",
    );
const headerValue = () =>
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must contain only Latin-1 without control characters");
const Respond = () =>
  z
    .strictObject({
      status: z.int().min(200).max(599),
      headers: z.record(headerName(), headerValue()).optional(),
      body: z.json().optional(),
    })
    .superRefine(
      toRefinement(({ status, body }) =>
        body !== undefined && [204, 205, 304].includes(status)
          ? [{ path: ["body"], message: `A ${status} has no body.` }]
          : [],
      ),
    );

const getActionFields = once(() => ({
  problem: z.string().optional().describe("Key of a problem that the operation documents."),
  title: z.string().optional().describe("Title of the problem."),
  violations: Violations().optional().describe("Invalid fields that the problem lists."),
  respond: Respond().optional().describe("Returns exactly this response."),
  undocumented: z
    .literal(true)
    .optional()
    .describe("With respond: allows a status that the operation does not document."),
  fault: z.enum(FAULTS).optional().describe("Breaks the connection in this way."),
  mutate: Mutations().optional().describe("Changes the response of the service."),
  hold: name.optional().describe("Pauses the request at the gate with this name, until a test releases it."),
  pass: z.literal(true).optional().describe("Lets the service respond, and skips the later rules."),
  delay: Delay().optional().describe("Wall-clock time, up to 60s. With `clock`: simulated time, no maximum."),
  clock: z
    .literal("virtual")
    .optional()
    .describe("With `delay`: waits in simulated time instead of wall-clock time."),
  advance: duration.optional().describe("Moves the clock forward. The exchange keeps its time of arrival."),
}));
const ACTION_KEYS = ["problem", "respond", "fault", "mutate", "hold", "pass"] as const;
const DEPENDENT_KEYS = [
  ["title", "problem"],
  ["violations", "problem"],
  ["undocumented", "respond"],
  ["clock", "delay"],
] as const;

const isDribble = (delay: unknown): boolean =>
  typeof delay === "object" && delay !== null && "dribble" in delay;

type ActionParts = {
  readonly [K in (typeof ACTION_KEYS)[number] | (typeof DEPENDENT_KEYS)[number][0 | 1] | "advance"]?: unknown;
};
const checkAction = (then: ActionParts): ValidationIssue[] => {
  const issues: ValidationIssue[] = [];
  const chosen = ACTION_KEYS.filter((key) => then[key] !== undefined);
  const [, second] = chosen;
  const all = ACTION_KEYS.join(", ");
  if (second !== undefined)
    issues.push({ path: [second], message: `Only one of ${all} is allowed, not ${chosen.join(" and ")}.` });
  if (chosen.length === 0 && then.delay === undefined && then.advance === undefined)
    issues.push({ path: [], message: `"then" must contain one of ${all}, sequence, delay, advance.` });
  const message = "A dribble takes wall time: it cannot wait for the sandbox's clock.";
  if (then.clock !== "virtual") issues.push(...checkWallDelay(then.delay, ["delay"]));
  else if (isDribble(then.delay)) issues.push({ path: ["clock"], message });
  for (const [key, needed] of DEPENDENT_KEYS)
    if (then[key] !== undefined && then[needed] === undefined) issues.push(requireKey(key, needed));
  return issues;
};
const requireKey = (key: string, needed: string): ValidationIssue => ({
  path: [key],
  message: `"${key}" is only allowed together with "${needed}".`,
});
export const Action = once(() => z.strictObject(getActionFields()).superRefine(toRefinement(checkAction)));
export type Action = z.output<ReturnType<typeof Action>>;

export const RuleAction = once(() =>
  z
    .strictObject({
      ...getActionFields(),
      sequence: z.array(Action()).min(1).optional().describe("Actions, one for each match, in this order."),
      after: z
        .enum(["pass", "last", "cycle", "fail"])
        .optional()
        .describe("Behavior after the end of the sequence. Default: `pass`."),
    })
    .superRefine(
      toRefinement((then) => {
        const after = then.after === undefined ? [] : [requireKey("after", "sequence")];
        if (then.sequence === undefined) return [...after, ...checkAction(then)];
        const fields = Object.keys(getActionFields()) as (keyof typeof then)[]; // Safe cast: `then` has these fields.
        const other = fields.find((key) => then[key] !== undefined);
        const message = `Set "${other}" on the steps of the sequence, not next to it.`;
        return other === undefined ? [] : [{ path: [other], message }];
      }),
    ),
);
export type RuleAction = z.output<ReturnType<typeof RuleAction>>;

/** Returns undefined if the action only waits, moves the clock, or lets the service respond (`pass`). */
export function toEffect({ problem, title, violations, respond, fault, mutate }: Action): Effect | undefined {
  if (problem !== undefined) return fail(problem, { title, issues: violations?.map(fromViolation) });
  if (respond !== undefined)
    return { kind: "respond", status: respond.status, headers: respond.headers ?? {}, body: respond.body };
  if (fault !== undefined)
    return { kind: "fault", fault: fault === "dribble" ? DEFAULT_DRIBBLE : { kind: fault } };
  if (mutate !== undefined)
    return { kind: "mutate", mutations: typeof mutate === "string" ? [mutate] : mutate };
  return undefined;
}

/** Whether an action has an effect or `pass`, which ends the evaluation of rules. Delays, gates and clock moves do not end it. */
export function canRespond(then: RuleAction): boolean {
  const actions = [then, ...(then.sequence ?? [])];
  return actions.some((action) => action.pass === true || toEffect(action) !== undefined);
}

/** Adds `wire`, the dribble of this or an earlier rule, to the effect. Returns the effect `fault` unchanged. */
export function withWireFault(wire: Fault | undefined, effect: Effect): Effect {
  return wire === undefined || effect.kind === "fault" ? effect : { ...effect, wire };
}
