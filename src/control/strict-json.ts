// Owns the reading of control bodies: plain JSON without duplicate keys and without keys that reach for a prototype.
// What a client of the two services sends is read more kindly, as the real services do.

import { visit } from "jsonc-parser";
import { type ParsedJson, parseJson } from "../operation/json.ts";
import { reachesPrototype, toPointer } from "../operation/path.ts";

/** Whole states come in by here: the size of the body is the only bound on how much is in it. */
export function parseStrictJson(text: string): ParsedJson {
  const parsed = parseJson(text, "plain", Number.POSITIVE_INFINITY);
  if (parsed.error !== undefined) return parsed;
  const open: Set<string>[] = [];
  let refused: { error: string; pointer: string } | undefined;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, _offset, _length, _line, _character, pathOf) {
      const path = pathOf();
      const keys = open.at(-1);
      const twice = keys?.has(key) === true;
      keys?.add(key);
      const message = twice
        ? "stands here twice"
        : reachesPrototype(key, path.at(-1))
          ? "is not allowed"
          : undefined;
      if (message !== undefined)
        refused ??= {
          error: `the key ${JSON.stringify(key)} ${message}`,
          pointer: toPointer([...path, key]),
        };
    },
  });
  return refused ?? parsed;
}
