/** Validates requests and responses with schemas. */

import { z } from "zod";
import { describeUnknown } from "../errors/nearest.ts";
import { findValue, type Path } from "../http/json-pointer.ts";
import { type AnySchema, stripWrappers } from "./fields.ts";
import { MAX_ISSUES, prefixIssues, type ValidationIssue } from "./issue.ts";
import { describeIssue, describeUnknownField } from "./wording.ts";

type CheckResult<T> =
  | { readonly value: T; readonly issues?: undefined; readonly more?: undefined }
  | {
      /** The first 20 issues. */
      readonly issues: readonly ValidationIssue[];
      /** Text with the number of the other issues, or empty: `… and 7 more.` */
      readonly more: string;
      readonly value?: undefined;
    };
type ValidationResult = CheckResult<unknown> & {
  /** Top-level fields that are not in the schema. */
  readonly unknown: readonly string[];
};
type RequestPart = NonNullable<ValidationIssue["in"]>;

/** Checks that the schema cannot express. They receive the value or, if it is invalid, only its valid fields. */
type ExtraChecks = (valid: unknown) => readonly ValidationIssue[];

export function check<S extends z.ZodType>(schema: S, input: unknown): CheckResult<z.output<S>> {
  const long = typeof input === "object" && input !== null && checkLists(schema as AnySchema, input, []);
  if (long) return long;
  const quick = schema.safeParse(input); // Pass no options: zod is then twice as fast.
  return quick.success ? { value: quick.data } : collectIssues(schema, input);
}

function collectIssues(schema: z.ZodType, input: unknown): CheckResult<never> {
  const { issues: raw } = schema._zod.run({ value: input, issues: [] }, NO_MESSAGES) as z.core.ParsePayload; // Safe cast: `async` is false.
  const count = raw.reduce((sum, { keys }) => sum + (Array.isArray(keys) ? keys.length : 1), 0);
  const issues = raw
    .slice(0, MAX_ISSUES)
    .map((issue) => findInnermost(z.core.util.finalizeIssue(issue, NO_MESSAGES, z.core.config())))
    .flatMap((issue) => toIssues(issue, schema, input));
  return limitIssues(issues, count);
}

/** Makes zod create empty messages. `toIssues` replaces them with vitrine's own messages. */
const NO_MESSAGES: z.core.ParseContextInternal = { async: false, error: () => "" };

function limitIssues(issues: readonly ValidationIssue[], count: number) {
  const first = issues.slice(0, MAX_ISSUES);
  return { issues: first, more: count > first.length ? `… and ${count - first.length} more.` : "" };
}

/** Maximum length of a list that is checked as a whole. The items of longer lists are checked until 20 issues are found. */
const LONG_LIST_ITEMS = 1_000;

/** Searches for long lists at any depth. Returns the issues of the first list that has a wrong length or 20 issues. */
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
    const issues = next && checkLists(next, part, [...path, key]);
    if (issues !== undefined) return issues;
  }
  return undefined;
}

/** Checks the length of a list, then its items. Ignores fewer than 20 issues of items, because `check` finds them again. */
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
    const more = `… and ${items.length - index - 1} items not checked.`;
    return { issues: found.slice(0, MAX_ISSUES), more };
  }
  return undefined;
}

/** Checks one part of a request with its schema and `rules`. Sorts the issues in the order of the schema's fields. */
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
  const valid = (): unknown =>
    checked.issues === undefined ? checked.value : pickValidFields(schema, input);
  const kind = "value" as const;
  const extra = (rules?.(valid()) ?? [])
    .filter(({ path: [field] }) => !found.some((issue) => issue.path[0] === field))
    .map((issue) => ({ in: where, kind, received: findValue(input, issue.path), ...issue }));
  if (checked.issues === undefined && extra.length === 0) return { value: checked.value, unknown };
  const order = Object.keys(shapeOf(schema) ?? {});
  const rank = ({ path: [field] }: ValidationIssue): number => order.indexOf(String(field));
  const all = [...found, ...extra].sort((left, right) => rank(left) - rank(right));
  const first = limitIssues(all, all.length);
  return { issues: first.issues, more: checked.more || first.more, unknown };
}

/** Creates an issue for a field that the schema lacks, for services that reject such fields. */
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

/** Adds the part of the request to an issue. A repeated query parameter, which is an array, gets its own message. */
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

/** Returns the valid fields of an object, and the defaults of missing fields. Other input counts as an empty object. */
export function pickValidFields(schema: z.ZodType, input: unknown): Readonly<Record<string, unknown>> {
  const checked = Object.entries(shapeOf(schema) ?? {}).map(
    ([name, field]) => [name, field.safeParse(findValue(input, [name]))] as const,
  );
  return Object.fromEntries(
    checked.filter(([, { success }]) => success).map(([name, { data }]) => [name, data]),
  );
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  return (schema as { shape?: Readonly<Record<string, z.ZodType>> }).shape; // Safe cast: only object schemas have a shape.
}

function toIssues(issue: z.core.$ZodIssue, schema: z.ZodType, input: unknown): readonly ValidationIssue[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MAX_ISSUES).map((key) => {
      const own = issue.message.startsWith(key) ? issue.message : undefined; // Some schemas set a message that begins with the key.
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

/** If a value matches no type of a union, returns the issue of the most similar type. Returns other issues unchanged. */
function findInnermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const fitting = issue.errors.filter(
    ([first]) => first !== undefined && !(first.code === "invalid_type" && first.path.length === 0),
  );
  const [best] = fitting.sort(([left], [right]) => (right?.path.length ?? 0) - (left?.path.length ?? 0));
  const first = best?.find(({ code }) => code === "unrecognized_keys") ?? best?.[0];
  return first === undefined ? issue : findInnermost({ ...first, path: [...issue.path, ...first.path] });
}

const validReplies = new WeakMap<z.ZodType, WeakSet<object>>();

/** Whether a response matches its schema. Checks a frozen value only once: frozen values (entities, pages) are deeply frozen. */
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
