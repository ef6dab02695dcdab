/**
 * Mistakes in a scenario as text: one sentence each, with its place in the file and the nearest valid name,
 * and all of them together.
 */

import type { z } from "zod";
import { type Path, valueAt } from "../operation/path.ts";
import { jsonType, orList, withArticle } from "../operation/wording.ts";
import { unknownName } from "../world/nearest.ts";
import { UsageError } from "../world/usage-error.ts";
import type { Source } from "./source.ts";

/** Ends the reading of a scenario: `path` leads to the mistake, `part` is what is wrong, the key or the value. */
export type Refuse = (message: string, path: Path, part?: "key" | "value") => never;

export function refuser(source: Source): Refuse {
  return (message, path, part) => {
    throw new UsageError("badScenario", message, source.place(path, part));
  };
}

/** Refuses everything that a schema found wrong with the value at `base`. */
export function refuseIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  value: unknown,
  base: Path,
  refuse: Refuse,
): never {
  const reported = issues.filter((issue) => !isConsequence(issue, issues, value));
  readAll(reported.map((issue) => () => refuseIssue(innermost(issue), schema, value, base, refuse)));
  return refuse("Invalid scenario.", base); // a schema that refuses has an issue
}

/** True where a misspelt key is the reason why another is missing, or too few are present. */
function isConsequence(
  issue: z.core.$ZodIssue,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): boolean {
  if (rank(issue) === 0) return false;
  const isMissing = issue.path.length > 0 && valueAt(value, issue.path.map(toPart)) === undefined;
  const home = JSON.stringify(isMissing ? issue.path.slice(0, -1) : issue.path);
  return issues.some((one) => rank(one) === 0 && JSON.stringify(one.path) === home);
}

function refuseIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  value: unknown,
  base: Path,
  refuse: Refuse,
): never {
  const path = issue.path.map(toPart);
  if (issue.code === "unrecognized_keys") {
    const [key = "", ...others] = issue.keys;
    if (others.length > 0)
      readAll(
        issue.keys.map((one) => () => refuseIssue({ ...issue, keys: [one] }, schema, value, base, refuse)),
      );
    const home = homeOf(key, schema, path);
    const usual =
      home === undefined
        ? unknownName("field", key, fieldsAt(schema, path))
        : `The field ${JSON.stringify(key)} belongs ${home}.`;
    const ofSchema = issue.message.startsWith(key) ? issue.message : undefined; // the field was removed
    return refuse(ofSchema ?? usual, [...base, ...path, key], "key");
  }
  const fields = fieldsAt(schema, path);
  if (issue.code === "invalid_key")
    return refuse(sentence(issue, path, undefined, fields), [...base, ...path], "key");
  const received = valueAt(value, path);
  if (received === undefined && path.length > 0)
    return refuse(`${String(path.at(-1))} is required.`, [...base, ...path.slice(0, -1)]);
  return refuse(sentence(issue, path, received, fields), [...base, ...path]);
}

function toPart(part: PropertyKey): string | number {
  return typeof part === "number" ? part : String(part);
}

function rank({ code }: z.core.$ZodIssue): number {
  return code === "unrecognized_keys" ? 0 : 1;
}

function sentence(issue: z.core.$ZodIssue, path: Path, received: unknown, fields: readonly string[]): string {
  const field = typeof path.at(-1) === "string" ? String(path.at(-1)) : "This";
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "int") return `${field} must be a whole number, not ${show(received)}.`;
      return issue.expected === "object" && fields.length > 0
        ? `${field} must be an object of ${fields.join(", ")}; not ${briefly(received)}.`
        : `${field} must be ${withArticle(issue.expected)}, not ${briefly(received)}.`;
    case "invalid_value":
      if (/^(?!Invalid )[A-Z]/.test(issue.message)) return issue.message;
      if (issue.values.length === 1 && issue.values[0] === true) return `${field} must be true, or left out.`;
      return typeof received === "string" && issue.values.length > 1
        ? unknownName(field, received, issue.values.map(String))
        : `${field} must be ${issue.values.map((one) => JSON.stringify(one)).join(" or ")}, not ${show(received)}.`;
    case "too_small":
    case "too_big":
      return /^[A-Z]/.test(issue.message) && !/^Too /.test(issue.message)
        ? issue.message
        : `${field} must ${bound(issue)}, not ${Array.isArray(received) ? received.length : show(received)}.`;
    default: {
      const text = issue.message.replace(/\.$/, "");
      if (/^[A-Z$"]/.test(text) || text.startsWith(`${field} `)) return `${text}.`;
      return `${field} ${text}${received === undefined ? "" : `, not ${show(received)}`}.`;
    }
  }
}

function bound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [most, count] = issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
  if (issue.origin === "array") return `have ${most} ${count} ${count === 1 ? "item" : "items"}`;
  return issue.origin === "string" ? `have ${most} ${count} characters` : `be ${most} ${count}`;
}

/** For a value that fits none of several forms: what is wrong with the nearest form. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code === "invalid_key") return { ...issue, message: issue.issues[0]?.message ?? issue.message };
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue;
  const branches = issue.errors.filter(([first]) => first !== undefined);
  const fitting = branches.filter(([first]) => !(first?.code === "invalid_type" && first.path.length === 0));
  const [best] = [...(fitting.length > 0 ? fitting : branches)].sort(
    (one, other) => (other[0]?.path.length ?? 0) - (one[0]?.path.length ?? 0),
  );
  const first = best?.toSorted((one, other) => rank(one) - rank(other))[0];
  if (first === undefined) return issue;
  if (fitting.length === 0)
    return { code: "custom", path: issue.path, message: formsOf(issue, branches), input: undefined };
  return innermost({ ...first, path: [...issue.path, ...first.path] });
}

/** A schema's own message about its forms takes precedence over one derived from them. */
function formsOf(issue: z.core.$ZodIssue, branches: readonly z.core.$ZodIssue[][]): string {
  return issue.message === "Invalid input" ? forms(branches) : issue.message;
}

function forms(branches: readonly z.core.$ZodIssue[][]): string {
  const types = branches.map(([first]) =>
    first?.code === "invalid_type" ? withArticle(first.expected) : "another",
  );
  return `must be ${orList([...new Set(types)])}`;
}

/** A value where it is short, else its kind. */
function briefly(value: unknown): string {
  return typeof value === "object" && value !== null ? jsonType(value) : show(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Two or more mistakes, in reading order. Its message is that of the first, and how many more there are. */
class Mistakes extends UsageError {
  readonly all: readonly UsageError[];

  constructor(first: UsageError, all: readonly UsageError[]) {
    super(first.code, "", first.place);
    const more = all.length - 1;
    this.all = all;
    this.message = `${first.message} And ${more} more ${more === 1 ? "mistake" : "mistakes"}.`;
  }
}

/** Each mistake that an error reports, in reading order. */
export function mistakesOf(error: UsageError): readonly UsageError[] {
  return error instanceof Mistakes ? error.all : [error];
}

/** The mistakes for which `read` is refused; none when it is valid. */
export function mistakesIn(read: () => unknown): readonly UsageError[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return mistakesOf(error);
  }
}

/** The value of each part. Where some are refused, throws one UsageError with the mistakes of all. */
export function readAll<const P extends readonly (() => unknown)[]>(
  parts: P,
): { -readonly [K in keyof P]: ReturnType<P[K]> } {
  const values: unknown[] = [];
  const mistakes = parts.flatMap((read) => mistakesIn(() => values.push(read()))).sort(byPlace);
  const [first, second] = mistakes;
  if (first === undefined) return values as { -readonly [K in keyof P]: ReturnType<P[K]> }; // one of each, in order
  throw second === undefined ? first : new Mistakes(first, mistakes);
}

/** Mistakes of different files, or of none, stay in the order found. */
function byPlace({ place: one }: UsageError, { place: other }: UsageError): number {
  if (one.file !== other.file) return 0;
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

/** Names of the fields that a schema has at a path inside it. */
export function fieldsAt(schema: z.ZodType, path: Path): string[] {
  let at: Schema | undefined = unwrap(schema as Schema); // read by its definition, whatever its kind
  for (const part of path) at = unwrap(at?.shape?.[part] ?? at?.element ?? at?.valueType);
  return Object.keys(at?.shape ?? {});
}

/** What schemas of any kind may have; objects have a shape, lists an element, defaults an inner type. */
type Schema = {
  readonly shape?: Readonly<Record<string | number, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly def?: { readonly innerType?: Schema };
};

function unwrap(schema: Schema | undefined): Schema | undefined {
  const inner = schema?.def?.innerType;
  if (inner !== undefined) return unwrap(inner);
  if (schema?.options === undefined) return schema;
  return { shape: Object.assign({}, ...schema.options.map((option) => unwrap(option)?.shape)) };
}

/**
 * Where a field belongs that the object at `path` does not have: in one of that object's own members, or next to
 * or in a member of the enclosing object. Undefined when neither has such a field.
 */
function homeOf(field: string, schema: z.ZodType, path: Path): string | undefined {
  const within = memberWith(field, schema, path);
  if (within !== undefined) return `in ${JSON.stringify(within)}`;
  const depth = path.findLastIndex((part) => typeof part === "string");
  const place = path[depth];
  if (place === undefined || place === field) return undefined;
  const around = path.slice(0, depth);
  if (fieldsAt(schema, around).includes(field)) return `next to ${JSON.stringify(place)}`;
  const member = memberWith(field, schema, around);
  return member === undefined ? undefined : `in ${JSON.stringify(member)}, next to ${JSON.stringify(place)}`;
}

/** The first member of the object at `path` that is an object with such a field. */
export function memberWith(field: string, schema: z.ZodType, path: Path): string | undefined {
  return fieldsAt(schema, path).find((member) => fieldsAt(schema, [...path, member]).includes(field));
}
