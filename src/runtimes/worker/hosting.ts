/** What each call to a world says of where it is: plain, as it goes from one object to another. */

import type { ScenarioReference } from "../../scenario/library.ts";

/** What a team may use. */
export type Limits = {
  /** Worlds besides the main one. Default 500; one more is 429. */
  readonly worlds: number;
  /** Requests to one world in a second, on average over ten. Default 100; one more is 429. */
  readonly requestsPerSecond: number;
  /** Characters of one world's record without its journal. Default 5,000,000; a change that needs more is 507. */
  readonly worldSize: number;
  /** How long one request may wait. Default 60; then it is 503. */
  readonly waitSeconds: number;
  /** Event streams of one world at once. Default 8; one more ends the oldest. */
  readonly eventStreams: number;
};

export const DEFAULT_LIMITS: Limits = {
  worlds: 500,
  requestsPerSecond: 100,
  worldSize: 5_000_000,
  waitSeconds: 60,
  eventStreams: 8,
};

/** What the main world of a team starts with, and the origins of pages that may call its services. */
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
