/**
 * Writes all worlds as of one moment: their entities in slices from frozen layers, between which requests are answered,
 * and then the manifest, which puts them in force. What is in force stays so until then.
 */

import { join } from "node:path";
import type { Low } from "lowdb";
import { NotStored } from "../../request/commit.ts";
import { writeMoments } from "../../sandbox/record.ts";
import { entriesIn } from "../../world/layered-map.ts";
import { type LayerTable, MomentWriter } from "../../world/record.ts";
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
  const writer = new MomentWriter();
  const moments = Array.from(worlds, ([id, state]) => [id, writeMoments(writer, state)] as const);
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
  writer: MomentWriter,
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

function tooLarge(mostBytes: number): NotStored {
  const size = mostBytes < 1_048_576 ? `${mostBytes} bytes` : `${mostBytes / 1_048_576} MiB`;
  return new NotStored(`its entities would be larger than ${size}`, true);
}

/** For each layer a line with its id, its parent's and the number of its entries; then these. */
function* entityLines({ named }: MomentWriter): Generator<string> {
  for (const [layer, id] of named) {
    const parent = layer.parent === undefined ? null : named.get(layer.parent);
    yield checkedLine(JSON.stringify([id, parent, layer.slots.size]));
    for (const entry of entriesIn(layer)) yield checkedLine(JSON.stringify(entry));
  }
}

/** Puts together what `entityLines` wrote, line by line. */
export class LayerLines {
  readonly #layers: Record<string, { parent?: string; entries: LayerTable[string]["entries"][number][] }> =
    {};
  #open: LayerTable[string]["entries"][number][] = [];
  #left = 0;

  get table(): LayerTable {
    return this.#layers;
  }

  take(value: unknown): void {
    if (this.#left > 0) {
      this.#left -= 1;
      this.#open.push(value as LayerTable[string]["entries"][number]);
      return;
    }
    const [id, parent, size] = value as [string, string | null, number];
    this.#open = [];
    this.#left = size;
    this.#layers[id] = parent === null ? { entries: this.#open } : { parent, entries: this.#open };
  }
}
