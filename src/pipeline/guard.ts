/** Checks Host and Origin: keeps web pages and rebound names out of a server that every page in a browser can reach. */

import { UsageError } from "../errors/usage-error.ts";
import type { IncomingRequest, RequestHeaders } from "../http/incoming-request.ts";
import type { Environment } from "../operation/service.ts";
import type { FaultKind } from "../rules/effect.ts";
import { isLoopbackAddress, isLoopbackHost, LOOPBACK_HOSTS, WILDCARD_HOSTS } from "../sandbox/addresses.ts";
import { isSameSecret } from "../world/identities.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";

export type Access = {
  /** Host names served in addition to loopback and bound ones. Whole names; no wildcards. */
  readonly allowedHosts: readonly string[];
  /** Origins, in addition to loopback ones, whose pages may read the two services; one may begin with a `*.` label. */
  readonly allowedOrigins: readonly string[];
  /** Whether that is the control token; left out: none is asked for. */
  readonly isControlToken: ((given: string) => boolean) | undefined;
  /** The origins of the bound addresses. */
  readonly origins: () => readonly string[];
  /** Whether the sandbox is a part of another app, which may be shown to anybody. */
  readonly isMounted?: boolean | undefined;
  /** The wire faults that can be played. Left out: all of them. */
  readonly faults?: readonly FaultKind[] | undefined;
};

/** Why a request must not reach any handler. */
export type AccessProblem = { readonly status: number; readonly message: string };

export const CONTROL_BASE = "/_vitrine";

/** The control API, which is never on a port of its own. */
export const CONTROL: Environment = {
  key: "control",
  name: "control",
  base: CONTROL_BASE,
  ownBase: CONTROL_BASE,
};

const DOTLESS_HOST = /^[a-z0-9_-]+$/i;
const HOST_NAME = /^(\[[0-9a-f:]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/i;

/** What tells any probe that a container is up, under whatever name it is asked: there is nothing in it. */
const READY_PATH = `${CONTROL_BASE}/ready`;

/** The dashboard's page that asks for the token, and the files of it: there is nothing of the sandbox in them. */
const TOKEN_PAGE_PATH = new RegExp(`^${CONTROL_BASE}/(locked|dashboard(-[a-z]+)?\\.(js|css|svg))$`);

/** Refuses an allowed host or origin that is not a single whole one or that needs a token. */
export function assertAccess(access: Omit<Access, "origins">): void {
  for (const host of access.allowedHosts) {
    if (!HOST_NAME.test(host))
      throw new UsageError("badOption", `allowedHosts: ${JSON.stringify(host)} is not one whole host name.`);
    if (!isLoopbackHost(host)) assertReachable(host, access);
  }
  assertOrigins(access.allowedOrigins);
}

/** Refuses what no page sends as its origin, and every star but one in place of the first label. */
export function assertOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    const plain = origin.replace("://*.", "://");
    const { protocol, host } = URL.canParse(plain) ? new URL(plain) : { protocol: "", host: "" };
    const isOrigin = host !== "" && `${protocol}//${host}` === plain && !plain.includes("*");
    if (origin !== "null" && !isOrigin)
      throw new UsageError(
        "badOption",
        `allowedOrigins: ${JSON.stringify(origin)} is not an origin such as "https://app.example.test", "capacitor://localhost", "null" or "https://*.example.test".`,
      );
  }
}

/** Whether `allowedOrigins` has the origin, or a star in place of its first label. */
export function isListedOrigin(origin: string, { allowedOrigins }: Access): boolean {
  return [origin, origin.replace(/:\/\/[^./:]+\./, "://*.")].some((one) => allowedOrigins.includes(one));
}

/** Off the loopback anyone on the network could control the sandbox, so a token is required. */
export function assertReachable(
  host: string | undefined,
  { isControlToken }: Pick<Access, "isControlToken">,
): void {
  if (host === undefined || isLoopbackAddress(host) || isControlToken !== undefined) return;
  throw new UsageError(
    "badOption",
    `The host ${JSON.stringify(host)} can be reached from other machines. Set a control token first: controlToken, or on the command line VITRINE_CONTROL_TOKEN or --control-token-file.`,
  );
}

export function isControlPath(path: string): boolean {
  return path === CONTROL_BASE || path.startsWith(`${CONTROL_BASE}/`);
}

/** The services, and of the control API the keys of their tokens: what pages may read of these, `router.ts` says. */
export function isForPages(path: string, headers: RequestHeaders, access: Access): boolean {
  return !isControlPath(path) || path.startsWith(`${CONTROL_BASE}/jwks/`) || isControlPage(headers, access);
}

/** `path` is the one that the router sees. */
export function findAccessProblem(
  asked: IncomingRequest,
  path: string,
  access: Access,
): AccessProblem | undefined {
  const control = isControlPath(path);
  if (path === READY_PATH) return undefined;
  const { hostname } = asked.address;
  if (!isServedHost(hostname, control, access)) {
    const message = `The host name ${JSON.stringify(hostname)} is not served here. Allow it with the option allowedHosts (--allowed-host ${hostname}).`;
    return { status: 403, message };
  }
  return control ? findControlProblem(asked, path, access) : undefined;
}

/** Names without a dot, as in container networks, reach the two services but never the control API. */
function isServedHost(hostname: string, control: boolean, { allowedHosts, origins }: Access): boolean {
  if (LOOPBACK_HOSTS.includes(hostname)) return true; // nearly always, without a pattern
  if (isLoopbackHost(hostname) || allowedHosts.includes(hostname)) return true;
  if (control && WILDCARD_HOSTS.includes(hostname)) return false;
  const bound = origins().some((origin) => new URL(origin).hostname === hostname);
  return bound || (!control && DOTLESS_HOST.test(hostname));
}

/** Whether a page of this other origin may use the control API: an allowed one, which then needs the token. */
function isControlPage(headers: RequestHeaders, access: Access): boolean {
  const origin = headers.get("origin");
  return origin !== null && access.isControlToken !== undefined && isListedOrigin(origin, access);
}

function findControlProblem(asked: IncomingRequest, path: string, access: Access): AccessProblem | undefined {
  const { headers, method } = asked;
  const { isControlToken, isMounted } = access;
  if (isMounted === true && isControlToken === undefined) {
    const message = "Inside another app the control API asks for its token; set the option controlToken.";
    return { status: 403, message };
  }
  const forPages = isForPages(path, headers, access);
  const sign = forPages ? undefined : findForeignHeader(headers, access);
  if (sign !== undefined)
    return { status: 403, message: `The control API is not for pages of other origins (${sign}).` };
  const preflight = forPages && method === "OPTIONS"; // to which browsers add no token
  const isOpen = preflight || (method === "GET" && TOKEN_PAGE_PATH.test(path));
  if (isControlToken !== undefined && !isOpen && !isControlToken(readBearer(headers) ?? ""))
    return { status: 401, message: "The control API asks for its token: Authorization: Bearer <token>." };
  const sends = BODY_METHODS.includes(method); // a page can DELETE nothing without asking first, which nobody answers
  const json = /^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "");
  if (!sends || json) return undefined;
  const message = `${method} takes JSON, an empty object at least: Content-Type: application/json.`;
  return { status: 415, message };
}

function findForeignHeader(headers: RequestHeaders, { origins }: Access): string | undefined {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return "Sec-Fetch-Site";
  const origin = headers.get("origin");
  return origin !== null && !origins().includes(origin) ? "Origin" : undefined;
}

const BODY_METHODS = ["POST", "PUT", "PATCH"];

export function readBearer(headers: RequestHeaders): string | undefined {
  return /^bearer +(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** What tells this token from all others; an empty one is refused. */
export function createTokenCheck(token: string | undefined): Access["isControlToken"] {
  if (token === undefined) return undefined;
  if (token.trim() === "") throw new UsageError("badOption", "controlToken: it is empty.");
  return (given) => isSameSecret(given, token);
}

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "frame-ancestors 'none'",
};

/** Keeps control answers from being cached, framed, sniffed or embedded by other pages. Existing headers stay. */
export function withSecurityHeaders(sent: OutgoingResponse): OutgoingResponse {
  return { ...sent, headers: { ...SECURITY_HEADERS, ...sent.headers } };
}
