/** What is used of Cloudflare's runtime, as it documents it: the storage of an object, and how one object calls another. */

import type { CoverageRecord } from "../../journal/coverage.ts";
import type { Hosting } from "./hosting.ts";

type SqlValue = string | number | null;

export type Sql = {
  exec(query: string, ...values: readonly SqlValue[]): Iterable<Readonly<Record<string, SqlValue>>>;
};

/** What is written in one turn is stored as a whole, before anything that was answered after it leaves. */
export type Storage = {
  readonly sql: Sql;
  getAlarm(): Promise<number | null>;
  /** In milliseconds since 1970. There is one alarm; a second replaces it. */
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
};

export type ObjectContext = {
  readonly storage: Storage;
  /** Nothing else reaches the object until that has ended. */
  blockConcurrencyWhile<T>(act: () => Promise<T>): Promise<T>;
};

type Namespace<T> = { idFromName(name: string): object; get(id: object): T };

/** The bindings of `wrangler.jsonc`. */
export type Bindings = {
  readonly WORLDS: Namespace<WorldCalls>;
  readonly TEAMS: Namespace<TeamCalls>;
};

/** What a world can be asked by others. */
export type WorldCalls = {
  answer(request: Request, hosting: Hosting): Promise<Response>;
  /** A record of what a copy starts with, as JSON text; undefined: there is no such world. */
  forked(hosting: Hosting): Promise<string | undefined>;
  /** Becomes what a record describes. */
  become(record: string, hosting: Hosting): Promise<void>;
  met(): Promise<readonly CoverageRecord[]>;
  /** Ends the world, and returns what it has met. */
  end(): Promise<readonly CoverageRecord[]>;
};

/** What the list of a team's worlds can be asked. */
export type TeamCalls = {
  /** Without a name it is called `w1`, `w2`, … */
  enter(name: string | undefined, limit: number): Promise<EnterResult>;
  /** `met`: what the world that has ended leaves behind. */
  leave(name: string, met: readonly CoverageRecord[]): Promise<void>;
  /** The names, in order of creation; the main world is none of them. */
  list(): Promise<readonly string[]>;
  /** What worlds have met that are no more. */
  met(): Promise<readonly CoverageRecord[]>;
};

export type EnterResult = { readonly name: string } | { readonly refused: "exists" | "limit" };
