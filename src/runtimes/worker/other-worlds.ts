/** Methods that access other worlds of the team. Each world runs in a separate Durable Object. */

import { runAtPointer, UsageError } from "../../errors/usage-error.ts";
import { Coverage, type CoverageRecord } from "../../journal/coverage.ts";
import { NO_JOURNAL } from "../../journal/journal-record.ts";
import type { LocalSandbox, LocalWorld, WorldSource } from "../../sandbox/controls.ts";
import { readRecord, type WorldRecord, writeRecord } from "../../sandbox/record.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import {
  assertWorldName,
  createExistsError,
  createLimitError,
  createMainError,
  formatUnknownWorld,
  readWorldSource,
} from "../../sandbox/worlds.ts";
import type { Server } from "../../server/server.ts";
import { MAIN_WORLD } from "../../world/world-name.ts";
import type { Bindings, TeamCalls, WorldCalls } from "./durable-objects.ts";
import type { Hosting } from "./hosting.ts";

type OtherWorldMethods = Pick<LocalSandbox, "fork" | "worlds" | "coverage">;

export function getWorldObject({ WORLDS }: Bindings, team: string, world: string): WorldCalls {
  return WORLDS.get(WORLDS.idFromName(`${team}/${world}`));
}

export function getTeamObject({ TEAMS }: Bindings, team: string): TeamCalls {
  return TEAMS.get(TEAMS.idFromName(team));
}

export class OtherWorlds implements OtherWorldMethods {
  readonly #core: SandboxCore;
  readonly #server: Server;
  readonly #hosting: Hosting;
  readonly #bindings: Bindings;
  readonly #team: TeamCalls;
  /** Ends the world that this Durable Object runs. Returns its coverage. */
  readonly #end: () => Promise<readonly CoverageRecord[]>;

  constructor(
    { core, server }: { readonly core: SandboxCore; readonly server: Server },
    hosting: Hosting,
    bindings: Bindings,
    end: () => Promise<readonly CoverageRecord[]>,
  ) {
    this.#core = core;
    this.#server = server;
    this.#hosting = hosting;
    this.#bindings = bindings;
    this.#team = getTeamObject(bindings, hosting.team);
    this.#end = end;
  }

  readonly worlds: LocalSandbox["worlds"] = {
    list: async () => (await this.#names()).map((id) => this.#toView(id)),
    put: (id, source, { replace = false } = {}) => this.#put(id, source, replace),
    remove: (id) => this.#remove(id),
  };

  readonly coverage: LocalSandbox["coverage"] = {
    data: async () => {
      const { services, settingsOf, coverage, id } = this.#core;
      const others = (await this.#names()).filter((name) => name !== id);
      const sum = new Coverage(services, settingsOf);
      sum.add(coverage.toRecord());
      const met = await Promise.all([...others.map((name) => this.#world(name).met()), this.#team.met()]);
      for (const records of met) sum.add(records);
      return sum.data();
    },
  };

  async fork(name?: string): Promise<LocalWorld> {
    return this.#make(name, writeFork(this.#core));
  }

  async #put(id: string, source: WorldSource, replace: boolean): Promise<LocalWorld> {
    const record = await this.#readSource(source);
    if (!replace || !(await this.#names()).includes(id)) return this.#make(id, record);
    this.#checkSize(record);
    if (id === this.#core.id) this.#core.replace(readRecord(record));
    else await this.#world(id).become(JSON.stringify(record), this.#withWorld(id));
    return this.#toView(id);
  }

  async #readSource(source: WorldSource): Promise<WorldRecord> {
    const { id } = this.#core;
    const { from, record } = readWorldSource(source);
    if (from === undefined) return runAtPointer("/record", () => writeRecord(id, readRecord(record)));
    if (from === id) return writeFork(this.#core);
    const forked = await this.#world(from).forked(this.#withWorld(from));
    if (forked !== undefined) return JSON.parse(forked) as WorldRecord; // Safe cast: `writeFork` created the record.
    throw new UsageError("unknownName", this.#unknown(from), { pointer: "/from" });
  }

  /** Creates a world from a record. Throws a UsageError if the team has reached its limit of worlds. */
  async #make(name: string | undefined, record: WorldRecord): Promise<LocalWorld> {
    const { limits } = this.#hosting;
    if (name !== undefined) assertWorldName(name);
    if (name === MAIN_WORLD) throw createExistsError(name);
    this.#checkSize(record);
    const entered = await this.#team.enter(name, limits.worlds);
    if ("refused" in entered)
      throw entered.refused === "limit" ? createLimitError(limits.worlds) : createExistsError(name ?? "");
    const id = entered.name;
    try {
      await this.#world(id).become(JSON.stringify(record), this.#withWorld(id));
    } catch (error) {
      await this.#team.leave(id, []);
      throw error;
    }
    return this.#toView(id);
  }

  /** Throws a UsageError if a record without its journal is larger than the limit `worldSize`. */
  #checkSize({ journal: _journal, ...record }: WorldRecord): void {
    const { worldSize } = this.#hosting.limits;
    const { length } = JSON.stringify(record);
    if (length <= worldSize) return;
    const message = `The record has ${length} characters without its journal. The maximum is ${worldSize}.`;
    throw new UsageError("badRecord", message, { pointer: "/record" });
  }

  async #remove(id: string): Promise<void> {
    if (id === MAIN_WORLD) throw createMainError();
    if (!(await this.#names()).includes(id)) throw new UsageError("unknownWorld", this.#unknown(id));
    await this.#team.leave(id, id === this.#core.id ? await this.#end() : await this.#world(id).end());
  }

  /** Returns the names of the team's worlds, starting with the main world. */
  async #names(): Promise<readonly string[]> {
    return [MAIN_WORLD, ...(await this.#team.list())];
  }

  #world(id: string): WorldCalls {
    return getWorldObject(this.#bindings, this.#hosting.team, id);
  }

  #withWorld(world: string): Hosting {
    return { ...this.#hosting, world };
  }

  #toView(id: string): LocalWorld {
    return {
      id,
      urlsAt: (origin) => this.#server.addresses.urls(id === MAIN_WORLD ? "" : `/~${id}`, origin),
    };
  }

  #unknown(id: string): string {
    return formatUnknownWorld(id, this.#hosting.options.worldIdle);
  }
}

/** Returns a record of the world with an empty journal, to create a copy of the world. */
export function writeFork(core: SandboxCore): WorldRecord {
  return writeRecord(core.id, { ...core.getForkState(), journal: NO_JOURNAL });
}

/** Returns the sandbox with its methods `fork`, `worlds` and `coverage` replaced by those of `others`. */
export function withOtherWorlds(controls: LocalSandbox, others: OtherWorldMethods): LocalSandbox {
  return new Proxy(controls, {
    get(own, name) {
      if (name === "fork") return others.fork.bind(others);
      if (name === "worlds" || name === "coverage") return others[name];
      const value = Reflect.get(own, name);
      return typeof value === "function" ? value.bind(own) : value;
    },
  });
}
