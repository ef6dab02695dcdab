/** Parses JSON and finds the position of each value in the text. */

import type { Node, ParseError } from "jsonc-parser";
import { quote } from "../errors/quote.ts";
import { type SourceLocation, UsageError } from "../errors/usage-error.ts";
import { findPosition } from "../http/json.ts";
import { type Path, reachesPrototype, toPointer } from "../http/json-pointer.ts";
import { getPlatform } from "../world/platform.ts";

/** A parsed value with the locations of its parts. */
export type JsonSource = {
  readonly value: unknown;
  /** Returns the location of the key or value at `path`. If the path does not exist, locates its nearest parent. */
  locate(path: Path, part?: "key" | "value"): SourceLocation;
};

const MAX_SCENARIO_BYTES = 1_048_576;
const MAX_NESTING = 64;
const BOM = "\uFEFF";

/** Parses JSON text of at most `maxBytes` (default: 1 MiB). Throws a UsageError for invalid JSON and duplicate keys. */
export function readSource(
  text: string,
  file: string | undefined,
  maxBytes = MAX_SCENARIO_BYTES,
): JsonSource {
  const at = (offset: number, pointer?: string) => ({ file, ...findPosition(text, offset), pointer });
  const reject = (message: string, location: SourceLocation): never => {
    throw new UsageError("badScenario", message, location);
  };
  if (getPlatform().utf8Length(text) > maxBytes)
    reject(`The file has more than ${maxBytes / 1_048_576} MiB.`, { file });
  if (text.startsWith(BOM))
    reject("The file begins with a byte order mark. Save it as UTF-8 without BOM.", at(0));
  if (text.trim() === "") reject('The file is empty. The smallest scenario is { "version": 1 }.', at(0));
  const errors: ParseError[] = [];
  const tree = getPlatform()
    .packages.jsonc()
    .parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error !== undefined || tree === undefined)
    return reject(`This is not valid JSON: ${describeSyntax(error)}.`, at(error?.offset ?? 0));
  checkKeys(tree, [], (message, offset, path) => reject(message, at(offset, toPointer(path))));
  return {
    value: JSON.parse(text),
    locate(path, part = "value") {
      const node = findNode(tree, path);
      const offset = part === "key" ? (node.parent?.children?.[0]?.offset ?? node.offset) : node.offset;
      return at(offset, toPointer(path));
    },
  };
}

/** Creates a source for a value without text, such as a request body. Throws a UsageError for keys such as `__proto__`. */
export function createValueSource(value: unknown, name?: string | undefined): JsonSource {
  checkValue(value, [], name);
  return { value, locate: (path) => ({ file: name, pointer: toPointer(path) }) };
}

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidCommentToken: "comments are not allowed",
  PropertyNameExpected: "a property name in double quotes is expected (no trailing comma)",
  ValueExpected: "a value is expected (no trailing comma)",
  CommaExpected: "a comma is missing",
  ColonExpected: "a colon is missing",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "unexpected content after the end",
  InvalidSymbol: "this is not a JSON value",
  InvalidNumberFormat: "this is not a JSON number",
  UnexpectedEndOfString: "a string is not closed",
  InvalidEscapeCharacter: "unknown escape in a string",
  InvalidCharacter: "a control character must be escaped",
};

function describeSyntax(error: ParseError | undefined): string {
  const code =
    error === undefined ? "ValueExpected" : getPlatform().packages.jsonc().printParseErrorCode(error.error);
  return SYNTAX_MESSAGES[code] ?? code;
}

/** Rejects duplicate keys, keys such as `__proto__`, and nesting deeper than 64 levels. */
function checkKeys(node: Node, path: Path, reject: (message: string, offset: number, path: Path) => never) {
  if (path.length > MAX_NESTING) reject(`Nested deeper than ${MAX_NESTING} levels.`, node.offset, path);
  if (node.type === "array") {
    for (const [index, child] of (node.children ?? []).entries()) checkKeys(child, [...path, index], reject);
    return;
  }
  if (node.type !== "object") return;
  const seen = new Set<string>();
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    const key = String(keyNode?.value);
    if (seen.has(key)) reject(`Duplicate key ${quote(key)}.`, property.offset, [...path, key]);
    seen.add(key);
    if (reachesPrototype(key, path.at(-1)))
      reject(`The key ${quote(key)} is not allowed here.`, property.offset, [...path, key]);
    if (valueNode !== undefined) checkKeys(valueNode, [...path, key], reject);
  }
}

function checkValue(value: unknown, path: Path, name: string | undefined): void {
  if (typeof value !== "object" || value === null) return;
  const reject = (message: string, at: Path): never => {
    throw new UsageError("badScenario", message, { file: name, pointer: toPointer(at) });
  };
  if (path.length > MAX_NESTING) reject(`Nested deeper than ${MAX_NESTING} levels.`, path);
  for (const [key, child] of Object.entries(value)) {
    const part = Array.isArray(value) ? Number(key) : key;
    if (reachesPrototype(key, path.at(-1)))
      reject(`The key ${quote(key)} is not allowed here.`, [...path, part]);
    checkValue(child, [...path, part], name);
  }
}

function findNode(tree: Node, path: Path): Node {
  let node = tree;
  for (const part of path) {
    const next =
      typeof part === "number"
        ? node.children?.[part]
        : node.children?.find((property) => property.children?.[0]?.value === part)?.children?.[1];
    if (next === undefined) break;
    node = next;
  }
  return node;
}
