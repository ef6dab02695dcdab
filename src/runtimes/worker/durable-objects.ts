/** The part of Cloudflare's Durable Objects API that vitrine uses, and the calls between its own objects. */

import type { CoverageRecord } from "../../journal/coverage.ts";
import type { Hosting } from "./hosting.ts";

type SqlValue = string | number | null;

export type Sql = {
  exec(query: string, ...values: readonly SqlValue[]): Iterable<Readonly<Record<string, SqlValue>>>;
};

/** Writes of one event loop turn are atomic. The runtime delays later responses until they are stored. */
export type Storage = {
  readonly sql: Sql;
  getAlarm(): Promise<number | null>;
  /** `at` is in ms since 1970. An object has one alarm; a new one replaces it. */
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
};

export type ObjectContext = {
  readonly storage: Storage;
  /** Delays all other events of the object until `act` ends. */
  blockConcurrencyWhile<T>(act: () => Promise<T>): Promise<T>;
};

type Namespace<T> = { idFromName(name: string): object; get(id: object): T };

/** The bindings of `wrangler.jsonc`. */
export type Bindings = {
  readonly WORLDS: Namespace<WorldCalls>;
  readonly TEAMS: Namespace<TeamCalls>;
};

/** Calls that a world accepts from other objects. */
export type WorldCalls = {
  answer(request: Request, hosting: Hosting): Promise<Response>;
  /** Returns the record for a copy as JSON, or undefined if the world does not exist. */
  forked(hosting: Hosting): Promise<string | undefined>;
  /** Replaces the state of the world with a record. */
  become(record: string, hosting: Hosting): Promise<void>;
  met(): Promise<readonly CoverageRecord[]>;
  /** Ends the world and returns its coverage. */
  end(): Promise<readonly CoverageRecord[]>;
};

/** Calls that the list of a team's worlds accepts. */
export type TeamCalls = {
  /** Adds a world. Default names: `w1`, `w2`, … */
  enter(name: string | undefined, limit: number): Promise<EnterResult>;
  /** Removes a world and stores its coverage `met`. */
  leave(name: string, met: readonly CoverageRecord[]): Promise<void>;
  /** Names in order of creation, without the main world. */
  list(): Promise<readonly string[]>;
  /** Coverage of the removed worlds. */
  met(): Promise<readonly CoverageRecord[]>;
};

export type EnterResult = { readonly name: string } | { readonly refused: "exists" | "limit" };
