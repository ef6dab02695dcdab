/** Stores a world as a record and a log of changes. Each change is written before its response is sent. */

import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { type Commit, StorageError } from "../../pipeline/commit.ts";
import { CONTROL_BASE } from "../../pipeline/guard.ts";
import { type WorldRecord, withoutJournal } from "../../sandbox/record.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { StoredState } from "../../sandbox/sandbox-state.ts";
import { MAIN_WORLD } from "../../world/world-name.ts";
import type { TextRows } from "./rows.ts";
import { createRecordEntry, type LogEntry, type LogLine, ReplayedWorld, WorldChanges } from "./world-log.ts";

/** The log is compacted at 500 lines, at the maximum size, or if it exceeds both 200,000 characters and twice its record. */
const MIN_LOG_CHARS = 200_000;
const MAX_LINES = 500;

export class StoredWorld implements Commit {
  readonly #services: readonly Service[];
  readonly #rows: TextRows;
  #changes: WorldChanges | undefined;
  /** State before the first write, if the storage was empty. */
  #initial: StoredState | undefined;
  #maxChars = 0;
  #recordChars = 0;
  #lines: string[] = [];
  #isRestoring = false;
  #failure: StorageError | undefined;
  undone = 0;

  constructor(services: readonly Service[], rows: TextRows) {
    this.#services = services;
    this.#rows = rows;
  }

  /** Reads the stored state, if any. Throws a UsageError if another version of vitrine wrote it. */
  read(): StoredState | undefined {
    const texts = this.#rows.read();
    this.#recordChars = texts[0]?.length ?? 0;
    const replayed = new ReplayedWorld(this.#services);
    for (const text of texts) {
      const line = JSON.parse(text) as LogLine; // Safe cast: only this class writes these rows.
      try {
        replayed.replay(line);
      } catch (error) {
        throw error instanceof UsageError ? createReadError(line.w, error) : error;
      }
    }
    return replayed.sandbox?.getStoredState();
  }

  /** Stores the record of a new world. */
  put(world: string, record: WorldRecord): void {
    this.#rewrite(formatEntryLine({ w: world, v: "record", record: withoutJournal(record) }));
  }

  /** Collects all further changes of a world for `flush`. `maxChars` is the maximum length of the world's record. */
  follow(sandbox: SandboxCore, maxChars: number): void {
    const changes = new WorldChanges(sandbox);
    this.#changes = changes;
    this.#maxChars = maxChars;
    if (this.#rows.count === 0) this.#initial = sandbox.getStoredState();
    sandbox.world.store.onCommit((entities) => changes.add(entities));
    sandbox.onAction = (action) => {
      if (this.#isRestoring || this.#changes !== changes) return;
      this.#takeChanges(changes);
      const { id: w } = sandbox;
      const entry =
        action.verb === "replace" ? createRecordEntry(sandbox) : ({ w, v: "verb", verb: action } as const);
      this.#lines.push(formatEntryLine(entry));
      changes.forget();
    };
  }

  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined {
    const changes = this.#changes;
    if (changes?.sandbox !== sandbox) return undefined; // The world has ended.
    if (this.#failure !== undefined && undone !== undefined && undone !== this.undone)
      return Promise.reject(this.#failure);
    this.#takeChanges(changes);
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return undefined;
    const length = lines.reduce((sum, line) => sum + line.length, this.#rows.length);
    const maxLength = Math.min(Math.max(MIN_LOG_CHARS, 2 * this.#recordChars), this.#maxChars);
    const isLong = this.#rows.count >= MAX_LINES || length > maxLength;
    if (this.#rows.count > 0 && !isLong) {
      for (const line of lines) this.#rows.append(line);
      return undefined;
    }
    const record = formatEntryLine(createRecordEntry(sandbox));
    if (record.length > this.#maxChars) return this.#rollBack(sandbox, record.length);
    this.#rewrite(record);
    return undefined;
  }

  leave(): void {
    this.#changes = undefined;
    this.#lines = [];
    this.#rows.forget();
  }

  #takeChanges(changes: WorldChanges): void {
    const line = changes.take(0);
    if (line !== undefined) this.#lines.push(line);
  }

  #rewrite(record: string): void {
    this.#rows.replace([record]);
    this.#recordChars = record.length;
  }

  /** Rolls the world back to its stored state, and rejects with a StorageError. `length` is the length of the record. */
  #rollBack(sandbox: SandboxCore, length: number): Promise<void> {
    const before = this.read() ?? this.#initial;
    this.#isRestoring = true;
    if (before !== undefined) sandbox.replace(before);
    this.#isRestoring = false;
    this.#changes?.forget();
    this.undone += 1;
    const why = `the world would have ${length} characters; the maximum is ${this.#maxChars}`;
    this.#failure = new StorageError(why, true);
    return Promise.reject(this.#failure);
  }
}

function createReadError(world: string, { message }: UsageError): UsageError {
  const wayOut =
    world === MAIN_WORLD
      ? "use another team name"
      : `remove the world (DELETE ${CONTROL_BASE}/worlds/${world})`;
  const whole = `The stored world ${world} cannot be read. ${message} Deploy the version that wrote it, or ${wayOut}.`;
  return new UsageError("badRecord", whole);
}

/** Formats a log line. Its number `n` is unused and always 0, because the database rows are numbered. */
function formatEntryLine(entry: LogEntry): string {
  return JSON.stringify({ n: 0, ...entry });
}
