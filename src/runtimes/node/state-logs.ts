/** The logs of a state: played from the manifest on, and open for more. */

import { join } from "node:path";
import type { LogHead, LogLine, ReplayedWorlds } from "../worker/world-log.ts";
import { type BrokenLine, readLines } from "./checked-lines.ts";
import type { OpenFile, StateFiles } from "./state-files.ts";
import type { Manifest } from "./state-manifest.ts";
import { generationsOf, logFile } from "./state-names.ts";
import type { Refuse } from "./state-refusal.ts";

export type FoundLog = { readonly generation: number; readonly bytes: number; readonly lines: number };

type Place = {
  readonly folder: string;
  readonly files: StateFiles;
  readonly names: readonly string[];
  readonly manifest: Manifest;
  readonly refuse: Refuse;
  readonly notices: string[];
};

type LineAt = Pick<BrokenLine, "line" | "byte">;

/** Plays all lines after the manifest. A torn end of the last log is cut. */
export async function readLogs(
  { folder, files, names, manifest, refuse, notices }: Place,
  worlds: ReplayedWorlds,
): Promise<{ readonly logs: readonly FoundLog[]; readonly lastSeq: number }> {
  const logs: FoundLog[] = [];
  let { lastSeq } = manifest;
  const generations = generationsOf(names, "log")
    .filter((generation) => generation >= manifest.generation)
    .sort((one, other) => one - other);
  if (generations[0] !== manifest.generation) refuse(logFile(manifest.generation), "it is missing");
  for (const generation of generations) {
    const name = logFile(generation);
    const bytes = await files.read(join(folder, name));
    const isLast = generation === generations.at(-1);
    const isOwn = generation === manifest.generation;
    const player = new LogPlayer({ store: manifest.storeId, generation }, lastSeq, worlds);
    const broken = player.play(bytes, (why, at) => refuse(name, why, at));
    const good = broken?.byte ?? bytes.length;
    if (broken !== undefined && !(isLast && broken.isLast && (good > 0 || !isOwn)))
      refuse(name, broken.reason, broken);
    if (good === 0 && isOwn) refuse(name, "it is empty");
    if (broken !== undefined && good > 0) {
      await files.truncate(join(folder, name), good);
      const torn = bytes.length - good;
      notices.push(`${name}: the last ${torn} bytes are no whole line, as after a kill; they were cut off.`);
    }
    if (good === 0)
      await files.remove(join(folder, name)); // never in use: a kill came first
    else logs.push({ generation, bytes: good, lines: player.lines });
    lastSeq = player.lastSeq;
  }
  return { logs, lastSeq };
}

/** Takes the lines of one log, its head first. */
export class LogPlayer {
  readonly #head: Omit<LogHead, "after">;
  readonly #worlds: ReplayedWorlds;
  #lastSeq: number;
  #lines = -1;

  constructor(head: Omit<LogHead, "after">, lastSeq: number, worlds: ReplayedWorlds) {
    this.#head = head;
    this.#lastSeq = lastSeq;
    this.#worlds = worlds;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Without the head. */
  get lines(): number {
    return Math.max(0, this.#lines);
  }

  /** Plays all lines up to the first that is broken; `refuse` is called for one that does not follow. */
  play(bytes: Buffer, refuse: (why: string, at: LineAt) => never): BrokenLine | undefined {
    return readLines(bytes, (value, line, byte) => {
      const wrong = this.#take(value);
      if (wrong !== undefined) refuse(wrong, { line, byte });
    });
  }

  /** Plays a line; returns what is wrong with it. */
  #take(value: unknown): string | undefined {
    this.#lines += 1;
    if (this.#lines === 0) return this.#wrongHead(value as LogHead);
    const line = value as LogLine;
    if (line.n !== this.#lastSeq + 1) return `it has number ${line.n} after ${this.#lastSeq}`;
    this.#lastSeq = line.n;
    try {
      this.#worlds.play(line);
      return undefined;
    } catch (error) {
      return `it does not follow from what comes before it: ${error instanceof Error ? error.message : error}`;
    }
  }

  #wrongHead({ store, generation, after }: LogHead): string | undefined {
    if (store !== this.#head.store || generation !== this.#head.generation)
      return "it belongs to another state";
    return after === this.#lastSeq ? undefined : `it begins after line ${after}, not ${this.#lastSeq}`;
  }
}

/** A log that is open for more: how much of it is good, and how many lines that is. */
export class OpenLog {
  readonly generation: number;
  readonly #file: OpenFile;
  #bytes: number;
  #lines: number;

  constructor({ generation, bytes, lines }: FoundLog, file: OpenFile) {
    this.generation = generation;
    this.#file = file;
    this.#bytes = bytes;
    this.#lines = lines;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  /** When it rejects, nothing of it counts. */
  async append(text: string, lines: number, isPowerSafe: boolean): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#file.append(bytes);
    if (isPowerSafe) await this.#file.sync();
    this.#bytes += bytes.length;
    this.#lines += lines;
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** What is good in it. */
  read(): Promise<Buffer> {
    return this.#file.read(this.#bytes);
  }

  /** Gives up what is not. */
  cutBack(): Promise<void> {
    return this.#file.truncate(this.#bytes);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
