/** Runs a schema: on raw input, which becomes typed or issues, and on replies. Knows no service. */

import { z } from "zod";
import { describeUnknown } from "../errors/nearest.ts";
import { findValue, type Path } from "../http/json-pointer.ts";
import { type AnySchema, stripWrappers } from "./fields.ts";
import { MAX_ISSUES, prefixIssues, type ValidationIssue } from "./issue.ts";
import { describeIssue, describeUnknownField } from "./wording.ts";

type CheckResult<T> =
  | { readonly value: T; readonly issues?: undefined; readonly more?: undefined }
  | {
      /** The first 20. */
      readonly issues: readonly ValidationIssue[];
      /** What is to be said of the others: `… and 7 more.` */
      readonly more: string;
      readonly value?: undefined;
    };
type ValidationResult = CheckResult<unknown> & {
  /** Top-level fields that the schema does not have. */
  readonly unknown: readonly string[];
};
type RequestPart = NonNullable<ValidationIssue["in"]>;

/** Checks beyond the schema: they receive the value or, for an object with issues, the fields that have none. */
type ExtraChecks = (right: unknown) => readonly ValidationIssue[];

export function check<S extends z.ZodType>(schema: S, input: unknown): CheckResult<z.output<S>> {
  const long = typeof input === "object" && input !== null && checkLists(schema as AnySchema, input, []);
  if (long) return long;
  const quick = schema.safeParse(input); // twice as fast without options
  return quick.success ? { value: quick.data } : collectIssues(schema, input);
}

/** The issues of a value that does not fit. */
function collectIssues(schema: z.ZodType, input: unknown): CheckResult<never> {
  const { issues: raw } = schema._zod.run({ value: input, issues: [] }, NO_MESSAGES) as z.core.ParsePayload; // not async
  const count = raw.reduce((sum, { keys }) => sum + (Array.isArray(keys) ? keys.length : 1), 0);
  const issues = raw
    .slice(0, MAX_ISSUES)
    .map((issue) => findInnermost(z.core.util.finalizeIssue(issue, NO_MESSAGES, z.core.config())))
    .flatMap((issue) => toIssues(issue, schema, input));
  return limitIssues(issues, count);
}

/** An empty message: the schema has none of its own. */
const NO_MESSAGES: z.core.ParseContextInternal = { async: false, error: () => "" };

function limitIssues(issues: readonly ValidationIssue[], count: number) {
  const first = issues.slice(0, MAX_ISSUES);
  return { issues: first, more: count > first.length ? `… and ${count - first.length} more.` : "" };
}

/** Longer lists are checked item by item, and no further than the first mistakes. */
const LONG_LIST_ITEMS = 1_000;

/** What is wrong with the first list of more than LONG_LIST_ITEMS that has too many mistakes, wherever in the value it is. */
function checkLists(
  schema: AnySchema | undefined,
  value: object,
  path: Path,
): CheckResult<never> | undefined {
  if (Array.isArray(value) && value.length > LONG_LIST_ITEMS)
    return checkItems(stripWrappers(schema), value, path);
  for (const name in value) {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof part !== "object" || part === null) continue;
    const own = stripWrappers(schema);
    const field = own?.shape !== undefined && Object.hasOwn(own.shape, name) ? own.shape[name] : undefined;
    const next = field ?? own?.element ?? own?.valueType;
    const key = Array.isArray(value) ? Number(name) : name;
    const wrong = next && checkLists(next, part, [...path, key]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Its bounds first, without a look at the items. A few mistakes are found again beside those of the rest. */
function checkItems(
  schema: AnySchema | undefined,
  items: readonly unknown[],
  path: Path,
): CheckResult<never> | undefined {
  if (!(schema instanceof z.ZodArray)) return undefined;
  const outline = schema.clone({ ...schema.def, element: z.unknown() });
  if (!outline.safeParse(items).success) {
    const { issues = [], more = "" } = collectIssues(outline, items);
    return { issues: prefixIssues(path, issues), more };
  }
  const found: ValidationIssue[] = [];
  for (const [index, item] of items.entries()) {
    const { issues = [] } = check(schema.element as z.ZodType, item);
    found.push(...prefixIssues([...path, index], issues));
    if (found.length < MAX_ISSUES) continue;
    const more = `… and ${items.length - index - 1} items not looked at.`;
    return { issues: found.slice(0, MAX_ISSUES), more };
  }
  return undefined;
}

/** Checks one part of a request against its schema and `rules`. Issues come in the order of the schema's fields. */
export function validate(
  schema: z.ZodType,
  input: unknown,
  where: RequestPart = "body",
  rules?: ExtraChecks,
): ValidationResult {
  const unknown = findUnknownFields(schema, input);
  const checked = check(schema, input);
  const found = (checked.issues ?? []).map((issue) => withPart(issue, where));
  if (rules === undefined && checked.issues === undefined) return { value: checked.value, unknown };
  const right = (): unknown =>
    checked.issues === undefined ? checked.value : pickValidFields(schema, input);
  const kind = "value" as const;
  const broken = (rules?.(right()) ?? [])
    .filter(({ path: [field] }) => !found.some((issue) => issue.path[0] === field))
    .map((issue) => ({ in: where, kind, received: findValue(input, issue.path), ...issue }));
  if (checked.issues === undefined && broken.length === 0) return { value: checked.value, unknown };
  const order = Object.keys(shapeOf(schema) ?? {});
  const place = ({ path: [field] }: ValidationIssue): number => order.indexOf(String(field));
  const all = [...found, ...broken].sort((one, other) => place(one) - place(other));
  const first = limitIssues(all, all.length);
  return { issues: first.issues, more: checked.more || first.more, unknown };
}

/** An issue for an undeclared field, for parts that refuse these. */
export function createUnknownIssue(
  name: string,
  schema: z.ZodType,
  where: RequestPart = "body",
): ValidationIssue {
  const known = Object.keys(shapeOf(schema) ?? {});
  const message =
    where === "query" ? describeUnknown("query parameter", name, known) : describeUnknownField(name, schema);
  return { in: where, path: [name], kind: "unknown", message };
}

/** A query parameter that was sent twice arrives as an array. */
function withPart(issue: ValidationIssue, where: RequestPart): ValidationIssue {
  const twice = where === "query" && Array.isArray(issue.received);
  return { ...issue, in: where, ...(twice ? { message: "must be sent once" } : {}) };
}

const NONE: readonly string[] = [];

function findUnknownFields(schema: z.ZodType, input: unknown): readonly string[] {
  const shape = shapeOf(schema);
  if (shape === undefined || typeof input !== "object" || input === null || Array.isArray(input)) return NONE;
  let unknown: string[] | undefined;
  for (const name in input) {
    if (Object.hasOwn(shape, name)) continue;
    unknown ??= [];
    unknown.push(name);
  }
  return unknown ?? NONE;
}

/** The fields of an object that fit their own schemas; none of anything else. */
export function pickValidFields(schema: z.ZodType, input: unknown): Readonly<Record<string, unknown>> {
  const checked = Object.entries(shapeOf(schema) ?? {}).map(
    ([name, field]) => [name, field.safeParse(findValue(input, [name]))] as const,
  );
  return Object.fromEntries(
    checked.filter(([, { success }]) => success).map(([name, { data }]) => [name, data]),
  );
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  return (schema as { shape?: Readonly<Record<string, z.ZodType>> }).shape; // only object schemas have one
}

function toIssues(issue: z.core.$ZodIssue, schema: z.ZodType, input: unknown): readonly ValidationIssue[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MAX_ISSUES).map((key) => {
      const own = issue.message.startsWith(key) ? issue.message : undefined; // the field was removed
      const message = own ?? describeUnknownField(key, schema, path);
      return { path: [...path, key], kind: "unknown", message };
    });
  if (issue.code === "invalid_key")
    return [{ path, kind: "unknown", message: issue.issues[0]?.message || "is not a valid name" }];
  const received = findValue(input, path);
  const last = path.at(-1);
  const message = issue.message || describeIssue(issue, received, typeof last === "string" ? last : "value");
  return [{ path, kind: classifyIssue(issue, received), message, received }];
}

function classifyIssue({ code, message }: z.core.$ZodIssue, received: unknown): "missing" | "type" | "value" {
  if (received === undefined && message === "") return "missing";
  return code === "invalid_type" ? "type" : "value";
}

/** For a value that fits none of several forms: what is wrong with the nearest form. */
function findInnermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const fitting = issue.errors.filter(([first]) => first !== undefined && !isOtherType(first));
  const [best] = fitting.sort((one, other) => getDepth(other[0]) - getDepth(one[0]));
  const first = best?.find(({ code }) => code === "unrecognized_keys") ?? best?.[0];
  return first === undefined ? issue : findInnermost({ ...first, path: [...issue.path, ...first.path] });
}

function isOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === "invalid_type" && path.length === 0;
}

function getDepth(issue: z.core.$ZodIssue | undefined): number {
  return issue?.path.length ?? 0;
}

const validReplies = new WeakMap<z.ZodType, WeakSet<object>>();

/** Whether a reply fits its schema. What cannot change is checked once: entities of the store and pages of them are frozen in every part. */
export function isValidReply(schema: z.ZodType, value: unknown): boolean {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value))
    return schema.safeParse(value).success;
  let known = validReplies.get(schema);
  if (known === undefined) {
    known = new WeakSet();
    validReplies.set(schema, known);
  }
  if (known.has(value)) return true;
  const { success } = schema.safeParse(value);
  if (success) known.add(value);
  return success;
}
