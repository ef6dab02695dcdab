/** The parsing of JSON bodies: the limits of a body, and numbers that would lose their value. Knows no schema. */

import { shorten } from "../errors/quote.ts";
import { getPlatform } from "../world/platform.ts";
import { findValue, type Path, toPointer } from "./json-pointer.ts";

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA] = [9, 10, 13, 32, 34, 44];
const [OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 92, 93, 123, 125];
const MAX_DEPTH = 64;
const MAX_MEMBERS = 50_000;
const MAX_NUMBER_CHARS = 24;
/** Cheap hints that a number may not be what it seems: an exponent, very many digits, for some also a fraction. */
const UNUSUAL_NUMBER = {
  literal: /(?:^|[\s:[,])-?(?:\d+[.eE]|\d{16})/,
  other: /(?:^|[\s:[,])-?(?:\d+(?:\.\d+)?[eE]|\d{16})/,
};

/**
 * What becomes of numbers that are not simply what they seem. `literal`: `10.0` and `1e2` become FloatLiteral. Fractions
 * are rounded; integers that lose digits, and values beyond a double, end the reading where they are `plain`; where only
 * those of declared fields matter (`declared`), they become LostNumber.
 */
export type NumberMode = "plain" | "declared" | "literal";

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

/** A number that a double cannot hold, as it was written: no schema takes it. Rules compare it by its nearest value. */
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

/** Parses a JSON text. Members of objects and arrays are counted together. */
export function parseJson(
  text: string,
  numbers: NumberMode = "plain",
  mostMembers: number = MAX_MEMBERS,
): ParsedJson {
  if (text.trim() === "") return { error: "the body is empty" };
  const excess = findExcess(text, mostMembers);
  if (excess !== undefined) return { error: excess };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: describeSyntaxError(text) }; // JSON.parse throws for nothing else
  }
  const unusual = numbers === "literal" ? UNUSUAL_NUMBER.literal : UNUSUAL_NUMBER.other;
  return unusual.test(text) ? checkNumbers(text, value, numbers) : { value };
}

/** Counts in the text, since parsing millions of members could take all memory. */
function findExcess(text: string, mostMembers: number): string | undefined {
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
    if (members > mostMembers) return `it has more than ${mostMembers} members`;
  }
  return undefined;
}

/** Where the string that begins at `start` ends. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** Walks the text again, number by number: refuses what cannot be kept, or marks it. */
function checkNumbers(text: string, value: unknown, numbers: NumberMode): ParsedJson {
  let error: string | undefined;
  /** By place: of members with one name the last counts. */
  const marks = new Map<string, { readonly path: Path; readonly mark: FloatLiteral }>();
  const { visit } = getPlatform().packages.jsonc();
  visit(text, {
    onLiteralValue(literal, offset, length, _line, _character, pathOf) {
      const path = pathOf();
      const place = toPointer(path);
      marks.delete(place);
      if (typeof literal !== "number") return;
      const written = text.slice(offset, offset + length);
      const isFit = numbers === "literal" ? Number.isFinite(literal) : isHeld(written, literal);
      if (!isFit && numbers !== "declared")
        error ??= `a double cannot hold the number ${shorten(written, MAX_NUMBER_CHARS)}`;
      const isInteger = /^-?\d+$/.test(written) && Number.isSafeInteger(literal);
      if (numbers === "literal" && !isInteger) marks.set(place, { path, mark: new FloatLiteral(literal) });
      else if (!isFit) marks.set(place, { path, mark: new LostNumber(written, literal) });
    },
  });
  if (error !== undefined) return { error };
  for (const { path, mark } of marks.values()) replaceNumber(value, path, mark);
  return { value };
}

/** Puts the mark where the number is; a number that is the whole body fits no schema anyway. */
function replaceNumber(root: unknown, path: Path, mark: FloatLiteral): void {
  const last = path.at(-1);
  if (last === undefined || typeof findValue(root, path) !== "number") return; // or a later member of that name came
  const parent = findValue(root, path.slice(0, -1)) as Record<string | number, unknown>; // it has a member
  parent[last] = mark;
}

/** Whether a double holds the number: an integer digit by digit, as written or as JavaScript prints it. */
function isHeld(written: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (!/^-?\d+$/.test(written)) return true;
  return BigInt(value) === BigInt(written) || readDigits(String(value)) === readDigits(written);
}

/** From the first digit that is not zero to the last one. */
function readDigits(number: string): string {
  return number.replace(/e.*|\D/g, "").replace(/^0+|0+$/g, "");
}

/** Where it stops being JSON, without echoing the body. */
function describeSyntaxError(text: string): string {
  const offset = findSyntaxError(text);
  if (offset === undefined) return "it is not valid JSON";
  const { line, column } = findPosition(text, offset);
  return `it is not valid JSON at line ${line}, column ${column}`;
}

/** Where the character at `offset` is; both count from 1. */
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
