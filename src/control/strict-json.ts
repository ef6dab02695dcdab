/**
 * Parses control bodies: plain JSON without duplicate keys and without keys that reach for a prototype or are endless. What a
 * client of the two services sends is read more leniently, as the real services do.
 */

import { type ParsedJson, parseJson } from "../operation/json.ts";
import { type Path, reachesPrototype } from "../operation/path.ts";
import { platform } from "../world/platform.ts";
import { quoted, shortened } from "../world/shown.ts";

const LONGEST_KEY = 1_000;

export function parseStrictJson(text: string, mostMembers?: number): ParsedJson {
  const parsed = parseJson(text, "plain", mostMembers);
  if (parsed.error !== undefined) return parsed;
  const open: Set<string>[] = [];
  let refused: { error: string; path: Path } | undefined;
  platform()
    .packages.jsonc()
    .visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key, _offset, _length, _line, _character, pathOf) {
        const path = pathOf();
        const keys = open.at(-1);
        const twice = keys?.has(key) === true;
        keys?.add(key);
        const error = twice
          ? `duplicate key ${quoted(key)}`
          : reachesPrototype(key, path.at(-1))
            ? `the key ${quoted(key)} is not allowed`
            : key.length > LONGEST_KEY
              ? `the key ${quoted(key)} is longer than ${LONGEST_KEY} characters`
              : undefined;
        if (error !== undefined) refused ??= { error, path: [...path, shortened(key)] };
      },
    });
  return refused ?? parsed;
}
