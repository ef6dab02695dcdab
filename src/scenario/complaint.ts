// Owns how a mistake in a scenario is told: one sentence, the place in the file, and the nearest valid name.

import type { z } from "zod";
import { jsonType } from "../operation/validate.ts";
import { unknownName } from "../world/nearest.ts";
import { UsageError } from "../world/usage-error.ts";
import type { Path, Source } from "./source.ts";

/** Ends the reading of a scenario: `path` leads to the mistake, `part` says whether the key or the value is wrong. */
export type Refuse = (message: string, path: Path, part?: "key" | "value") => never;

export function refuser(source: Source): Refuse {
  return (message, path, part) => {
    throw new UsageError("badScenario", message, source.place(path, part));
  };
}

/** Refuses the first thing that a schema found wrong with the value at `base`. */
export function refuseIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  value: unknown,
  base: Path,
  refuse: Refuse,
): never {
  // A key that is written wrong is why another is missing.
  const [first = NO_ISSUE] = issues.toSorted((one, other) => rank(one) - rank(other));
  const issue = innermost(first);
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return refuse(unknownName("field", key, fieldsAt(schema, path)), [...base, ...path, key], "key");
  }
  const missing = /^invalid_(type|value)$/.test(issue.code) && valueAt(value, path) === undefined;
  if (missing && path.length > 0)
    return refuse(`${String(path.at(-1))} is required.`, [...base, ...path.slice(0, -1)]);
  if (issue.code === "invalid_key")
    return refuse(sentence(issue, path, undefined), [...base, ...path], "key");
  return refuse(sentence(issue, path, valueAt(value, path)), [...base, ...path]);
}

const NO_ISSUE: z.core.$ZodIssue = { code: "custom", path: [], message: "is wrong", input: undefined };

function rank({ code }: z.core.$ZodIssue): number {
  return code === "unrecognized_keys" ? 0 : 1;
}

function sentence(issue: z.core.$ZodIssue, path: Path, received: unknown): string {
  const field = typeof path.at(-1) === "string" ? String(path.at(-1)) : "This";
  switch (issue.code) {
    case "invalid_type":
      return `${field} must be of type ${issue.expected}, not ${jsonType(received)}.`;
    case "invalid_value":
      return typeof received === "string" && issue.values.length > 1
        ? unknownName(field, received, issue.values.map(String))
        : `${field} must be ${issue.values.map((one) => JSON.stringify(one)).join(" or ")}, not ${show(received)}.`;
    case "too_small":
    case "too_big":
      return /^[A-Z]/.test(issue.message) && !/^Too /.test(issue.message)
        ? issue.message
        : `${field} must be ${bound(issue)}, not ${show(received)}.`;
    default: {
      const told = issue.message.replace(/\.$/, "");
      if (/^[A-Z$]/.test(told) || told.startsWith(`${field} `)) return `${told}.`;
      return `${field} ${told}${received === undefined ? "" : `, not ${show(received)}`}.`;
    }
  }
}

function bound(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const items = issue.origin === "array" ? " items" : issue.origin === "string" ? " characters" : "";
  return issue.code === "too_small"
    ? `at least ${issue.minimum}${items}`
    : `at most ${issue.maximum}${items}`;
}

/** Of a value that fits none of several forms, what is wrong with the form it comes nearest to. */
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
    return { code: "custom", path: issue.path, message: forms(branches), input: undefined };
  return innermost({ ...first, path: [...issue.path, ...first.path] });
}

function forms(branches: readonly z.core.$ZodIssue[][]): string {
  const types = branches.map(([first]) => (first?.code === "invalid_type" ? first.expected : "other"));
  return `must be of type ${[...new Set(types)].join(" or ")}`;
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

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part]; // an own member
  }
  return value;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
