/** The parsing of JSON bodies: the limits of a body, and numbers that would lose their value. Knows no schema. */

import { jsonc } from "./jsonc.ts";
import { type Path, valueAt } from "./path.ts";

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA] = [9, 10, 13, 32, 34, 44];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125];
const DEEPEST = 64;
const MOST_MEMBERS = 50_000;
/** Cheap hints that a number may not be what it seems: an exponent, very many digits, for some also a fraction. */
const UNUSUAL_NUMBER = {
  plain: /(?:^|[\s:[,])-?(?:\d+(?:\.\d+)?[eE]|\d{16})/,
  literal: /(?:^|[\s:[,])-?(?:\d+[.eE]|\d{16})/,
};

/** A number with a fraction or an exponent (`10.0`, `1e2`), for services that distinguish it from an integer. */
export class FloatLiteral {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toJSON(): number {
    return this.value;
  }
}

export type ParsedJson =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: string; readonly path?: Path };

/**
 * Parses a JSON text. `numbers: "literal"` turns `10.0` and `1e2` into FloatLiteral, `"plain"` into numbers. Members of
 * objects and arrays are counted together.
 */
export function parseJson(
  text: string,
  numbers: "plain" | "literal" = "plain",
  mostMembers: number = MOST_MEMBERS,
): ParsedJson {
  if (text.trim() === "") return { error: "the body is empty" };
  const excess = excessOf(text, mostMembers);
  if (excess !== undefined) return { error: excess };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: describeSyntaxError(text) }; // JSON.parse throws for nothing else
  }
  return UNUSUAL_NUMBER[numbers].test(text) ? withCheckedNumbers(text, value, numbers) : { value };
}

/** Counts in the text, since parsing millions of members could take all memory. */
function excessOf(text: string, mostMembers: number): string | undefined {
  let depth = 0;
  let members = 0;
  let opened = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) continue;
    const closes = code === CLOSE_ARRAY || code === CLOSE_OBJECT;
    if (code === COMMA || (opened && !closes)) members += 1;
    opened = code === OPEN_ARRAY || code === OPEN_OBJECT;
    if (opened) depth += 1;
    else if (closes) depth -= 1;
    else if (code === QUOTE) at = endOfString(text, at);
    if (depth > DEEPEST) return `it is nested deeper than ${DEEPEST} levels`;
    if (members > mostMembers) return `it has more than ${mostMembers} members`;
  }
  return undefined;
}

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** Walks the text again, number by number: refuses what a double cannot hold, and marks floats where asked to. */
function withCheckedNumbers(text: string, value: unknown, numbers: "plain" | "literal"): ParsedJson {
  let error: string | undefined;
  let root = value;
  jsonc().visit(text, {
    onLiteralValue(literal, offset, length, _line, _character, pathOf) {
      if (typeof literal !== "number") return;
      const written = text.slice(offset, offset + length);
      const integer = /^-?\d+$/.test(written);
      if (!Number.isFinite(literal)) error ??= `the number ${shorten(written)} is too large`;
      const exact = integer && Number.isSafeInteger(literal);
      if (integer && !exact && numbers === "plain")
        error ??= `the number ${shorten(written)} has more digits than can be kept`;
      if (numbers === "literal" && !exact) root = replaceAt(root, pathOf(), new FloatLiteral(literal));
    },
  });
  return error === undefined ? { value: root } : { error };
}

function replaceAt(root: unknown, path: Path, value: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parent = valueAt(root, path.slice(0, -1)) as Record<string | number, unknown>; // it is of this very text
  if (Object.hasOwn(parent, last)) parent[last] = value;
  return root;
}

function shorten(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

/** Where it stops being JSON, without echoing the body. */
function describeSyntaxError(text: string): string {
  const offset = firstError(text);
  if (offset === undefined) return "it is not valid JSON";
  const { line, column } = positionAt(text, offset);
  return `it is not valid JSON at line ${line}, column ${column}`;
}

/** Where the character at `offset` is; both count from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function firstError(text: string): number | undefined {
  let first: number | undefined;
  const onError = (_code: number, offset: number): never => {
    first = offset;
    throw new Error("The rest is not looked at.");
  };
  try {
    jsonc().visit(text, { onError }, { disallowComments: true });
  } catch {
    // it has found what it looked for
  }
  return first;
}
