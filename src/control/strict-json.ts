/**
 * Parses control bodies: plain JSON without duplicate keys and without keys that reach for a prototype. What a
 * client of the two services sends is read more leniently, as the real services do.
 */

import { type ParsedJson, parseJson } from "../operation/json.ts";
import { jsonc } from "../operation/jsonc.ts";
import { type Path, reachesPrototype } from "../operation/path.ts";

/** Whole states arrive here: the size of the body is the only bound on its content. */
export function parseStrictJson(text: string): ParsedJson {
  const parsed = parseJson(text, "plain", Number.POSITIVE_INFINITY);
  if (parsed.error !== undefined) return parsed;
  const open: Set<string>[] = [];
  let refused: { error: string; path: Path } | undefined;
  jsonc().visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, _offset, _length, _line, _character, pathOf) {
      const path = pathOf();
      const keys = open.at(-1);
      const twice = keys?.has(key) === true;
      keys?.add(key);
      const error = twice
        ? `duplicate key ${JSON.stringify(key)}`
        : reachesPrototype(key, path.at(-1))
          ? `the key ${JSON.stringify(key)} is not allowed`
          : undefined;
      if (error !== undefined) refused ??= { error, path: [...path, key] };
    },
  });
  return refused ?? parsed;
}
