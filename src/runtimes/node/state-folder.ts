/**
 * A folder with the state of all worlds: locked, read and checked. What is not as it was written is refused with the ways
 * out, never repaired and never treated as empty; only the torn end of the last log, which nobody was promised, is cut.
 */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Low } from "lowdb";
import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { readStateRecord } from "../../sandbox/record.ts";
import type { StoredState } from "../../sandbox/sandbox-state.ts";
import { SnapshotReader } from "../../world/record.ts";
import { toIso } from "../../world/time.ts";
import { ReplayedWorlds } from "../worker/world-log.ts";
import { readLines } from "./checked-lines.ts";
import { codeOf, machineFiles, reasonOf, type StateFiles } from "./state-files.ts";
import { EntityLines } from "./state-generation.ts";
import { lockFolder } from "./state-lock.ts";
import { type FoundLog, readLogs } from "./state-logs.ts";
import { FORMAT_VERSION, type Manifest, openManifest, readManifest } from "./state-manifest.ts";
import { entitiesFile, generationOf, generationsOf, isBeside, isOfState, MANIFEST } from "./state-names.ts";
import { type Refuse, refusal } from "./state-refusal.ts";

export const MOST_ENTITY_BYTES = 64 * 1_048_576;

export type StateOptions = {
  /** Moves what is there aside and starts anew. */
  readonly reset: boolean;
  /** Resolves a commit when power cannot undo it, instead of a kill. */
  readonly isPowerSafe: boolean;
  readonly files?: StateFiles | undefined;
  readonly mostEntityBytes?: number | undefined;
  /** A new snapshot is written after so much of the log. */
  readonly mostLines?: number | undefined;
  readonly mostLogBytes?: number | undefined;
};

/** What was read: the moment of the manifest, and the worlds after all lines of the logs. */
export type FoundState = {
  readonly base: ReadonlyMap<string, StoredState>;
  readonly manifest: Manifest;
  readonly logs: readonly FoundLog[];
  readonly lastSeq: number;
  readonly now: ReplayedWorlds;
};

export type StateFolder = {
  readonly folder: string;
  readonly files: StateFiles;
  readonly services: readonly Service[];
  readonly options: StateOptions;
  /** The highest number of a generation of which something is there. */
  readonly newest: number;
  readonly manifest: Low<Manifest>;
  /** Undefined in a new folder. */
  readonly found: FoundState | undefined;
  /** For the user to know. */
  readonly notices: string[];
  /** Frees the folder for others. */
  release(): Promise<void>;
};

/** Locks a folder, created if missing, and reads its state. Nobody else can open it until it is released. */
export async function openStateFolder(
  folder: string,
  services: readonly Service[],
  options: StateOptions,
): Promise<StateFolder> {
  const { files = machineFiles } = options;
  await files.makeFolder(folder).catch((error) => {
    const message = `The state folder cannot be made: ${reasonOf(error)}. Choose another --data folder.`;
    throw new UsageError("stateUnreadable", message, { file: folder }, { cause: error });
  });
  const release = await lockFolder(folder);
  try {
    const notices: string[] = [];
    if (options.reset) notices.push(...(await moveAside(folder, files)));
    const found = await readState(folder, files, services, notices);
    const manifest = openManifest(
      folder,
      files,
      found?.manifest ?? emptyManifest(),
      found?.manifest.generation,
    );
    const newest = Math.max(0, ...generationsOf(await files.list(folder)));
    return { folder, files, services, options, newest, manifest, found, notices, release };
  } catch (error) {
    await release();
    throw error;
  }
}

function emptyManifest(): Manifest {
  const entities = { lines: 0, bytes: 0 };
  return { storeId: randomUUID(), generation: 0, lastSeq: 0, seed: 0, made: 0, entities, worlds: {} };
}

/** What is there, or undefined in a new folder. */
async function readState(
  folder: string,
  files: StateFiles,
  services: readonly Service[],
  notices: string[],
): Promise<FoundState | undefined> {
  const names = await files.list(folder);
  for (const name of names) if (isBeside(name)) await files.remove(join(folder, name));
  if (!names.includes(MANIFEST)) return withoutManifest(folder, files, names);
  const generations = generationsOf(names, "state");
  const refuse = refusal(folder, generations);
  const text = (await readPlain(folder, MANIFEST, files, refuse)).toString();
  const manifest = readManifest(text);
  if ("broken" in manifest) return refuse(MANIFEST, manifest.broken);
  if ("version" in manifest) {
    const { version } = manifest;
    return refuse(MANIFEST, `it has format version ${version}; this vitrine reads version ${FORMAT_VERSION}`);
  }
  const base = await readEntities(folder, manifest, files, refuse);
  const now = new ReplayedWorlds(services, base, manifest.made);
  const { logs, lastSeq } = await readLogs({ folder, files, names, manifest, refuse, notices }, now);
  return { base, manifest, logs, lastSeq, now };
}

/** A first start that was killed leaves files that were never in force; anything else has lost its manifest. */
async function withoutManifest(
  folder: string,
  files: StateFiles,
  names: readonly string[],
): Promise<undefined> {
  const left = names.filter((name) => generationOf(name) !== undefined);
  for (const name of left) {
    const bytes = name.startsWith("log-") ? await files.read(join(folder, name)) : Buffer.alloc(0);
    const head = bytes.indexOf("\n") + 1;
    if (name.startsWith("state-") || (head > 0 && head < bytes.length))
      refusal(folder, generationsOf(left))(MANIFEST, "it is missing, and the files beside it are there");
  }
  for (const name of left) await files.remove(join(folder, name));
}

async function readEntities(
  folder: string,
  { generation, entities, worlds }: Manifest,
  files: StateFiles,
  refuse: Refuse,
): Promise<ReadonlyMap<string, StoredState>> {
  const name = entitiesFile(generation);
  const bytes = await readPlain(folder, name, files, refuse);
  const entityLines = new EntityLines();
  let lines = 0;
  const broken = readLines(bytes, (value) => {
    lines += 1;
    entityLines.take(value);
  });
  if (broken !== undefined) refuse(name, broken.reason, broken);
  if (lines !== entities.lines)
    refuse(name, `it has ${lines} lines and the manifest says ${entities.lines}: it was cut or changed`);
  const reader = new SnapshotReader(entityLines.table);
  return new Map(Object.entries(worlds).map(([id, moments]) => [id, readStateRecord(reader, moments)]));
}

async function readPlain(folder: string, name: string, files: StateFiles, refuse: Refuse): Promise<Buffer> {
  const path = join(folder, name);
  try {
    if (await files.isFile(path)) return await files.read(path);
  } catch (error) {
    return refuse(name, codeOf(error) === "ENOENT" ? "it is missing" : codeOf(error), undefined, error);
  }
  return refuse(name, "it is not a plain file");
}

/** Returns what the user should know of it. */
async function moveAside(folder: string, files: StateFiles): Promise<readonly string[]> {
  const names = (await files.list(folder)).filter(isOfState);
  if (names.length === 0) return [];
  const aside = join(folder, `reset-${toIso(Date.now()).replaceAll(":", "-")}`);
  await files.makeFolder(aside);
  for (const name of names) await files.rename(join(folder, name), join(aside, name));
  return [`The state that was there is now in ${aside}.`];
}
