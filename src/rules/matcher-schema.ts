/** Schemas of matchers, for `when` in rules and for journal queries. Each schema is created on first use. */

import { z } from "zod";
import { describeUnknown } from "../errors/nearest.ts";
import { createStringSchema, toRefinement } from "../operation/checks.ts";
import { once } from "../world/lazy.ts";
import { parseTimestamp } from "../world/time.ts";
import { type Condition, checkCondition, type Names, OPERATORS, type Operators } from "./condition.ts";

const NAMES_MESSAGE = 'must be a name, a list of names, or operators such as { "$exists": false }';
const STATUS_MESSAGE = 'must be a status such as 404, a list of them, or operators such as { "$gte": 500 }';
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"] as const;

// The casts below are safe: zod infers equal types, but our named types are easier to read in an editor.
const condition = once(() =>
  (z.json().superRefine(toRefinement(checkCondition)) as z.ZodType<Condition, Condition>).meta({
    id: "Condition",
    description: "A literal, an object whose parts must all match, or operators such as `$gt`.",
  }),
);
const conditions = once(() => z.record(z.string(), condition()));
const operators = once(() => {
  const key = z.templateLiteral(["$", z.string()], "is neither a name nor an operator");
  const value = z.json().meta({ id: "Json", description: "Any JSON value." });
  const given = z.record(key, value).superRefine(toRefinement(checkCondition));
  return (given as z.ZodType<Operators, Operators>).meta({ id: "Operators" });
});
const names = once(() => {
  const given = z.union([z.string(), z.array(z.string()).min(1), operators()], NAMES_MESSAGE);
  return (given as z.ZodType<Names, Names>).meta({
    id: "Names",
    description: "A name, a list of names, globs such as `account.list*`, or operators.",
  });
});
const statuses = once(() => z.union([z.int(), z.array(z.int()).min(1), operators()], STATUS_MESSAGE));
const instant = once(() => createStringSchema(parseTimestamp));

const checkMethods = (methods: unknown) =>
  [methods].flat().flatMap((method, index) => {
    if (typeof method !== "string" || (METHODS as readonly string[]).includes(method)) return [];
    const path = Array.isArray(methods) ? [index] : [];
    return [{ path, message: describeUnknown("method", method, METHODS) }];
  });

const buildRequestParts = () => ({
  operation: names().optional().describe("Name of an operation, or a pattern such as `account.list*`."),
  service: names().optional().describe("Name of the service: `museum` or `account`."),
  environment: names().optional().describe("Name of the environment, such as `accountSandbox`."),
  method: names().superRefine(toRefinement(checkMethods)).optional().describe("HTTP method, such as `POST`."),
  path: names().optional().describe("Path after the base URL, such as `/special-events/*`."),
  params: conditions().optional().describe("Path parameters: `{ name: value }`."),
  query: conditions().optional().describe("Query parameters: `{ name: value }`."),
  headers: conditions().optional().describe("Request headers: `{ name: value }`."),
  body: condition().optional().describe("JSON body of the request."),
  user: condition().optional().describe("Name of the user who sent the request."),
  accept: condition().optional().describe("Value of the header `Accept`."),
});

const buildEndedParts = () => ({
  status: statuses().optional().describe('Status of the response, such as `404` or `{ "$gte": 500 }`.'),
  problem: names().optional().describe("Name of the problem in the response, such as `eventNotFound`."),
  rule: names().optional().describe("Id of a rule that was applied to the request."),
  finding: names().optional().describe("Name of a finding, such as `unknownField`."),
  fault: names().optional().describe("Fault that broke the connection, such as `reset`."),
  gone: z.boolean().optional().describe("Whether the client closed the connection before the response."),
  state: z.enum(["open", "ended"]).optional().describe("`open` (no response yet) or `ended`."),
  text: z.string().min(1).optional().describe("Text in the URL or in a body; case is ignored."),
  after: z.int().min(0).optional().describe("Number of an exchange: exchanges with a higher number match."),
  since: instant().optional().describe("The request arrived at this time of the sandbox's clock, or later."),
  until: instant().optional().describe("The request arrived before this time of the sandbox's clock."),
});

/** Schema of `when` in a rule. Contains only the parts of a matcher that are known before the exchange ends. */
export const When = once(() => z.strictObject(buildRequestParts(), { error: describeTooEarly }));

/** Schema of matchers in journal queries. Adds parts such as `status` to `when`. A rule runs before they are known. */
export const MatcherSchema = once(() => z.strictObject({ ...buildRequestParts(), ...buildEndedParts() }));

type GrammarRow = readonly [name: string, kind: string, about: string];

/** Lists the parts and operators of matchers with their descriptions, for a table in the manual. */
export function listGrammar(): readonly GrammarRow[] {
  const toRows = (shape: Readonly<Record<string, z.ZodType>>, kind: string): readonly GrammarRow[] =>
    Object.entries(shape).map(([name, { description = "" }]) => [name, kind, description]);
  return [
    ...toRows(buildRequestParts(), "all"),
    ...toRows(buildEndedParts(), "queries"),
    ...Object.entries(OPERATORS).map(([name, { about }]): GrammarRow => [name, "operator", about]),
  ];
}

/** Returns the error message for a part that only journal queries allow. Undefined: zod's own message is used. */
function describeTooEarly({ code, keys = [] }: { code?: string | undefined; keys?: readonly string[] }) {
  const [key = ""] = keys;
  return code === "unrecognized_keys" && key in buildEndedParts()
    ? `${key} is not known when a rule runs. Use it in journal queries.`
    : undefined;
}
