/** Probes: harmless requests that show how a server decides an open point of its document. */

/** A JSON value, read without checks. A member that does not exist is undefined. */
export interface Json {
  readonly [name: string]: Json | undefined;
}

/** `media`: without parameters. `body`: empty if it is not JSON. */
export type ProbeReply = Pick<Response, "status" | "headers"> &
  Readonly<Record<"media" | "text", string>> & { readonly body: Json };

/** `authorization` replaces the valid credentials; null sends none. */
export type ProbeOptions = { readonly authorization?: string | null } & {
  readonly [K in "accept" | "type" | "body"]?: string;
};

/** Returns the reply to `/users/me` or `POST /login`. Throws until the reply exists. Then the probe runs again. */
export type Ask = {
  (line: string, options?: ProbeOptions): ProbeReply;
  /** The valid credentials. */
  authorization: string;
};

type Value = string | number | boolean | Json | undefined;
/** Returns short values that describe the behavior. Undefined: the data of the server does not show it. */
export type See = (ask: Ask) => Value | readonly Value[];

/** `values` maps the first value to the value of the assumption's setting, or returns settings. */
export type Probe = { readonly values: Explanation; readonly see: See };
type Explanation =
  | Readonly<Record<string, unknown>>
  | ((...seen: (string | undefined)[]) => Readonly<Record<string, unknown>>);

/** How to compare a server with a service. `K`: the ids of its assumptions. */
export type ServiceProbes<K extends string = string> = {
  /** A probe, or why the point has none. Probes send reads, and requests that every documented server rejects before its handler. */
  readonly points: Readonly<Record<K, Probe | See | string>>;
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

/** A probe that decides a setting. */
export function explained(values: Explanation, see: See): Probe {
  return { values, see };
}

/** Points without a probe, and their reason. */
export function without<K extends string>(reason: string, ...ids: readonly K[]): Readonly<Record<K, string>> {
  return Object.fromEntries(ids.map((id) => [id, reason])) as Record<K, string>; // Safe: it has an entry for each id.
}

/** The items of a JSON list; empty for any other value. */
export function toItems(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function listSecurityHeaders({ headers }: ProbeReply): readonly string[] {
  return ["x-content-type-options", "x-frame-options"].map((name) => headers.get(name) ?? "none");
}

/** Undefined if all keys are equal. */
export function findOrder(keys: readonly number[]): string | undefined {
  const steps = keys.slice(1).map((key, index) => Math.sign(key - (keys[index] ?? key)));
  if (!steps.some(Boolean)) return undefined;
  if (steps.includes(1) && steps.includes(-1)) return "unordered";
  return steps.includes(1) ? "ascending" : "descending";
}

/** Reads an item by its id in capitals. Undefined: no id has letters. */
export function readByCapitals(ask: Ask, path: string, field: string, items: readonly Json[]) {
  const id = items.map((item) => String(item[field]).toUpperCase()).find((text) => /[A-F]/.test(text));
  const shown = id && ask(`${path}/${id}`).body[field];
  return id && (String(shown) === id.toLowerCase() ? "ignored" : "not ignored");
}
