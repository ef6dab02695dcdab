/** Mutations: named changes to the body of a real response. They test whether a client is robust. */

import { z } from "zod";
import { parsePointer } from "../http/json-pointer.ts";
import { once } from "../world/lazy.ts";

export type NamedMutation = "extra" | "empty" | `${"drop" | "null" | "enum" | "long"}:/${string}`;

const MUTATION_PATTERN = /^(extra|empty|(drop|null|enum|long):(\/([^~/]|~[01])*)+)$/;
const MUTATION_FORMS =
  "must be extra, empty, drop:/field, null:/field, enum:/field or long:/field, or a list of these";
/** A list index (RFC 6901, section 4): digits without a leading zero. */
const INDEX_PATTERN = /^(0|[1-9]\d*)$/;
const LONG_TEXT = "long ".repeat(2_000);

export const Mutations = once(() => {
  const mutation = z.string().regex(MUTATION_PATTERN, MUTATION_FORMS);
  return z.union([mutation, z.array(mutation).min(1)], MUTATION_FORMS);
});

/** The changed value, or the reason why the mutation does not apply. */
export type MutationResult = { readonly value: unknown } | { readonly missed: string };

/** Applies the mutations, in order, to a copy of `reply`. Stops at the first mutation that does not apply. */
export function mutate(reply: unknown, mutations: readonly string[]): MutationResult {
  let value = structuredClone(reply);
  for (const mutation of mutations) {
    const result = applyMutation(value, mutation);
    if ("missed" in result) return result;
    value = result.value;
  }
  return { value };
}

/** Applies one mutation. Changes every item of a list, unless the path begins with an index or the mutation is `empty`. */
function applyMutation(value: unknown, mutation: string): MutationResult {
  const [kind = "", path = ""] = mutation.split(/:(.*)/s);
  if (kind === "empty") return { value: Array.isArray(value) ? [] : {} };
  if (Array.isArray(value) && (kind === "extra" || !/^\/\d+(\/|$)/.test(path))) {
    const items = value.map((item) => applyMutation(item, mutation));
    const missed = items.find((item) => "missed" in item);
    return missed ?? { value: items.map((item) => ("value" in item ? item.value : undefined)) };
  }
  if (kind === "extra") {
    if (typeof value !== "object" || value === null) return { missed: "the response is not an object" };
    return { value: { ...value, unexpectedField: { added: "by the sandbox" } } };
  }
  const names = parsePointer(path);
  const last = names.pop() ?? "";
  let parent = value;
  for (const name of names) parent = hasOwn(parent, name) ? parent[name] : undefined;
  if (!hasOwn(parent, last)) return { missed: `the response has no ${path}` };
  if (kind !== "drop")
    parent[last] = kind === "null" ? null : kind === "enum" ? "NOT_A_KNOWN_VALUE" : LONG_TEXT;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return { value };
}

/** Whether the value has this own member, or this index if it is an array. */
function hasOwn(value: unknown, name: string): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
  return !Array.isArray(value) || INDEX_PATTERN.test(name);
}
