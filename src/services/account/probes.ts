/** Probes of `vitrine calibrate`: requests that show how a real account server behaves where its document is silent. */

import type { Ask, Json, ServiceProbes } from "../../operation/probe.ts";
import { choose, toItems } from "../../operation/probe.ts";
import { parseToken } from "./tokens.ts";

const LINKED = "application/ld+json";
const PLAIN = "application/json";
const OPEN = { authorization: null };
const DOCS = "/docs.jsonld";
const PAST_END = "/consumptions?page=100000";
const LISTS = ["/consumptions", "/pre-sales", "/pre-sale-actions"];
const BROKEN = '{"threshold":-1,"vitrine":1}';

/** Sends a create request. All probes omit required fields, so that every server rejects the body and stores nothing. */
const post = (ask: Ask, body: string, type = PLAIN) => ask("POST /pre-sale-actions", { type, body });
const listViolations = ({ body }: ReturnType<Ask>) =>
  toItems(body["violations"])
    .flatMap((row) => Object.values(row))
    .join(" ");
function readList(ask: Ask, path: string) {
  const { body } = ask(path);
  const items = toItems(body["hydra:member"] ?? body["member"]);
  const total = Number(body["hydra:totalItems"] ?? body["totalItems"]);
  return { path, items, hasMore: items.length > 0 && total > items.length };
}
const readLists = (ask: Ask) => LISTS.map((path) => readList(ask, path));
const listItemPaths = (ask: Ask) =>
  readLists(ask).flatMap(({ path, items: [first] }) => (first ? [`${path}/${first["uuid"]}`] : []));
const getFirst = (ask: Ask, path: string): Json => readList(ask, path).items[0] ?? {};
const readToken = ({ authorization }: Ask) => parseToken(authorization.replace("Bearer ", ""));

const toTime = ({ created_at, year, month }: Json) => Date.parse(String(created_at ?? `${year}-${month}`));

/** Returns the order of the times, or undefined if all are equal. */
function findOrder(times: readonly number[]): string | undefined {
  const steps = times.slice(1).map((time, index) => Math.sign(time - (times[index] ?? time)));
  if (steps.includes(1)) return steps.includes(-1) ? "unordered" : "ascending";
  return steps.includes(-1) ? "descending" : undefined;
}

export const probes: ServiceProbes = {
  home: "/users/me",
  isHome: (body) => body["email"] !== undefined,
  reads: (ask) => [...LISTS, ...listItemPaths(ask), "/users/me"],
  media: [LINKED, PLAIN, "text/html"],
  varying: ["hydra:view", "view"],
  points: {
    token: (ask) => readToken(ask)?.header["alg"],
    lifetime(ask) {
      const { exp, iat } = readToken(ask)?.payload ?? {};
      return exp && choose({ "86400s": "24h" }, `${Number(exp) - Number(iat)}s`);
    },
    tokenErrors: (ask) => [ask("/users/me", OPEN).status, Object.keys(ask("/users/me", OPEN).body).join(" ")],
    publicDocs: (ask) => choose({ 200: false, 401: true }, ask(DOCS, OPEN).status),
    strictTokens(ask) {
      if (ask(DOCS, OPEN).status !== 200) return undefined;
      return choose({ 200: false, 401: true }, ask(DOCS, { authorization: "Bearer a.b.c" }).status);
    },
    contentType: (ask) => post(ask, "{}", "text/plain").status,
    errorBody(ask) {
      const { media, body } = ask("/consumptions/vitrine");
      const profiles = { [LINKED]: "api-platform-2", "application/problem+json": "api-platform-4" };
      return [choose(profiles, media), Object.keys(body).join(" ")];
    },
    itemContext(ask) {
      const [path] = listItemPaths(ask);
      return path && choose({ string: "link", object: "inline" }, typeof ask(path).body["@context"]);
    },
    entryPoint: (ask) => "user" in ask("/").body,
    pageSize: (ask) => [readLists(ask).find(({ hasMore }) => hasMore)?.items.length, ask(PAST_END).status],
    badPage: (ask) => choose({ 400: "refuse", 200: "first" }, ask("/consumptions?page=0").status),
    badFilter: (ask) => choose({ 400: "refuse", 200: "ignore" }, ask("/consumptions?year=x").status),
    order: (ask) => readLists(ask).map(({ items }) => findOrder(items.map(toTime))),
    amounts(ask) {
      const { total } = getFirst(ask, "/consumptions");
      return total && [typeof total, /^-?\d+\.\d\d$/.test(String(total)) ? "2 decimals" : "other decimals"];
    },
    timestamps(ask) {
      const zone = String(getFirst(ask, "/pre-sales")["created_at"] ?? "").slice(19);
      return zone ? choose({ "+00:00": "offset" }, zone) : undefined;
    },
    badInput: (ask) => ['{"threshold":"x"}', "{", BROKEN].map((body) => post(ask, body).status),
    violations: (ask) => listViolations(post(ask, BROKEN)),
    nulls(ask) {
      const reply = post(ask, '{"threshold":null}');
      const isType = / of type /.test(listViolations(reply));
      return isType || reply.status === 400 ? "typeError" : "missing";
    },
    slash: (ask) => ask("/consumptions/").status,
    routes: (ask) => choose({ "text/html": "symfony" }, ask("/nowhere", { accept: "*/*" }).media),
  },
};
