/** Probes for the points that the account's document leaves open. */

import type { Ask, Json, ProbeReply, ServiceProbes } from "../../operation/probe.ts";
import {
  explained,
  findOrder,
  listSecurityHeaders,
  readByCapitals,
  toItems,
  without,
} from "../../operation/probe.ts";
import { fromBase64, fromUtf8 } from "../../world/bytes.ts";
import type { assumptions } from "./assumptions.ts";

const LINKED = "application/ld+json";
const PLAIN = { accept: "application/json" };
const ANY = { accept: "*/*" };
const OPEN = { authorization: null };
const DOCS = "/docs.jsonld";
const PAST_END = "/consumptions?page=100000";
const LISTS = ["/consumptions", "/pre-sales", "/pre-sale-actions"];

/** A body without the required fields: every server rejects it. */
const post = (ask: Ask, body: string, type = PLAIN.accept, path = "/pre-sale-actions") =>
  ask(`POST ${path}`, { type, body });
/** Undefined: the server names no fields. */
function judge({ body }: ProbeReply, field: string): string | undefined {
  const rows = toItems(body["violations"]);
  const row = rows.find(({ propertyPath }) => String(propertyPath) === field);
  return row === undefined ? (rows.length > 0 ? "accepted" : undefined) : `rejected: ${row["message"]}`;
}
const postBroken = (ask: Ask) => post(ask, '{"threshold":-1,"vitrine":1}');
function readList(ask: Ask, path: string) {
  const { body } = ask(path);
  const items = toItems(body["hydra:member"] ?? body["member"]);
  const total = Number(body["hydra:totalItems"] ?? body["totalItems"]);
  return { path, body, items, hasMore: items.length > 0 && total > items.length };
}
const readLists = (ask: Ask) => LISTS.map((path) => readList(ask, path));
const listItemPaths = (ask: Ask) =>
  readLists(ask).flatMap(({ path, items: [first] }) => (first ? [`${path}/${first["uuid"]}`] : []));
const getFirst = (ask: Ask, path: string): Json => readList(ask, path).items[0] ?? {};
const toTime = ({ created_at, year, month }: Json) => Date.parse(String(created_at ?? `${year}-${month}`));
const hasView = (body: Json) => ("hydra:view" in body || "view" in body ? "a view" : "no view");

/** Header and claims of the token in one object. Empty: not a JWT. */
function readToken({ authorization }: Ask): Json {
  const parts = authorization.replaceAll("-", "+").replaceAll("_", "/").split(/[ .]/).slice(1, 3);
  try {
    return Object.assign({}, ...parts.map((part) => JSON.parse(fromUtf8(fromBase64(part)))));
  } catch {
    return {};
  }
}

export const probes: ServiceProbes<keyof typeof assumptions> = {
  home: "/users/me",
  isHome: (body) => body["email"] !== undefined,
  reads: (ask) => [...LISTS, ...listItemPaths(ask), "/users/me"],
  media: [LINKED, PLAIN.accept, "text/html"],
  varying: ["hydra:view", "view"],
  points: {
    ...without("only a successful write shows it", "put", "unknownPreSale", "fieldLength", "oldTokens"),
    ...without("only new usage shows it", "paidUsage", "trigger", "running", "price", "today"),
    secondLogin: "the server may reject logins for 24 hours",
    keys: "only the sandbox has these addresses",
    loginBody: "a rejected login may count as a failed login",
    visibleData: "it needs ids of another user",
    options: "OPTIONS is neither a read nor always rejected",
    bodySize: "a large body is a load for the server",
    token: explained(
      (algorithm, seconds) => ({ algorithm, tokenLifetime: seconds === "86400" ? "24h" : `${seconds}s` }),
      (ask) => [readToken(ask)["alg"], Number(readToken(ask)["exp"]) - Number(readToken(ask)["iat"])],
    ),
    uid: (ask) => typeof readToken(ask)["uid"],
    tokenErrors: (ask) => [ask("/users/me", OPEN).status, Object.keys(ask("/users/me", OPEN).body).join(" ")],
    publicDocs: explained({ 200: false, 401: true }, (ask) => ask(DOCS, OPEN).status),
    strictTokens: explained({ 200: false, 401: true }, (ask) =>
      ask(DOCS, OPEN).status === 200 ? ask(DOCS, { authorization: "Bearer a.b.c" }).status : undefined,
    ),
    userIds: (ask) => readToken(ask)["uid"] && ask(`/users/${readToken(ask)["uid"]}`, PLAIN).status,
    defaultMedia: (ask) => ask("/users/me", { accept: "text/x" }).status,
    contentType: (ask) => post(ask, "{}", "text/plain").status,
    charset: (ask) => post(ask, "{}", "application/json; charset=latin1").status,
    errorBody: explained(
      { [LINKED]: "api-platform-2", "application/problem+json": "api-platform-4" },
      (ask) => [ask("/consumptions/vitrine").media, Object.keys(ask("/consumptions/vitrine").body).join(" ")],
    ),
    itemContext: explained({ string: "link", object: "inline" }, (ask) => {
      const [path] = listItemPaths(ask);
      return path && typeof ask(path).body["@context"];
    }),
    urls: (ask) => ask("/consumptions").body["@id"],
    html: (ask) => ask("/users/me", { accept: "text/html" }).media,
    entryMedia: (ask) => [ask("/", PLAIN).media, "@id" in ask("/", PLAIN).body ? "JSON-LD" : "plain"],
    securityHeaders: (ask) => listSecurityHeaders(ask("/nowhere", ANY)),
    entryPoint: explained({ true: true, false: false }, (ask) => "user" in ask("/").body),
    suffix: (ask) => ask("/consumptions.json", ANY).media,
    view(ask) {
      const whole = readLists(ask).find(({ items, hasMore }) => items.length > 0 && !hasMore);
      return [whole && hasView(whole.body), hasView(ask("/consumptions?year=1&year[]=2").body)];
    },
    pageSize: explained(
      (size) => ({ pageSize: Number(size) }),
      (ask) => [readLists(ask).find(({ hasMore }) => hasMore)?.items.length, ask(PAST_END).status],
    ),
    badPage: explained({ 400: "refuse", 200: "first" }, (ask) => ask("/consumptions?page=0").status),
    badFilter: explained({ 400: "refuse", 200: "ignore" }, (ask) => ask("/consumptions?year=x").status),
    brokenQuery: (ask) => ask("/consumptions?vitrine=%zz").status,
    filterTwice(ask) {
      const { year } = getFirst(ask, "/consumptions");
      return year && `${readList(ask, `/consumptions?year=1&year[]=${year}`).items.length > 0}`;
    },
    order: (ask) => readLists(ask).map(({ items }) => findOrder(items.map(toTime))),
    amounts(ask) {
      const { total } = getFirst(ask, "/consumptions");
      return total && [typeof total, /^-?\d+\.\d\d$/.test(String(total)) ? "2 decimals" : "other decimals"];
    },
    timestamps: explained(
      { "+00:00": "offset", Z: "Z" },
      (ask) => String(getFirst(ask, "/pre-sales")["created_at"] ?? "").slice(19) || undefined,
    ),
    badInput: explained({ 400: 400, 422: 422 }, (ask) =>
      [post(ask, '{"threshold":"x"}'), post(ask, "{"), postBroken(ask)].map(({ status }) => status),
    ),
    badJson: (ask) => post(ask, "{").body["hydra:description"] ?? post(ask, "{").body["detail"],
    violations: (ask) =>
      toItems(postBroken(ask).body["violations"]).map((row) => Object.values(row).join(" ")),
    nulls: explained({ "wrong type": "typeError", missing: "missing" }, (ask) => {
      const reply = post(ask, '{"threshold":null}');
      return reply.status === 400 || judge(reply, "threshold")?.includes("type") ? "wrong type" : "missing";
    }),
    threshold: (ask) => judge(postBroken(ask), "threshold"),
    unknownFields: (ask) => judge(postBroken(ask), "vitrine"),
    notAnObject: (ask) => post(ask, '"x"').status,
    uuidCase: (ask) => readByCapitals(ask, "/consumptions", "uuid", readList(ask, "/consumptions").items),
    escapes: (ask) => (ask("/consumptions").text.includes("\\/") ? "escaped slashes" : "plain slashes"),
    slash: (ask) => ask("/consumptions/").status,
    routes: explained(
      (media) => ({ routeErrors: media === "text/html" ? "symfony" : "service" }),
      (ask) => [ask("/nowhere", ANY).media, post(ask, "{", "text/plain", "/consumptions").status],
    ),
  },
};
