/** Probes for the points that the museum's document leaves open. */

import type { Ask, Json, ProbeReply, ServiceProbes } from "../../operation/probe.ts";
import {
  explained,
  findOrder,
  listSecurityHeaders,
  readByCapitals,
  toItems,
  without,
} from "../../operation/probe.ts";
import type { assumptions } from "./assumptions.ts";
import { toBasicHeader } from "./security.ts";

const EVENTS = "/special-events";
const ALL = `${EVENTS}?startDate=2000-01-01&endDate=2099-12-31&limit=30`;
const PAGE_0 = `${EVENTS}?page=0`;
const NOBODY = toBasicHeader({ user: "nobody", password: "nobody" });
const UNKNOWN = `${EVENTS}/00000000-0000-4000-8000-000000000000`;
const WRITE = "only a successful write shows it";
const BAD_QUERIES = ["startDate=2000-01-02&endDate=2000-01-01", "page=0", "limit=1&limit=2"];
const EMPTY_QUERIES = ["startDate=1900-01-01&endDate=1900-01-02", "page=100000"];

const toVerdict = ({ status }: ProbeReply) => (status < 400 ? "accepted" : "rejected");
const search = (ask: Ask, query: string) => ask(`${EVENTS}?${query}`);
const listAll = (ask: Ask) => toItems(ask(ALL).body);
const toDates = ({ dates }: Json) => toItems(dates).map(String);
const toPath = ({ eventId }: Json) => `${EVENTS}/${eventId}`;
/** A body without the required fields: every server rejects it. */
const post = (ask: Ask, body: string, type = "application/json") => ask(`POST ${EVENTS}`, { type, body });
const getType = ({ body }: ProbeReply) => String(body["type"]).split(/[:/]/).at(-1);
/** The number of items of a page of one, for a day that has several events if possible. */
function countDay(ask: Ask) {
  const dates = listAll(ask).flatMap(toDates);
  const shared = dates.find((date, index) => dates.indexOf(date) < index);
  const day = shared ?? dates[0];
  const count = day && toItems(search(ask, `startDate=${day}&endDate=${day}&limit=1`).body).length;
  return { shared, count };
}

export const probes: ServiceProbes<keyof typeof assumptions> = {
  home: ALL,
  isHome: Array.isArray,
  reads: (ask) => [ALL, ...listAll(ask).slice(0, 1).map(toPath), "/museum-hours"],
  media: ["application/json"],
  varying: [],
  points: {
    ...without(WRITE, "success", "emptyUpdate", "domain", "digits", "priceRange"),
    ...without(WRITE, "ticketDate", "ticketEvent", "ticketEmail"),
    baseData: "only the sandbox has this data",
    encoding: "it needs a password with other letters",
    today: "it needs an event on the border of two days",
    bodySize: "a large body is a load for the server",
    errorBody: explained(
      (names) => ({ errorDetail: names?.includes("status") }),
      (ask) => Object.keys(ask(PAGE_0).body).join(" "),
    ),
    badInput: explained({ 400: 400, 422: 422 }, (ask) => ask(PAGE_0).status),
    securityHeaders: (ask) => listSecurityHeaders(ask(ALL)),
    badBody: (ask) => [getType(post(ask, "{")), getType(post(ask, "{}"))],
    charset: (ask) => getType(post(ask, "{}", "application/json; charset=latin1")),
    ids: (ask) => [ask(`${EVENTS}/x`).status, ask(UNKNOWN).status],
    idCase: (ask) => readByCapitals(ask, EVENTS, "eventId", listAll(ask)),
    noCredentials(ask) {
      const { status, headers } = ask(ALL, { authorization: null });
      return [status, headers.get("www-authenticate")?.split(" ")[0]];
    },
    // An invented pair, because the scenario must not contain the real one.
    credentials: explained(
      { 401: [{ user: "vitrine", password: "vitrine" }] },
      (ask) => ask(ALL, { authorization: NOBODY }).status,
    ),
    range: (ask) => countDay(ask).count && "both ends",
    badRange: (ask) => BAD_QUERIES.map((query) => toVerdict(search(ask, query))),
    limit: explained({ rejected: "refuse", accepted: "clamp" }, (ask) => toVerdict(search(ask, "limit=31"))),
    pageBy: explained({ events: "events", days: "days" }, (ask) => {
      const { shared, count } = countDay(ask);
      return shared && count && (count === 1 ? "events" : "days");
    }),
    order: (ask) => findOrder(listAll(ask).map((event) => Date.parse(toDates(event).sort()[0] ?? ""))),
    noMatch: (ask) => EMPTY_QUERIES.map((query) => JSON.stringify(search(ask, query).body)),
    unknownInput: explained({ rejected: true, accepted: false }, (ask) => toVerdict(search(ask, "x=1"))),
    routes: (ask) => [ask(`PUT ${EVENTS}`, { type: "text/plain", body: "{" }).status, ask("/nowhere").status],
    preview: explained({ 200: true, 404: false }, (ask) => ask("/museum-hours").status),
    hours(ask) {
      const hours = toItems(ask("/museum-hours").body).map((day) => `${day["timeOpen"]}-${day["timeClose"]}`);
      return [...new Set(hours)].sort().join(" ") || undefined;
    },
  },
};
