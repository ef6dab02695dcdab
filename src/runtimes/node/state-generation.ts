/**
 * Writes all worlds as of one moment: their entities in slices from frozen versions, between which requests are answered,
 * and then the manifest, which puts them in force. What is in force stays so until then.
 */

import { join } from "node:path";
import type { Low } from "lowdb";
import { StorageError } from "../../pipeline/commit.ts";
import { writeStateRecord } from "../../sandbox/record.ts";
import { SnapshotWriter, type VersionTable } from "../../world/record.ts";
import { listEntries } from "../../world/versioned-map.ts";
import type { Moment } from "./changed-worlds.ts";
import { checkedLine } from "./checked-lines.ts";
import type { StateFiles } from "./state-files.ts";
import { type Manifest, Unsynced } from "./state-manifest.ts";
import { entitiesFile } from "./state-names.ts";

type GenerationPlace = {
  readonly folder: string;
  readonly files: StateFiles;
  readonly manifest: Low<Manifest>;
  readonly mostBytes: number;
};

/** Some 5 ms of work. */
const SLICE_LINES = 1_000;

/** Resolves when it is in force. Rejects with nothing changed, but for Unsynced. */
export async function writeGeneration(
  { folder, files, manifest, mostBytes }: GenerationPlace,
  generation: number,
  { lastSeq, made, worlds }: Moment,
): Promise<void> {
  const writer = new SnapshotWriter();
  const moments = Array.from(worlds, ([id, state]) => [id, writeStateRecord(writer, state)] as const);
  const path = join(folder, entitiesFile(generation));
  const before = manifest.data;
  try {
    const entities = await writeEntities(files, path, writer, mostBytes);
    const { storeId, seed } = before;
    const written = { storeId, generation, lastSeq, seed, made, entities };
    manifest.data = { ...written, worlds: Object.fromEntries(moments) };
    await manifest.write();
  } catch (error) {
    if (error instanceof Unsynced) throw error;
    manifest.data = before;
    await files.remove(path).catch(() => {}); // the first error is the one to report
    throw error;
  }
}

async function writeEntities(
  files: StateFiles,
  path: string,
  writer: SnapshotWriter,
  mostBytes: number,
): Promise<Manifest["entities"]> {
  let [lines, bytes] = [0, 0];
  const file = await files.create(path);
  try {
    let slice: string[] = [];
    const flush = async (): Promise<void> => {
      const text = Buffer.from(slice.join(""));
      lines += slice.length;
      bytes += text.length;
      slice = [];
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      await file.append(text);
    };
    for (const text of entityLines(writer)) {
      slice.push(text);
      if (slice.length >= SLICE_LINES) await flush();
    }
    await flush();
    await file.sync();
  } finally {
    await file.close();
  }
  return { lines, bytes };
}

function tooLarge(mostBytes: number): StorageError {
  const size = mostBytes < 1_048_576 ? `${mostBytes} bytes` : `${mostBytes / 1_048_576} MiB`;
  return new StorageError(`its entities would be larger than ${size}`, true);
}

/** For each version a line with its id and the number of its entries; then these. */
function* entityLines({ ids: named }: SnapshotWriter): Generator<string> {
  for (const [version, id] of named) {
    yield checkedLine(JSON.stringify([id, version.slots.size]));
    for (const entry of listEntries(version)) yield checkedLine(JSON.stringify(entry));
  }
}

type Entry = VersionTable[string][number];

/** Puts together what `entityLines` wrote, line by line. */
export class EntityLines {
  readonly #versions: Record<string, Entry[]> = {};
  #open: Entry[] = [];
  #left = 0;

  get table(): VersionTable {
    return this.#versions;
  }

  take(value: unknown): void {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#open.push(value as Entry);
      return;
    }
    const [id, size] = value as [string, number];
    this.#open = this.#versions[id] = [];
    this.#left = size;
  }
}
