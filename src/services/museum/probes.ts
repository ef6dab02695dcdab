/** Probes of `vitrine calibrate`: requests that show which settings match a real museum server. */

import { type Ask, choose, type ServiceProbes, toItems } from "../../operation/probe.ts";
import { toBasicHeader } from "./security.ts";

const EVENTS = "/special-events";
const ALL = `${EVENTS}?startDate=2000-01-01&endDate=2099-12-31&limit=30`;
const PAGE_0 = `${EVENTS}?page=0`;
/** Invented credentials: the scenario that `vitrine calibrate` writes must not contain the real ones. */
const PAIR = { user: "vitrine", password: "vitrine" };
const NOBODY = { user: "nobody", password: "nobody" };

/** Finds the unit of `limit`, with `limit=1` on a day that has several events. One event in the response means that the unit is events. */
function findUnit(ask: Ask): string | undefined {
  const dates = toItems(ask(ALL).body).flatMap((event) => toItems(event["dates"]));
  const day = dates.find((date, index) => dates.indexOf(date) < index);
  const page = day && toItems(ask(`${EVENTS}?startDate=${day}&endDate=${day}&limit=1`).body);
  return page && (page.length === 1 ? "events" : "days");
}

export const probes: ServiceProbes = {
  home: ALL,
  isHome: Array.isArray,
  reads(ask) {
    const [event] = toItems(ask(ALL).body);
    return [ALL, ...(event ? [`${EVENTS}/${event["eventId"]}`] : []), "/museum-hours"];
  },
  media: ["application/json"],
  varying: [],
  points: {
    errorBody: (ask) => ["status" in ask(PAGE_0).body, Object.keys(ask(PAGE_0).body).join(" ")],
    badInput: (ask) => ask(PAGE_0).status,
    credentials: (ask) => [
      choose({ 200: "every pair", 401: [PAIR] }, ask(ALL, { authorization: toBasicHeader(NOBODY) }).status),
    ],
    limit: (ask) => choose({ 200: "clamp", 400: "refuse", 422: "refuse" }, ask(`${EVENTS}?limit=31`).status),
    pageBy: findUnit,
    unknownInput: (ask) => choose({ 200: false, 400: true, 422: true }, ask(`${EVENTS}?x=1`).status),
    preview: (ask) => choose({ 200: true, 404: false }, ask("/museum-hours").status),
  },
};
