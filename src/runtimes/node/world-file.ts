/** The file of one world: sections with its data, for people, and the section `vitrine` with everything else. */

import { createHash } from "node:crypto";
import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { type DataSections, type DataVersions, readSections, toVersions } from "../../sandbox/data-file.ts";
import { readStateRecord, type StateRecord, writeStateRecord } from "../../sandbox/record.ts";
import type { StoredState } from "../../sandbox/sandbox-state.ts";
import { type JsonSource, readSource } from "../../scenario/source.ts";
import { SnapshotReader, SnapshotWriter, type VersionTable } from "../../world/record.ts";
import type { Entity } from "../../world/store.ts";
import { listEntries, type Version, VersionedMap } from "../../world/versioned-map.ts";

const FORMAT = "vitrine-data";
const FORMAT_VERSION = 1;
/** Maximum size of a data file. */
const MAX_BYTES = 256 * 1_048_576;

/** State of the server, in the file of the main world. */
export type ServerState = { readonly seed: number; readonly made: number };

/** Everything but the data of the present. */
type HiddenState = {
  readonly server: ServerState | null;
  readonly state: StateRecord;
  readonly versions: VersionTable;
};
type VitrineSection = HiddenState & {
  readonly format: string;
  readonly formatVersion: number;
  /** Number of changes of the data. */
  readonly version: number;
  /** SHA-256 of the hidden state. */
  readonly digest: string;
};

/** The content of a file. Without `state` it has data only, and the world begins with it. */
export type WorldContent = {
  readonly version: number;
  readonly data: DataVersions;
  readonly sections: DataSections;
  readonly anchor: string | undefined;
  readonly state: StoredState | undefined;
  readonly server: ServerState | undefined;
};

/** The editable collections of a state, with their texts: without this cache a write takes twice the CPU. */
const sectionTexts = new WeakMap<Version<Entity>, string>();
const entryTexts = new WeakMap<Version<Entity>, string>();

function getText(
  cache: WeakMap<Version<Entity>, string>,
  version: Version<Entity>,
  format: (version: Version<Entity>) => string,
): string {
  const text = cache.get(version) ?? format(version);
  cache.set(version, text);
  return text;
}

const formatSection = (version: Version<Entity>): string =>
  JSON.stringify(new VersionedMap(version).values(), undefined, 2).replaceAll("\n", "\n    ");
const formatEntries = (version: Version<Entity>): string => JSON.stringify(listEntries(version));

/** The editable collections of a state. */
export function getData({ present }: StoredState, services: readonly Service[]): DataVersions {
  const empty = toVersions({}, services);
  return new Map([...empty].map(([id, none]) => [id, present.world.store.collections.get(id) ?? none]));
}

/** The text of a file. `version`: the number of changes of the data. */
export function formatWorld(
  state: StoredState,
  data: DataVersions,
  { version, server }: { readonly version: number; readonly server: ServerState | null },
): string {
  const sections = new Map<string, string[]>();
  for (const [id, collection] of data) {
    const [section = "", name] = id.split("/");
    const list = `    "${name}": ${getText(sectionTexts, collection, formatSection)}`;
    sections.set(section, [...(sections.get(section) ?? []), list]);
  }
  const writer = new SnapshotWriter();
  const hidden = [...state.present.world.store.collections].filter(([id]) => !data.has(id));
  const record = JSON.stringify(writeStateRecord(writer, withCollections(state, new Map(hidden))));
  const versions = Array.from(
    writer.ids,
    ([entries, id]) => `"${id}":${getText(entryTexts, entries, formatEntries)}`,
  );
  const text = `{"server":${JSON.stringify(server)},"state":${record},"versions":{${versions.join(",")}}}`;
  const head = { format: FORMAT, formatVersion: FORMAT_VERSION, version, digest: computeHash(text) };
  const parts = Array.from(sections, ([name, lists]) => `  "${name}": {\n${lists.join(",\n")}\n  },\n`);
  return `{\n${parts.join("")}  "vitrine": {\n    ${JSON.stringify(head).slice(1, -1)},\n    ${text.slice(1, -1)}\n  }\n}\n`;
}

/** Reads and checks a file. Throws a UsageError with file, line and column. */
export function readWorld(
  text: string,
  services: readonly Service[],
  file: string,
  before?: DataVersions,
): WorldContent {
  const source = readSource(text, file, MAX_BYTES);
  const sections = readSections(source, services, ["anchor", "vitrine"], before);
  const { vitrine, anchor } = source.value as { readonly vitrine?: VitrineSection; readonly anchor?: string };
  const data = toVersions(sections, services);
  const content = { version: 0, data, sections, anchor, state: undefined, server: undefined };
  if (vitrine === undefined) return content;
  assertUnchanged(vitrine, source);
  const { version, server, state, versions } = vitrine;
  const read = readStateRecord(new SnapshotReader(versions), state);
  const filled = [...data].filter(([, { slots }]) => slots.size > 0);
  const collections = new Map([...read.present.world.store.collections, ...filled]);
  return { ...content, version, state: withCollections(read, collections), server: server ?? undefined };
}

function withCollections(state: StoredState, collections: DataVersions): StoredState {
  const { world } = state.present;
  const store = { ...world.store, collections };
  return { ...state, present: { ...state.present, world: { ...world, store } } };
}

function assertUnchanged(section: VitrineSection, source: JsonSource): void {
  const { format, formatVersion, digest, server, state, versions } = section;
  const reject = (message: string, name: string): never => {
    throw new UsageError("badData", message, source.locate(["vitrine", name]));
  };
  if (format !== FORMAT) reject(`The format must be "${FORMAT}".`, "format");
  if (formatVersion !== FORMAT_VERSION) {
    const known = `this vitrine reads version ${FORMAT_VERSION}`;
    reject(`The file has format version ${formatVersion}; ${known}.`, "formatVersion");
  }
  const ways = "Restore it, or delete it: then the world begins with the data.";
  if (digest !== computeHash(JSON.stringify({ server, state, versions })))
    reject(`The section "vitrine" was edited. ${ways}`, "digest");
}

function computeHash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
