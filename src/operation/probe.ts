/** Probes: requests that show how a real server behaves in a point that its document leaves open. They change no data. */

/** A JSON value of unknown form. A member that does not exist is undefined. */
export interface Json {
  readonly [name: string]: Json | undefined;
}

/** Response to a probe. `media` is the media type without parameters. `body` is `{}` if the response is not JSON. */
export type ProbeReply = Pick<Response, "status" | "headers"> & Readonly<{ media: string; body: Json }>;

/** `authorization` replaces the valid credentials; null sends no credentials. `type` is the Content-Type. */
export type ProbeOptions = { authorization?: string | null; accept?: string; type?: string; body?: string };

/** Returns the response to a request: `/users/me`, `POST /login`. Throws a promise until it arrives; then the probe runs again. */
export type Ask = {
  (line: string, options?: ProbeOptions): ProbeReply;
  /** Value of the Authorization header with valid credentials. */
  authorization: string;
};

/** Returns one or several observed values. The first belongs to the point's setting, if any. Undefined: the data shows none. */
export type Probe = (ask: Ask) => unknown;

/** The requests that compare a real server with a simulated service. */
export type ServiceProbes = {
  /** Probes by the id of their assumption. They send GET requests, and invalid requests that change no data. */
  readonly points: Readonly<Record<string, Probe>>;
  /** Path of a GET request. `isHome` checks its response body to detect a server that is not this service. */
  readonly home: string;
  isHome(body: Json): boolean;
  /** Returns the paths of the GET requests whose responses are compared. */
  reads(ask: Ask): readonly string[];
  /** Media types in which each path is requested. The first is the default of `Accept` in probes. */
  readonly media: readonly string[];
  /** Response fields that are not compared, because their presence depends on the data. */
  readonly varying: readonly string[];
};

/** Returns the entry of `choices` for the observed value `seen`, or `seen` itself if it has no entry. */
export const choose = (choices: Readonly<Record<string, unknown>>, seen: unknown) =>
  choices[`${seen}`] ?? seen;

/** Returns the items of a JSON array, or no items for any other value. */
export const toItems = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
