/** Routes at the root that belong to no service: `/`, `/favicon.ico`, `/robots.txt`. The journal does not record them. */

import type { IncomingRequest } from "../http/incoming-request.ts";
import { createSandboxProblem } from "../http/problem-json.ts";
import { isBrowserProbe } from "../journal/unmatched.ts";
import { isWorldName } from "../world/world-name.ts";
import { type AccessProblem, CONTROL_BASE } from "./guard.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";

type RootLinks = {
  /** Prefix of every path: the mount path in another app, then the world prefix. */
  readonly prefix: string;
  /** Base path of each environment. */
  readonly bases: Readonly<Record<string, string>>;
};

/** Returns the response of a root route. Undefined for other routes and methods. `path` is without the world prefix. */
export function findRootResponse(
  request: IncomingRequest,
  path: string,
  links: RootLinks,
): OutgoingResponse | undefined {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (path !== "/" && !isBrowserProbe({ method, path })) return undefined;
  const sent = buildRootResponse(path, request, links);
  return method === "HEAD" ? { ...sent, body: undefined } : sent;
}

function buildRootResponse(path: string, request: IncomingRequest, links: RootLinks): OutgoingResponse {
  const { prefix, bases } = links;
  const { origin } = request.address;
  const dashboard = `${prefix}${CONTROL_BASE}/`;
  switch (path) {
    case "/":
      return isHtmlRequest(request) ? redirectTo(dashboard) : listUrls(origin + prefix, bases, dashboard);
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

/** Redirects a browser without the control token from the dashboard to the token page. */
export function redirectToTokenPage(
  request: IncomingRequest,
  path: string,
  { status }: AccessProblem,
  prefix: string,
): OutgoingResponse | undefined {
  const isDashboard = path === CONTROL_BASE || path === `${CONTROL_BASE}/`;
  if (status !== 401 || !isDashboard || !isHtmlRequest(request)) return undefined;
  return redirectTo(`${prefix}${CONTROL_BASE}/locked${request.address.search}`);
}

/** Returns an HTML page that reports that the world `id` does not exist. Undefined if the client is not a browser. */
export function buildEndedPage(
  request: IncomingRequest,
  id: string,
  prefix: string,
): OutgoingResponse | undefined {
  if (!isHtmlRequest(request) || !isWorldName(id)) return undefined;
  const page = `<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>vitrine: no world ${id}</title>
<h1>No world ${id}</h1>
<p>It has ended or never existed. <a href="${prefix}${CONTROL_BASE}/">To the main world</a></p>
`;
  return { ...createText("text/html; charset=utf-8", page), status: 404 };
}

/** Whether a browser opens the URL as a page: its Accept header starts with `text/html`. */
function isHtmlRequest({ method, headers }: IncomingRequest): boolean {
  return (method === "GET" || method === "HEAD") && /^\s*text\/html\b/i.test(headers.get("accept") ?? "");
}

function redirectTo(location: string): OutgoingResponse {
  return { status: 302, headers: { location, vary: "Accept" }, body: undefined };
}

function createText(type: string, body: string): OutgoingResponse {
  return { status: 200, headers: { "content-type": type }, body };
}
