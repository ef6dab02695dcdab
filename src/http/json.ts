/** Parses JSON bodies. Limits their depth and number of members, and detects numbers that would lose digits. */

import { shorten } from "../errors/quote.ts";
import { getPlatform } from "../world/platform.ts";
import { findValue, type Path, toPointer } from "./json-pointer.ts";

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA] = [9, 10, 13, 32, 34, 44];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125];
const MAX_DEPTH = 64;
const MAX_MEMBERS = 50_000;
const MAX_NUMBER_CHARS = 24;
/** Quick tests for texts that may contain unusual numbers: with an exponent, 16 digits, or (in mode `literal`) a fraction. */
const UNUSUAL_NUMBER = {
  literal: /(?:^|[\s:[,])-?(?:\d+[.eE]|\d{16})/,
  other: /(?:^|[\s:[,])-?(?:\d+(?:\.\d+)?[eE]|\d{16})/,
};

/**
 * Treatment of unusual numbers. `plain`: a number that a double cannot represent is an error. `declared`: such a number becomes a
 * LostNumber, which only fields of the schema reject. `literal`: `10.0` and `1e2` become a FloatLiteral.
 */
export type NumberMode = "plain" | "declared" | "literal";

/** A number that is written like `10.0` or `1e2`, or is an unsafe integer. For services that distinguish it from an integer. */
export class FloatLiteral {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toJSON(): number {
    return this.value;
  }
}

/** A number that a double cannot represent. Schemas reject it, because it is an object. Rules compare the nearest double. */
export class LostNumber extends FloatLiteral {
  readonly written: string;
  constructor(written: string, value: number) {
    super(value);
    this.written = shorten(written, MAX_NUMBER_CHARS);
  }
}

export type ParsedJson =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: string; readonly path?: Path; readonly value?: undefined };

/** Parses JSON. `maxMembers` limits the total number of members in all objects and arrays. */
export function parseJson(
  text: string,
  numbers: NumberMode = "plain",
  maxMembers: number = MAX_MEMBERS,
): ParsedJson {
  if (text.trim() === "") return { error: "the body is empty" };
  const excess = findExcess(text, maxMembers);
  if (excess !== undefined) return { error: excess };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: describeSyntaxError(text) }; // JSON.parse throws only syntax errors.
  }
  const unusual = numbers === "literal" ? UNUSUAL_NUMBER.literal : UNUSUAL_NUMBER.other;
  return unusual.test(text) ? checkNumbers(text, value, numbers) : { value };
}

/** Describes the limit that the text exceeds, if any. Runs before parsing: millions of members could exhaust the memory. */
function findExcess(text: string, maxMembers: number): string | undefined {
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
    else if (code === QUOTE) at = findStringEnd(text, at);
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    if (members > maxMembers) return `it has more than ${maxMembers} members`;
  }
  return undefined;
}

/** Returns the offset of the quote that closes the string at `start`. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** Compares each number in the text with its parsed value. Depending on the mode, rejects or replaces unusual numbers. */
function checkNumbers(text: string, value: unknown, numbers: NumberMode): ParsedJson {
  let error: string | undefined;
  /** Replacements for unusual numbers, by JSON Pointer. If an object repeats a name, its last value wins, as in JSON.parse. */
  const marks = new Map<string, { readonly path: Path; readonly mark: FloatLiteral }>();
  const { visit } = getPlatform().packages.jsonc();
  visit(text, {
    onLiteralValue(literal, offset, length, _line, _character, pathOf) {
      const path = pathOf();
      const pointer = toPointer(path);
      marks.delete(pointer);
      if (typeof literal !== "number") return;
      const source = text.slice(offset, offset + length);
      const isExact = numbers === "literal" ? Number.isFinite(literal) : isRepresentable(source, literal);
      if (!isExact && numbers !== "declared")
        error ??= `a 64-bit float cannot represent the number ${shorten(source, MAX_NUMBER_CHARS)}`;
      const isInteger = /^-?\d+$/.test(source) && Number.isSafeInteger(literal);
      if (numbers === "literal" && !isInteger) marks.set(pointer, { path, mark: new FloatLiteral(literal) });
      else if (!isExact) marks.set(pointer, { path, mark: new LostNumber(source, literal) });
    },
  });
  if (error !== undefined) return { error };
  for (const { path, mark } of marks.values()) replaceNumber(value, path, mark);
  return { value };
}

/** Replaces the number at `path` by `mark`. A number that is the whole body stays, because schemas of bodies reject it. */
function replaceNumber(root: unknown, path: Path, mark: FloatLiteral): void {
  const last = path.at(-1);
  if (last === undefined || typeof findValue(root, path) !== "number") return; // A later member of the same name replaced it.
  const parent = findValue(root, path.slice(0, -1)) as Record<string | number, unknown>; // Safe cast: it contains the number.
  parent[last] = mark;
}

/** Whether a double can represent the number. A fraction may be rounded. An integer must be exact, or print with the same digits. */
function isRepresentable(written: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (!/^-?\d+$/.test(written)) return true;
  return BigInt(value) === BigInt(written) || readDigits(String(value)) === readDigits(written);
}

/** Returns the significant digits of a number: `120` and `1.2e2` have the digits `12`. */
function readDigits(number: string): string {
  return number.replace(/e.*|\D/g, "").replace(/^0+|0+$/g, "");
}

/** Describes only the position of the error, because the body may contain secrets. */
function describeSyntaxError(text: string): string {
  const offset = findSyntaxError(text);
  if (offset === undefined) return "it is not valid JSON";
  const { line, column } = findPosition(text, offset);
  return `it is not valid JSON at line ${line}, column ${column}`;
}

/** Returns the line and column of an offset, both starting at 1. */
export function findPosition(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function findSyntaxError(text: string): number | undefined {
  let first: number | undefined;
  const onError = (_code: number, offset: number): void => {
    first ??= offset;
  };
  getPlatform().packages.jsonc().visit(text, { onError }, { disallowComments: true });
  return first;
}
