/** Observes a real server or a sandbox: collects values for the assumptions, and facts about its responses to reads. */

import type { ProbeReply } from "../operation/probe.ts";
import { type Server, ServerFailure } from "./server.ts";

/** Observed JSON values of one assumption. Null: the server's data does not show the value. */
export type Values = readonly unknown[];
export type Facts = Readonly<Record<string, string>>;
export type Observations = {
  /** Observed values by id of the assumption. */
  readonly points: Readonly<Record<string, Values>>;
  /** Facts by request, such as `GET /pre-sales as text/html`. */
  readonly reads: Readonly<Record<string, Facts>>;
  /** Reason why the observations are incomplete. */
  readonly failure?: string;
};

/** Matches the names of headers that are not facts, because they depend on the connection, the time or the data. */
const VOLATILE =
  /^(date|age|via|server|connection|keep-alive|transfer-encoding|content-(length|type|encoding)|etag|last-modified|set-cookie|strict-transport-security|alt-svc|x-(vitrine|request|powered|cache).*|cf-.*|access-control-.*)$/;

/** Sends all probes. If the server fails, returns the earlier observations with the reason. `authorize` sets the credentials. */
export async function observe(server: Server, authorize: () => Promise<void>, withReads = false) {
  const { service, run, clean } = server;
  const points: Record<string, Values> = {};
  const reads: Record<string, Facts> = {};
  const { probes } = service;
  if (probes === undefined) return { points, reads };
  try {
    await authorize();
    const home = await run((ask) => ask(probes.home, { accept: "application/json" }));
    server.assertReply(home, probes.isHome(home.body));
    for (const [id, probe] of Object.entries(probes.points)) {
      const values = [await run(probe)].flat();
      const shown = values.map((value) => (typeof value === "string" ? clean(value) : (value ?? null)));
      if (shown.some((value) => value !== null)) points[id] = shown;
    }
    for (const path of withReads ? await run(probes.reads) : [])
      for (const accept of probes.media) {
        const name = `GET ${path.replace(/[\da-f]{8}-[\da-f-]{27}/i, "{id}")} as ${accept}`;
        reads[name] = listFacts(server, await run((ask) => ask(path, { accept })), probes.varying);
      }
  } catch (error) {
    if (error instanceof ServerFailure) return { points, reads, failure: error.message };
    throw error;
  }
  return { points, reads };
}

/** Lists facts that do not depend on the server's data: status, media type, headers, and types of the fields. */
function listFacts(server: Server, reply: ProbeReply, varying: readonly string[]): Facts {
  const fields = new Map<string, { parent: string; count: number; types: Set<string> }>();
  const visit = (value: unknown, path: string, parent: string): void => {
    const { count, types } = fields.get(path) ?? { count: 0, types: new Set() };
    fields.set(path, { parent, count: count + 1, types });
    if (value !== null) types.add(Array.isArray(value) ? "array" : typeof value);
    for (const [name, member] of Object.entries(typeof value === "object" ? (value ?? {}) : {}))
      if (Array.isArray(value)) visit(member, `${path}[]`, path);
      else if (!varying.includes(name)) visit(member, `${path}.${name}`, path);
  };
  visit(reply.body, "", "");
  const facts: Record<string, string> = { status: `${reply.status}`, "media type": reply.media };
  for (const [name, value] of reply.headers)
    if (!VOLATILE.test(name)) facts[`header ${name}`] = server.clean(value);
  for (const [path, { parent, count, types }] of fields) {
    if (types.size > 0) facts[`type of ${path}`] = [...types].sort().join(" or ");
    if (path.includes(".") && !path.endsWith("[]"))
      facts[`field ${path}`] = count === fields.get(parent)?.count ? "required" : "optional";
  }
  return facts;
}
