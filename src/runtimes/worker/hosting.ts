/** Team, world, limits and options of a hosted world. Each call to another Durable Object passes them as JSON values. */

import type { ScenarioReference } from "../../scenario/library.ts";

export type Limits = {
  /** Maximum number of worlds in addition to the main world. Default: 500. Beyond it: 429. */
  readonly worlds: number;
  /** Maximum requests per second to one world, averaged over 10 s. Default: 100. Beyond it: 429. */
  readonly requestsPerSecond: number;
  /** Maximum size of a world's record without its journal, in characters. Default: 5,000,000. Beyond it: 507. */
  readonly worldSize: number;
  /** Timeout of a request, in seconds. Default: 60. Beyond it: 503. */
  readonly waitSeconds: number;
  /** Maximum number of concurrent event streams of one world. Default: 8. A new stream ends the oldest. */
  readonly eventStreams: number;
};

export const DEFAULT_LIMITS: Limits = {
  worlds: 500,
  requestsPerSecond: 100,
  worldSize: 5_000_000,
  waitSeconds: 60,
  eventStreams: 8,
};

/** Initial state of a team's main world, and options of all its worlds. */
export type TeamOptions = {
  readonly scenario?: ScenarioReference | readonly ScenarioReference[] | undefined;
  readonly settings?: object | undefined;
  readonly seed?: number | undefined;
  readonly clock?: string | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly worldIdle: string;
};

export type Hosting = {
  readonly team: string;
  readonly world: string;
  /** SHA-256 of each control token, in hexadecimal digits. */
  readonly tokens: readonly string[];
  readonly limits: Limits;
  readonly options: TeamOptions;
};
