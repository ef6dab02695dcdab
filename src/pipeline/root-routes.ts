/** What the common address answers itself: `/` and what browsers and crawlers ask for. Not in the journal. */

import type { IncomingRequest } from "../http/incoming-request.ts";
import { createSandboxProblem } from "../http/problem-json.ts";
import { isBrowserProbe } from "../journal/unmatched.ts";
import { isWorldName } from "../world/world-name.ts";
import { type AccessProblem, CONTROL_BASE } from "./guard.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";

type RootLinks = {
  /** What precedes every path: the place in another app and the world. */
  readonly prefix: string;
  /** By environment. */
  readonly bases: Readonly<Record<string, string>>;
};

/** The answer to GET and HEAD of such a path, which comes after the world; undefined for every other request. */
export function findRootResponse(
  asked: IncomingRequest,
  path: string,
  links: RootLinks,
): OutgoingResponse | undefined {
  const { method } = asked;
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path !== "/" && !isBrowserProbe({ method, path })) return undefined;
  const sent = buildRootResponse(path, asked, links);
  return method === "HEAD" ? { ...sent, body: undefined } : sent;
}

function buildRootResponse(path: string, asked: IncomingRequest, links: RootLinks): OutgoingResponse {
  const { prefix, bases } = links;
  const { origin } = asked.address;
  const dashboard = `${prefix}${CONTROL_BASE}/`;
  switch (path) {
    case "/":
      return isHtmlRequest(asked) ? redirectTo(dashboard) : listUrls(origin + prefix, bases, dashboard);
    case "/favicon.ico":
      return redirectTo(`${dashboard}dashboard.svg`);
    case "/robots.txt":
      return createText("text/plain; charset=utf-8", "User-agent: *\nDisallow: /\n");
    default:
      return createSandboxProblem(404, `Nothing is served at ${path}.`);
  }
}

function listUrls(at: string, bases: RootLinks["bases"], dashboard: string): OutgoingResponse {
  const urls = Object.fromEntries(Object.entries(bases).map(([key, base]) => [key, at + base]));
  const sent = createText("application/json", JSON.stringify({ dashboard, urls }));
  return { ...sent, headers: { ...sent.headers, vary: "Accept" } };
}

/** A browser that opens the dashboard without the control token is led to the page that asks for it. */
export function redirectToTokenPage(
  asked: IncomingRequest,
  path: string,
  { status }: AccessProblem,
  prefix: string,
): OutgoingResponse | undefined {
  const isDashboard = path === CONTROL_BASE || path === `${CONTROL_BASE}/`;
  if (status !== 401 || !isDashboard || !isHtmlRequest(asked)) return undefined;
  return redirectTo(`${prefix}${CONTROL_BASE}/locked${asked.address.search}`);
}

/** For a person whose world has ended, a page with the way back; undefined for a program. */
export function buildEndedPage(
  asked: IncomingRequest,
  id: string,
  prefix: string,
): OutgoingResponse | undefined {
  if (!isHtmlRequest(asked) || !isWorldName(id)) return undefined;
  const page = `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>vitrine: no world ${id}</title>
<h1>No world ${id}</h1>
<p>It has ended, or never was. <a href="${prefix}${CONTROL_BASE}/">To the main world</a></p>
`;
  return { ...createText("text/html; charset=utf-8", page), status: 404 };
}

/** A browser that opens an address names HTML first of all. */
function isHtmlRequest({ method, headers }: IncomingRequest): boolean {
  return (method === "GET" || method === "HEAD") && /^\s*text\/html\b/i.test(headers.get("accept") ?? "");
}

function redirectTo(location: string): OutgoingResponse {
  return { status: 302, headers: { location, vary: "Accept" }, body: undefined };
}

function createText(type: string, body: string): OutgoingResponse {
  return { status: 200, headers: { "content-type": type }, body };
}
