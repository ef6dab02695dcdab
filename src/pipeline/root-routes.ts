/**
 * What the common address answers itself, beside the services: `/`, which leads a person to the dashboard and tells
 * programs the addresses, and what browsers and crawlers ask for on their own. None of it comes into the journal.
 */

import type { IncomingRequest } from "../http/incoming-request.ts";
import { sandboxProblem } from "../http/problem-json.ts";
import { isUnasked } from "../journal/unmatched.ts";
import { isWorldName } from "../world/world-name.ts";
import { type AccessRefusal, CONTROL_BASE } from "./guard.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";

/** What the answers point to. */
type Beside = {
  /** What precedes every path: the place in another app and the world. */
  readonly prefix: string;
  /** By environment. */
  readonly bases: Readonly<Record<string, string>>;
};

/** The answer to GET and HEAD of such a path, which comes after the world; undefined for every other request. */
export function answerEntrance(
  asked: IncomingRequest,
  path: string,
  beside: Beside,
): OutgoingResponse | undefined {
  const { method, address } = asked;
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path !== "/" && !isUnasked({ method, path })) return undefined;
  const sent = answerOf(path, asked, beside, address.origin);
  return method === "HEAD" ? { ...sent, body: undefined } : sent;
}

function answerOf(
  path: string,
  asked: IncomingRequest,
  { prefix, bases }: Beside,
  origin: string,
): OutgoingResponse {
  const dashboard = `${prefix}${CONTROL_BASE}/`;
  switch (path) {
    case "/":
      return isForPerson(asked) ? leadTo(dashboard) : addresses(origin + prefix, bases, dashboard);
    case "/favicon.ico":
      return leadTo(`${dashboard}dashboard.svg`);
    case "/robots.txt":
      return text("text/plain; charset=utf-8", "User-agent: *\nDisallow: /\n");
    default:
      return sandboxProblem(404, `Nothing is served at ${path}.`);
  }
}

function addresses(at: string, bases: Beside["bases"], dashboard: string): OutgoingResponse {
  const urls = Object.fromEntries(Object.entries(bases).map(([key, base]) => [key, at + base]));
  const sent = text("application/json", JSON.stringify({ dashboard, urls }));
  return { ...sent, headers: { ...sent.headers, vary: "Accept" } };
}

/** A browser that opens the dashboard without the control token is led to the page that asks for it. */
export function askForToken(
  asked: IncomingRequest,
  path: string,
  { status }: AccessRefusal,
  prefix: string,
): OutgoingResponse | undefined {
  const isDashboard = path === CONTROL_BASE || path === `${CONTROL_BASE}/`;
  if (status !== 401 || !isDashboard || !isForPerson(asked)) return undefined;
  return leadTo(`${prefix}${CONTROL_BASE}/locked${asked.address.search}`);
}

/** For a person whose world has ended, a page with the way back; undefined for a program. */
export function endedWorld(asked: IncomingRequest, id: string, prefix: string): OutgoingResponse | undefined {
  if (!isForPerson(asked) || !isWorldName(id)) return undefined;
  const page = `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>vitrine: no world ${id}</title>
<h1>No world ${id}</h1>
<p>It has ended, or never was. <a href="${prefix}${CONTROL_BASE}/">To the main world</a></p>
`;
  return { ...text("text/html; charset=utf-8", page), status: 404 };
}

/** A browser that opens an address names HTML first of all. */
function isForPerson({ method, headers }: IncomingRequest): boolean {
  return (method === "GET" || method === "HEAD") && /^\s*text\/html\b/i.test(headers.get("accept") ?? "");
}

function leadTo(location: string): OutgoingResponse {
  return { status: 302, headers: { location, vary: "Accept" }, body: undefined };
}

function text(type: string, body: string): OutgoingResponse {
  return { status: 200, headers: { "content-type": type }, body };
}
