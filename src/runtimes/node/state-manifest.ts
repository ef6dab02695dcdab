/**
 * The manifest of a state, `state.json`: readable JSON with a version and a checksum, kept by lowdb. It names the files
 * with the entities and holds everything else as of one moment. A manifest that was replaced stays beside it, as
 * `state-N.json`.
 */

import { hash } from "node:crypto";
import { join } from "node:path";
import { type Adapter, Low } from "lowdb";
import type { StateRecord } from "../../sandbox/record.ts";
import { codeOf, type StateFiles } from "./state-files.ts";
import { besideFile, generationOf, MANIFEST, previousManifest } from "./state-names.ts";

export const FORMAT_VERSION = 3;

export type Manifest = {
  /** Written into each of its logs. */
  readonly storeId: string;
  /** The number in the names of its files. */
  readonly generation: number;
  /** The number of the last line of a log that it includes. */
  readonly lastSeq: number;
  /** The seed that the main world was made with. */
  readonly seed: number;
  /** How many worlds were made without a name. */
  readonly made: number;
  readonly entities: { readonly lines: number; readonly bytes: number };
  readonly worlds: Readonly<Record<string, StateRecord>>;
};

/** lowdb over the manifest; `inForce` is the generation of the one that is in its place, if any. */
export function openManifest(
  folder: string,
  files: StateFiles,
  manifest: Manifest,
  inForce: number | undefined,
): Low<Manifest> {
  let previous = inForce;
  const adapter: Adapter<Manifest> = {
    read: async () => null, // it was read when the folder was opened
    async write(data) {
      await replaceManifest(folder, files, data, previous);
      await removeOlder(folder, files, data.generation, previous ?? data.generation).catch(() => {}); // the next one does it
      previous = data.generation;
    },
  };
  return new Low(adapter, manifest);
}

/** What belongs neither to this generation nor to the one before it, nor leads from that to this one. */
async function removeOlder(
  folder: string,
  files: StateFiles,
  generation: number,
  previous: number,
): Promise<void> {
  for (const name of await files.list(folder)) {
    const found = generationOf(name);
    if (found === undefined || found.generation === generation || found.generation === previous) continue;
    if (found.kind !== "log" || found.generation < previous) await files.remove(join(folder, name));
  }
}

/** The manifest is in force, and nobody knows whether power may still undo that. */
export class Unsynced extends Error {
  constructor(cause: unknown) {
    super("the folder could not be synced", { cause });
  }
}

/** Replaced as a whole or not at all, and the one before stays under another name. */
async function replaceManifest(
  folder: string,
  files: StateFiles,
  manifest: Manifest,
  replaced: number | undefined,
): Promise<void> {
  const path = join(folder, MANIFEST);
  const beside = join(folder, besideFile(MANIFEST));
  try {
    const file = await files.create(beside);
    try {
      await file.append(Buffer.from(writeManifest(manifest)));
      await file.sync();
    } finally {
      await file.close();
    }
    if (replaced !== undefined)
      await files.link(path, join(folder, previousManifest(replaced))).catch((error) => {
        // The way back is a help and no more; it is there already after an attempt that failed later.
        if (!["EEXIST", "ENOENT", "EPERM", "ENOTSUP"].includes(codeOf(error))) throw error;
      });
    await files.rename(beside, path);
  } catch (error) {
    await files.remove(beside).catch(() => {}); // the first error is the one to report
    throw error;
  }
  await files.syncFolder(folder).catch((cause) => {
    throw new Unsynced(cause);
  });
}

function writeManifest(manifest: Manifest): string {
  const body = JSON.stringify(manifest, undefined, 1);
  return `${start(hash("sha256", body))}${body}${END}`;
}

/** The manifest of a text, its version where that is another, or why the text is none. */
export function readManifest(
  text: string,
): Manifest | { readonly version: number } | { readonly broken: string } {
  const found = /^\{"formatVersion":(\d{1,9}),/.exec(text)?.[1];
  if (found === undefined) return { broken: describe(text) };
  const version = Number(found);
  if (version !== FORMAT_VERSION) return { version };
  const body = text.slice(start("").length + 64, -END.length);
  if (text !== start(hash("sha256", body)) + body + END)
    return { broken: "its checksum does not fit: it was cut or changed" };
  return JSON.parse(body) as Manifest; // only writeManifest makes one with this checksum
}

const END = "}\n";

function start(sum: string): string {
  return `{"formatVersion":${FORMAT_VERSION},"sha256":"${sum}","state":`;
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
