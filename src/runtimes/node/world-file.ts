/** Data file of a world: sections with data that you can edit, and the section `vitrine` with all other state. */

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
/** Maximum size of a data file, in bytes. */
const MAX_BYTES = 256 * 1_048_576;

/** Server state, which only the file of the main world contains. `made` is 3 after the default world name `w3`. */
export type ServerState = { readonly seed: number; readonly made: number };

/** Content of the section `vitrine` that must not be edited. */
type HiddenState = {
  readonly server: ServerState | null;
  readonly state: StateRecord;
  readonly versions: VersionTable;
};
type VitrineSection = HiddenState & {
  readonly format: string;
  readonly formatVersion: number;
  /** Increases with each write that changes the data. Detects an edit of an outdated version. */
  readonly version: number;
  /** SHA-256 of the hidden state. */
  readonly digest: string;
};

/** Content of a data file. `state` is undefined if the file has only data; a new world then starts from the data. */
export type WorldContent = {
  readonly version: number;
  readonly data: DataVersions;
  readonly sections: DataSections;
  readonly anchor: string | undefined;
  readonly state: StoredState | undefined;
  readonly server: ServerState | undefined;
};

/** Caches of the JSON of each collection version. They halve the CPU time of a write. */
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

/** Returns the editable collections of a state. */
export function getData({ present }: StoredState, services: readonly Service[]): DataVersions {
  const empty = toVersions({}, services);
  return new Map([...empty].map(([id, none]) => [id, present.world.store.collections.get(id) ?? none]));
}

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

/** Parses and validates a data file. Throws a UsageError with file, line and column. */
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
  if (format !== FORMAT) reject(`Expected "${FORMAT}".`, "format");
  if (formatVersion !== FORMAT_VERSION) {
    const known = `this version of vitrine reads ${FORMAT_VERSION}`;
    reject(`The file has format version ${formatVersion}; ${known}.`, "formatVersion");
  }
  const ways = "Undo the edit, or delete the section: the world then starts from the data.";
  if (digest !== computeHash(JSON.stringify({ server, state, versions })))
    reject(`The section "vitrine" was edited. ${ways}`, "digest");
}

function computeHash(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
