/** Lists the worlds of a team in a separate Durable Object. Ensures unique names and limits the number of worlds. */

import { Coverage, type CoverageRecord } from "../../journal/coverage.ts";
import type { Service } from "../../operation/service.ts";
import type { EnterResult, Sql, TeamCalls } from "./durable-objects.ts";
import { KeyValueStore } from "./key-value-store.ts";

export class TeamList implements TeamCalls {
  readonly #services: readonly Service[];
  readonly #store: KeyValueStore;

  constructor(sql: Sql, services: readonly Service[]) {
    this.#store = new KeyValueStore(sql);
    this.#services = services;
  }

  async enter(wanted: string | undefined, limit: number): Promise<EnterResult> {
    const names = this.#names;
    if (names.length >= limit) return { refused: "limit" };
    if (wanted !== undefined && names.includes(wanted)) return { refused: "exists" };
    const name = wanted ?? this.#nextName(names);
    this.#store.write("worlds", [...names, name]);
    return { name };
  }

  async leave(name: string, met: readonly CoverageRecord[]): Promise<void> {
    const names = this.#names;
    if (!names.includes(name)) return;
    const left = names.filter((other) => other !== name);
    this.#store.write("worlds", left);
    if (met.length === 0) return;
    const sum = new Coverage(this.#services);
    sum.add(this.#met);
    sum.add(met);
    this.#store.write("met", sum.toRecord());
  }

  async list(): Promise<readonly string[]> {
    return this.#names;
  }

  async met(): Promise<readonly CoverageRecord[]> {
    return this.#met;
  }

  get #names(): readonly string[] {
    return this.#store.read<readonly string[]>("worlds") ?? [];
  }

  get #met(): readonly CoverageRecord[] {
    return this.#store.read<readonly CoverageRecord[]>("met") ?? [];
  }

  /** Returns the next free name of `w1`, `w2`, … A name is never generated twice. */
  #nextName(names: readonly string[]): string {
    let made = this.#store.read<number>("made") ?? 0;
    do made += 1;
    while (names.includes(`w${made}`));
    this.#store.write("made", made);
    return `w${made}`;
  }
}
