/**
 * A whole world as one JSON value: data, clock, ids, settings, rules with their counts, mailbox, journal, the start that
 * `reset` goes back to, and the snapshots. Nothing in it belongs to a process. Passwords stand in it as they are.
 *
 * Not in a record: requests under way, which get a 503 where a record replaces their world; coverage, which belongs to
 * the server; and options of the server such as `smtp`.
 */

import { UsageError } from "../errors/usage-error.ts";
import { type JournalRecord, NO_JOURNAL } from "../journal/journal-record.ts";
import { type RulesRecord, readRules, writeRules } from "../scenario/rules-record.ts";
import { computeDigest } from "../world/digest.ts";
import { SnapshotReader, type SnapshotRecord, SnapshotWriter, type VersionTable } from "../world/record.ts";
import type { SandboxSnapshot, SandboxState, Settings, StoredState } from "./sandbox-state.ts";

const FORMAT = "vitrine-world";
const VERSION = 2;

/** A world at one moment. */
export type SandboxStateRecord = SnapshotRecord & {
  readonly settings: Settings;
  readonly rules: RulesRecord;
};

/** All moments of a world over a table of versions. */
export type StateRecord = {
  readonly present: SandboxStateRecord;
  /** What `reset` goes back to. */
  readonly start: SandboxStateRecord;
  /** In the order in which they were taken. */
  readonly snapshots: readonly (SandboxStateRecord & { readonly id: string })[];
  /** How many snapshots without a name were taken. */
  readonly taken: number;
  /** What the settings of a scenario are merged into. */
  readonly baseSettings: Settings;
};

export type WorldRecord = StateRecord & {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** SHA-256 of all other members. */
  readonly digest: string;
  /** The world that it was taken of. Under another name its tokens are no longer valid. */
  readonly id: string;
  readonly versions: VersionTable;
  readonly journal: JournalRecord;
};

export function writeRecord(id: string, state: SandboxState): WorldRecord {
  const writer = new SnapshotWriter();
  const moments = writeStateRecord(writer, state);
  const { versions } = writer;
  const { journal } = state;
  const content = { format: FORMAT, version: VERSION, id, versions, ...moments, journal } as const;
  return { ...content, digest: computeDigest(content) };
}

/** The same world with an empty journal. */
export function withoutJournal(record: WorldRecord): WorldRecord {
  const { digest: _digest, ...content } = { ...record, journal: NO_JOURNAL };
  return { ...content, digest: computeDigest(content) };
}

/** Writes the snapshots of a state. The writer then has their versions. */
export function writeStateRecord(writer: SnapshotWriter, state: StoredState): StateRecord {
  const moment = ({ world, settings, rules }: SandboxSnapshot): SandboxStateRecord => {
    return { ...writer.write(world), settings, rules: writeRules(rules) };
  };
  const { taken, baseSettings } = state;
  const start = moment(state.start);
  const snapshots = state.snapshots.map((one) => ({ id: one.id, ...moment(one) }));
  return { present: moment(state.present), start, snapshots, taken, baseSettings };
}

/** Reads what `writeMoments` wrote, without a check. */
export function readStateRecord(reader: SnapshotReader, moments: StateRecord): StoredState {
  const snapshot = (id: string, { settings, rules, ...moment }: SandboxStateRecord): SandboxSnapshot => {
    return { id, world: reader.read(moment), settings, rules: readRules(rules) };
  };
  return {
    present: snapshot("present", moments.present),
    start: snapshot("start", moments.start),
    snapshots: moments.snapshots.map(({ id, ...moment }) => snapshot(id, moment)),
    taken: moments.taken,
    baseSettings: moments.baseSettings,
  };
}

/** Returns the state that a record describes. Throws a UsageError if the record has another format or was changed. */
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
  const record = value as WorldRecord; // Safe: writeRecord made a record with this digest.
  return { ...readStateRecord(new SnapshotReader(record.versions), record), journal: record.journal };
}
