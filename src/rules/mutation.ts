/**
 * Changes to a true reply: JSON Patch (RFC 6902), and named mutations that a careful client survives. Pure: a
 * reply goes in, another comes out. The patching is our own: the library rfc6902 5.4.0 was tried, and takes
 * `/list/length` for the first item, `/constructor` and `/toString` for members, cannot replace the whole, and copies to
 * places beyond the end of a list.
 */

import { z } from "zod";
import { fromPointer } from "../operation/path.ts";
import { once } from "../world/once.ts";
import { JSON_VALUES, matches } from "./condition.ts";

const POINTER = /^(\/([^~/]|~[01])*)*$/;
const NAMED = /^(extra|empty|(drop|null|enum|long):(\/([^~/]|~[01])*)+)$/;
const FORMS =
  "must be extra, empty, drop:/field, null:/field, enum:/field, long:/field, or JSON Patch operations";
/** Of a list (RFC 6901, 4): no sign, and no zeros before it. */
const INDEX = /^(0|[1-9]\d*)$/;
const LONG_TEXT = "long ".repeat(2_000);

const pointer = once(() => z.string().regex(POINTER, "must be a JSON pointer such as /dates/0"));
const NamedMutation = once(() => z.string().regex(NAMED, FORMS));
const Patch = once(() =>
  z.discriminatedUnion(
    "op",
    [
      z.strictObject({ op: z.enum(["add", "replace", "test"]), path: pointer(), value: z.json() }),
      z.strictObject({ op: z.literal("remove"), path: pointer() }),
      z.strictObject({ op: z.enum(["move", "copy"]), path: pointer(), from: pointer() }),
    ],
    "Unknown operation of JSON Patch. Known: add, replace, test, remove, move, copy.",
  ),
);
export const Mutations = once(() =>
  z.union([NamedMutation(), z.array(z.union([NamedMutation(), Patch()])).min(1)], FORMS),
);
export type Mutation = z.output<ReturnType<typeof NamedMutation>> | z.output<ReturnType<typeof Patch>>;

/** The result: the changed value, or why the mutation does not apply to this reply. */
export type Mutated = { readonly value: unknown } | { readonly missed: string };

/** All mutations in order, on a copy; the first that does not apply ends it. */
export function mutate(reply: unknown, mutations: readonly Mutation[]): Mutated {
  let value = structuredClone(reply);
  for (const mutation of mutations) {
    const result = typeof mutation === "string" ? mutateByName(value, mutation) : patch(value, mutation);
    if ("missed" in result) return result;
    value = result.value;
  }
  return { value };
}

/** In a list, a mutation whose field is not an index applies to every item. */
function mutateByName(value: unknown, text: string): Mutated {
  const [kind = "", path = ""] = text.split(/:(.*)/s);
  if (kind === "empty") return { value: Array.isArray(value) ? [] : {} };
  if (Array.isArray(value) && (kind === "extra" || !/^\/\d+(\/|$)/.test(path))) {
    const items = value.map((item) => mutateByName(item, text));
    const missed = items.find((item) => "missed" in item);
    return missed ?? { value: items.map((item) => ("value" in item ? item.value : undefined)) };
  }
  if (kind === "extra") {
    if (!isObject(value)) return { missed: "the reply is not an object" };
    return { value: { ...value, unexpectedField: { added: "by the sandbox" } } };
  }
  if (kind === "drop") return patch(value, { op: "remove", path });
  const replacement = kind === "null" ? null : kind === "enum" ? "NOT_A_KNOWN_VALUE" : LONG_TEXT;
  return patch(value, { op: "replace", path, value: replacement });
}

type Operation = Exclude<Mutation, string>;

function patch(root: unknown, operation: Operation): Mutated {
  switch (operation.op) {
    case "add":
    case "replace":
      return write(root, operation.path, operation.value, operation.op);
    case "remove":
      return remove(root, operation.path);
    case "test": {
      const found = read(root, operation.path);
      const same = "value" in found && matches(found.value, { $eq: operation.value }, JSON_VALUES);
      return same ? { value: root } : { missed: `${operation.path} is not what the patch tests for` };
    }
    case "copy":
    case "move": {
      const found = read(root, operation.from);
      if ("missed" in found) return found;
      const rest = operation.op === "move" ? remove(root, operation.from) : { value: root };
      return "missed" in rest ? rest : write(rest.value, operation.path, structuredClone(found.value), "add");
    }
  }
}

function read(root: unknown, path: string): Mutated {
  let value = root;
  for (const part of fromPointer(path)) {
    if (!has(value, part)) return { missed: `the reply has no ${path}` };
    value = value[part];
  }
  return { value };
}

function write(root: unknown, path: string, value: unknown, how: "add" | "replace"): Mutated {
  const last = fromPointer(path).at(-1);
  if (last === undefined) return { value };
  const parent = read(root, path.slice(0, path.lastIndexOf("/")));
  if ("missed" in parent) return parent;
  const target = parent.value;
  if (how === "replace" && !has(target, last)) return { missed: `the reply has no ${path}` };
  if (Array.isArray(target)) {
    const index = last === "-" ? target.length : INDEX.test(last) ? Number(last) : Number.NaN;
    if (!(index <= target.length)) return { missed: `the reply has no place ${path}` };
    target.splice(index, how === "add" ? 0 : 1, value);
  } else if (isObject(target)) {
    Object.defineProperty(target, last, { value, enumerable: true, configurable: true, writable: true });
  } else return { missed: `the reply has no place ${path}` };
  return { value: root };
}

function remove(root: unknown, path: string): Mutated {
  const last = fromPointer(path).at(-1);
  if (last === undefined) return { value: undefined };
  const parent = read(root, path.slice(0, path.lastIndexOf("/")));
  if ("missed" in parent) return parent;
  const target = parent.value;
  if (!has(target, last)) return { missed: `the reply has no ${path}` };
  if (Array.isArray(target)) target.splice(Number(last), 1);
  else delete target[last];
  return { value: root };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member: of an object by name, of an array by index. */
function has(value: unknown, part: string): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return false;
  return !Array.isArray(value) || INDEX.test(part);
}
