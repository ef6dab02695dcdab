/**
 * Writes and reads a whole world as JSON: current state, start state, snapshots and journal, with passwords. Excludes
 * open requests, coverage, and server options such as `smtp`. If it replaces a world, requests at a gate or in a delay get a 503.
 */

import { UsageError } from "../errors/usage-error.ts";
import { type JournalRecord, NO_JOURNAL } from "../journal/journal-record.ts";
import { type RulesRecord, readRules, writeRules } from "../scenario/rules-record.ts";
import { computeDigest } from "../world/digest.ts";
import { SnapshotReader, type SnapshotRecord, SnapshotWriter, type VersionTable } from "../world/record.ts";
import type { SandboxSnapshot, SandboxState, Settings, StoredState } from "./sandbox-state.ts";

const FORMAT = "vitrine-world";
const VERSION = 2;

export type SandboxStateRecord = SnapshotRecord & {
  readonly settings: Settings;
  readonly rules: RulesRecord;
};

/** All states of a world. Their collections are stored in one `VersionTable`, which the states share. */
export type StateRecord = {
  readonly present: SandboxStateRecord;
  /** The state that `reset` restores. */
  readonly start: SandboxStateRecord;
  /** Snapshots in order of creation. */
  readonly snapshots: readonly (SandboxStateRecord & { readonly id: string })[];
  /** Number of snapshots that were created without a name. Determines the next default name, such as `s4` after 3. */
  readonly taken: number;
  /** Settings from the sandbox's options. The settings of a scenario override them. */
  readonly baseSettings: Settings;
};

export type WorldRecord = StateRecord & {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** SHA-256 of all other members. */
  readonly digest: string;
  /** Name of the world. Its tokens are valid only in a world with this name. */
  readonly id: string;
  readonly versions: VersionTable;
  readonly journal: JournalRecord;
};

export function writeRecord(id: string, state: SandboxState): WorldRecord {
  const writer = new SnapshotWriter();
  const states = writeStateRecord(writer, state);
  const { versions } = writer;
  const { journal } = state;
  const content = { format: FORMAT, version: VERSION, id, versions, ...states, journal } as const;
  return { ...content, digest: computeDigest(content) };
}

export function withoutJournal(record: WorldRecord): WorldRecord {
  const { digest: _digest, ...content } = { ...record, journal: NO_JOURNAL };
  return { ...content, digest: computeDigest(content) };
}

/** Converts the states of a world to JSON. Adds the content of their collections to `writer.versions`. */
export function writeStateRecord(writer: SnapshotWriter, state: StoredState): StateRecord {
  const convert = ({ world, settings, rules }: SandboxSnapshot): SandboxStateRecord => {
    return { ...writer.write(world), settings, rules: writeRules(rules) };
  };
  const { taken, baseSettings } = state;
  const start = convert(state.start);
  const snapshots = state.snapshots.map((snapshot) => ({ id: snapshot.id, ...convert(snapshot) }));
  return { present: convert(state.present), start, snapshots, taken, baseSettings };
}

/** Converts the result of `writeStateRecord` back to states, without validation. */
export function readStateRecord(reader: SnapshotReader, record: StateRecord): StoredState {
  const convert = (id: string, { settings, rules, ...world }: SandboxStateRecord): SandboxSnapshot => {
    return { id, world: reader.read(world), settings, rules: readRules(rules) };
  };
  return {
    present: convert("present", record.present),
    start: convert("start", record.start),
    snapshots: record.snapshots.map(({ id, ...snapshot }) => convert(id, snapshot)),
    taken: record.taken,
    baseSettings: record.baseSettings,
  };
}

/** Reads a record. Throws a UsageError if it has another format or version, or if it was modified. */
export function readRecord(value: unknown): SandboxState {
  const { digest, ...content } = Object(value) as Partial<WorldRecord>;
  const reject = (message: string, name: keyof WorldRecord): never => {
    throw new UsageError("badRecord", message, { pointer: `/${name}` });
  };
  if (content.format !== FORMAT) reject(`Not a record of a world: format must be "${FORMAT}".`, "format");
  if (content.version !== VERSION) {
    const found = JSON.stringify(content.version);
    reject(`The record has version ${found}; this vitrine reads version ${VERSION}.`, "version");
  }
  if (digest !== computeDigest(content))
    reject(
      "The record was changed after it was taken: its digest differs. Change the world instead.",
      "digest",
    );
  const record = value as WorldRecord; // Safe cast: the digest shows that `writeRecord` created this value.
  return { ...readStateRecord(new SnapshotReader(record.versions), record), journal: record.journal };
}
