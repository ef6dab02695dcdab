/**
 * A world in the rows of its object: a record of it, and a line for each change since. A line is written before the reply
 * leaves; when the lines have grown longer than the record, a new record takes their place.
 */

import { UsageError } from "../../errors/usage-error.ts";
import type { Service } from "../../operation/service.ts";
import { type Commit, NotStored } from "../../pipeline/commit.ts";
import { CONTROL_BASE } from "../../pipeline/guard.ts";
import { type WorldRecord, withoutJournal } from "../../sandbox/record.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { KeptState } from "../../sandbox/sandbox-state.ts";
import { MAIN } from "../../world/world-name.ts";
import type { Rows } from "./rows.ts";
import { type LogEntry, type LogLine, PlayedWorlds, recordEntry, WorldChanges } from "./world-log.ts";

/** Shorter ones are never replaced, nor fewer than so many. */
const LEAST_LENGTH = 200_000;
const MOST_LINES = 500;

export class KeptWorld implements Commit {
  readonly #services: readonly Service[];
  readonly #rows: Rows;
  #changes: WorldChanges | undefined;
  /** As it was when it was followed first, and nothing was kept. */
  #unkept: KeptState | undefined;
  #mostCharacters = 0;
  #recordLength = 0;
  #lines: string[] = [];
  #isRestoring = false;
  #failure: NotStored | undefined;
  undone = 0;

  constructor(services: readonly Service[], rows: Rows) {
    this.#services = services;
    this.#rows = rows;
  }

  /** The world as it was kept; undefined: it never was. Throws a UsageError if another version of vitrine wrote it. */
  read(): KeptState | undefined {
    const texts = this.#rows.read();
    this.#recordLength = texts[0]?.length ?? 0;
    const played = new PlayedWorlds(this.#services, new Map(), 0);
    for (const text of texts) {
      const line = JSON.parse(text) as LogLine; // only this class writes them
      try {
        played.play(line);
      } catch (error) {
        throw error instanceof UsageError ? unreadable(line.w, error) : error;
      }
    }
    const [world] = played.sandboxes.values();
    return world?.kept();
  }

  /** Keeps a world that a record describes; nothing is there yet. */
  put(world: string, record: WorldRecord): void {
    this.#writeAnew(lineOf({ w: world, v: "record", record: withoutJournal(record) }));
  }

  /** Keeps this world from now on, in at most so many characters. */
  follow(sandbox: SandboxCore, mostCharacters: number): void {
    const changes = new WorldChanges(sandbox);
    this.#changes = changes;
    this.#mostCharacters = mostCharacters;
    if (this.#rows.count === 0) this.#unkept = sandbox.kept();
    sandbox.world.store.onCommit((entities) => changes.add(entities));
    sandbox.onVerb((verb) => {
      if (this.#isRestoring || this.#changes !== changes) return;
      this.#takeChanges(changes);
      this.#lines.push(
        lineOf(verb.verb === "replace" ? recordEntry(sandbox) : { w: sandbox.id, v: "verb", verb }),
      );
      changes.forget();
    });
  }

  flush(sandbox: SandboxCore, undone: number | undefined): Promise<void> | undefined {
    const changes = this.#changes;
    if (changes?.sandbox !== sandbox) return undefined; // it has ended
    if (this.#failure !== undefined && undone !== undefined && undone !== this.undone)
      return Promise.reject(this.#failure);
    this.#takeChanges(changes);
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return undefined;
    const length = lines.reduce((sum, line) => sum + line.length, this.#rows.length);
    const most = Math.min(Math.max(LEAST_LENGTH, 2 * this.#recordLength), this.#mostCharacters);
    const isLong = this.#rows.count >= MOST_LINES || length > most;
    if (this.#rows.count > 0 && !isLong) {
      for (const line of lines) this.#rows.append(line);
      return undefined;
    }
    const record = lineOf(recordEntry(sandbox));
    if (record.length > this.#mostCharacters) return this.#undo(sandbox, record.length);
    this.#writeAnew(record);
    return undefined;
  }

  /** The world has ended, and its storage was emptied. */
  leave(): void {
    this.#changes = undefined;
    this.#lines = [];
    this.#rows.forget();
  }

  #takeChanges(changes: WorldChanges): void {
    const line = changes.take(0);
    if (line !== undefined) this.#lines.push(line);
  }

  #writeAnew(record: string): void {
    this.#rows.replace([record]);
    this.#recordLength = record.length;
  }

  /** It becomes again what is kept. */
  #undo(sandbox: SandboxCore, length: number): Promise<void> {
    const before = this.read() ?? this.#unkept;
    this.#isRestoring = true;
    if (before !== undefined) sandbox.replace(before);
    this.#isRestoring = false;
    this.#changes?.forget();
    this.undone += 1;
    const why = `the world would have ${length} characters, and may have ${this.#mostCharacters}`;
    this.#failure = new NotStored(why, true);
    return Promise.reject(this.#failure);
  }
}

function unreadable(world: string, { message }: UsageError): UsageError {
  const wayOut =
    world === MAIN ? "use another team name" : `remove the world (DELETE ${CONTROL_BASE}/worlds/${world})`;
  const whole = `The stored world ${world} cannot be read. ${message} Deploy the version that wrote it, or ${wayOut}.`;
  return new UsageError("badRecord", whole);
}

/** The rows have numbers of their own. */
function lineOf(entry: LogEntry): string {
  return JSON.stringify({ n: 0, ...entry });
}
