/** Types of Cloudflare's Durable Objects API, as far as vitrine uses it, and of the calls between vitrine's objects. */

import type { CoverageRecord } from "../../journal/coverage.ts";
import type { Hosting } from "./hosting.ts";

type SqlValue = string | number | null;

export type Sql = {
  exec(query: string, ...values: readonly SqlValue[]): Iterable<Readonly<Record<string, SqlValue>>>;
};

/** Writes in one turn of the event loop are atomic. Cloudflare sends a response only after earlier writes are stored. */
export type Storage = {
  readonly sql: Sql;
  getAlarm(): Promise<number | null>;
  /** `at` is in ms since 1970. A Durable Object has one alarm; a new alarm replaces it. */
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
};

export type ObjectContext = {
  readonly storage: Storage;
  /** Delays all other events of this Durable Object until `act` ends. */
  blockConcurrencyWhile<T>(act: () => Promise<T>): Promise<T>;
};

type Namespace<T> = { idFromName(name: string): object; get(id: object): T };

/** Bindings that `wrangler.jsonc` declares. */
export type Bindings = {
  readonly WORLDS: Namespace<WorldCalls>;
  readonly TEAMS: Namespace<TeamCalls>;
};

/** Methods of a world's Durable Object that other objects call. */
export type WorldCalls = {
  answer(request: Request, hosting: Hosting): Promise<Response>;
  /** Returns a `WorldRecord` as JSON, to create a copy of the world. Undefined if the world does not exist. */
  forked(hosting: Hosting): Promise<string | undefined>;
  /** Replaces the state of the world with a `WorldRecord` in JSON. Creates the world if it does not exist. */
  become(record: string, hosting: Hosting): Promise<void>;
  met(): Promise<readonly CoverageRecord[]>;
  /** Ends the world and returns its coverage. */
  end(): Promise<readonly CoverageRecord[]>;
};

/** Methods of a team's Durable Object, which lists the team's worlds. */
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
