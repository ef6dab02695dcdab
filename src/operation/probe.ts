/** Probes: harmless requests that show how a server decides an open point of its document. */

/** A JSON value, read without checks. A member that does not exist is undefined. */
export interface Json {
  readonly [name: string]: Json | undefined;
}

/** `media`: without parameters. `body`: empty if it is not JSON. */
export type ProbeReply = Pick<Response, "status" | "headers"> & Readonly<{ media: string; body: Json }>;

/** `authorization` replaces the valid credentials; null sends none. */
export type ProbeOptions = { authorization?: string | null; accept?: string; type?: string; body?: string };

/** Returns the reply to `/users/me` or `POST /login`. Throws until the reply exists. Then the probe runs again. */
export type Ask = {
  (line: string, options?: ProbeOptions): ProbeReply;
  /** The valid credentials. */
  authorization: string;
};

/** Returns the value of the point's setting, if any, and short values that describe the behavior. Undefined: the data of the server does not show it. */
export type Probe = (ask: Ask) => unknown;

/** How to compare a server with a service. */
export type ServiceProbes = {
  /** Probes by the id of their point. They send reads, and requests that every documented server rejects before its handler. */
  readonly points: Readonly<Record<string, Probe>>;
  /** A read that shows whether the server is the service at all. */
  readonly home: string;
  isHome(body: Json): boolean;
  /** The paths of all reads. */
  reads(ask: Ask): readonly string[];
  /** The media types of each read. The first is the default of `Accept`. */
  readonly media: readonly string[];
  /** Fields whose presence depends on the data. */
  readonly varying: readonly string[];
};

/** The choice for an observation. The observation itself if it has no choice. */
export const choose = (choices: Readonly<Record<string, unknown>>, seen: unknown) =>
  choices[`${seen}`] ?? seen;

/** The items of a JSON list; empty for any other value. */
export const toItems = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
