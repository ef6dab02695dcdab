/**
 * The file format of a store: one JSON document with a version and a checksum, one entity per line. Anything that is
 * not exactly such a document is refused, never repaired. The files themselves: `state-folder.ts`.
 */

import { createHash } from "node:crypto";
import { LayeredMap } from "../../world/layered-map.ts";
import { jsonText } from "../../world/remembered.ts";
import { type Entity, frozen, type StoreData } from "../../world/store.ts";

const FORMAT_VERSION = 1;
const END = "}\n";

type Pairs = readonly (readonly [string, unknown])[];
type Body = { readonly counters: Pairs; readonly values: Pairs; readonly collections: Pairs };

export function writeDocument({ counters, values, collections }: StoreData): string {
  const lines = [...collections].map(
    ([name, map]) => `[${JSON.stringify(name)},[\n${entityLines(map).join(",\n")}\n]]`,
  );
  const body = `{"counters":${JSON.stringify([...counters])},\n"values":${JSON.stringify([...values])},\n"collections":[\n${lines.join(",\n")}\n]}`;
  return start(checksum(body)) + body + END;
}

function entityLines(map: LayeredMap<Entity>): string[] {
  return map.keys().map((key) => `[${JSON.stringify(key)},${jsonText(map.get(key))}]`);
}

/** The store of a document, or why the text is not one. */
export function readDocument(text: string): StoreData | { readonly broken: string } {
  const version = /^\{"formatVersion":(\d{1,9}),/.exec(text)?.[1];
  if (version === undefined) return { broken: describe(text) };
  if (Number(version) !== FORMAT_VERSION)
    return { broken: `it has format version ${version}; this vitrine reads version ${FORMAT_VERSION}` };
  const body = text.slice(start("").length + 64, -END.length);
  if (text !== start(checksum(body)) + body + END)
    return { broken: "its checksum does not fit: it was cut or changed" };
  return toStore(JSON.parse(body) as Body); // only writeDocument creates a body with this checksum
}

function toStore({ counters, values, collections }: Body): StoreData {
  return {
    counters: new Map(counters as readonly [string, number][]),
    values: new Map(values),
    collections: new Map(
      (collections as readonly [string, readonly [string, Entity][]][]).map(([name, entities]) => {
        const map = new LayeredMap<Entity>();
        for (const [key, entity] of entities) map.set(key, frozen(entity));
        return [name, map];
      }),
    ),
  };
}

function start(sum: string): string {
  return `{"formatVersion":${FORMAT_VERSION},"sha256":"${sum}","state":`;
}

function checksum(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

function describe(text: string): string {
  if (text.trim() === "") return "it is empty";
  try {
    JSON.parse(text);
    return "it is not a state of vitrine";
  } catch {
    return "it is not valid JSON";
  }
}
