/** The worlds of a sandbox as lines for the log: what changed in each and what was done to it, in order. */

import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { StoredState, WorldAction } from "../../sandbox/sandbox-state.ts";
import type { Worlds } from "../../sandbox/worlds.ts";
import { createRecordEntry, type LogEntry, type ReplayedWorlds, WorldChanges } from "../worker/world-log.ts";
import type { KeptJournals } from "./kept-journals.ts";

/** All worlds at one moment; `lastSeq`: the number of the last line that it includes. */
export type Moment = {
  readonly lastSeq: number;
  readonly made: number;
  readonly worlds: ReadonlyMap<string, StoredState>;
};

export class ChangedWorlds {
  readonly #worlds: Worlds;
  readonly #journals: KeptJournals | undefined;
  readonly #known = new Map<string, WorldChanges>();
  readonly #changed = new Set<WorldChanges>();
  /** Lines that come before those of what changed since. */
  #lines: string[] = [];
  #seq: number;
  #isRestoring = false;

  /** `lastSeq`: the number of the last line that is in the worlds already. */
  constructor(worlds: Worlds, lastSeq: number, journals: KeptJournals | undefined) {
    this.#worlds = worlds;
    this.#journals = journals;
    this.#seq = lastSeq;
    for (const sandbox of worlds.list()) this.#follow(sandbox);
    worlds.watch({
      put: (sandbox, origin) => {
        const changes = this.#follow(sandbox);
        if ("from" in origin) {
          this.#takeChanges(this.#known.get(origin.from));
          this.#enter({ w: sandbox.id, v: "fork", from: origin.from, made: worlds.made });
        } else this.#enter(createRecordEntry(sandbox));
        changes.forget();
      },
      ended: (id) => {
        const changes = this.#known.get(id);
        if (changes !== undefined) this.#changed.delete(changes);
        this.#known.delete(id);
        this.#journals?.leave(id);
        if (!this.#isRestoring) this.#enter({ w: id, v: "end" });
      },
    });
  }

  get hasChanged(): boolean {
    return this.#lines.length > 0 || this.#changed.size > 0;
  }

  /** Looks whether something changed of what a world does not tell, such as its clock. */
  look(sandbox: SandboxCore): void {
    const changes = this.#known.get(sandbox.id);
    if (changes?.sandbox === sandbox && changes.isChanged) this.#changed.add(changes);
  }

  lookAtAll(): void {
    for (const { sandbox } of this.#known.values()) this.look(sandbox);
  }

  /** The lines of all that changed since, and the number of the last. */
  take(): { readonly lines: readonly string[]; readonly lastSeq: number } {
    for (const changes of this.#changed) this.#takeChanges(changes);
    const lines = this.#lines;
    this.#lines = [];
    return { lines, lastSeq: this.#seq };
  }

  /** With all that `take` has given. */
  moment(): Moment {
    const worlds = new Map(
      Array.from(this.#known, ([id, { sandbox }]) => [id, sandbox.getStoredState()] as const),
    );
    return { lastSeq: this.#seq, made: this.#worlds.made, worlds };
  }

  /** All worlds become as they were played up to the line `lastSeq`; what changed since is forgotten. */
  become(played: ReplayedWorlds, lastSeq: number): void {
    this.#isRestoring = true;
    for (const id of [...this.#known.keys()]) if (!played.sandboxes.has(id)) this.#worlds.remove(id);
    for (const [id, sandbox] of played.sandboxes) {
      const known = this.#known.get(id);
      if (known === undefined) this.#follow(this.#worlds.restoreWorld(id, sandbox.getStoredState()));
      else known.sandbox.replace(sandbox.getStoredState());
      known?.forget();
    }
    this.#worlds.made = played.made;
    this.#isRestoring = false;
    this.#lines = [];
    this.#changed.clear();
    this.#seq = lastSeq;
  }

  #follow(sandbox: SandboxCore): WorldChanges {
    const changes = new WorldChanges(sandbox);
    const isKnown = (): boolean => this.#known.get(sandbox.id) === changes;
    this.#known.set(sandbox.id, changes);
    this.#journals?.follow(sandbox);
    sandbox.world.store.onCommit((entities) => {
      if (!isKnown()) return;
      changes.add(entities);
      this.#changed.add(changes);
    });
    sandbox.onAction = (verb) => {
      if (isKnown() && !this.#isRestoring) this.#enterVerb(changes, verb);
    };
    return changes;
  }

  /** It is done: what changed before it stands in a line before its own, and what it changed follows from it. */
  #enterVerb(changes: WorldChanges, verb: WorldAction): void {
    const { sandbox } = changes;
    this.#takeChanges(changes);
    this.#enter(verb.verb === "replace" ? createRecordEntry(sandbox) : { w: sandbox.id, v: "verb", verb });
    changes.forget();
  }

  #enter(entry: LogEntry): void {
    this.#seq += 1;
    this.#lines.push(JSON.stringify({ n: this.#seq, ...entry }));
  }

  #takeChanges(changes: WorldChanges | undefined): void {
    if (changes === undefined) return;
    this.#changed.delete(changes);
    const line = changes.take(this.#seq + 1);
    if (line === undefined) return;
    this.#seq += 1;
    this.#lines.push(line);
  }
}
