/** Checks the headers Host and Origin, because any web page can send requests to localhost. The Host check prevents DNS rebinding. */

import { UsageError } from "../errors/usage-error.ts";
import type { IncomingRequest, RequestHeaders } from "../http/incoming-request.ts";
import type { Environment } from "../operation/service.ts";
import type { FaultKind } from "../rules/effect.ts";
import { isLoopbackAddress, isLoopbackHost, LOOPBACK_HOSTS, WILDCARD_HOSTS } from "../sandbox/addresses.ts";
import { isSameSecret } from "../world/identities.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";

export type Access = {
  /** Host names to accept, in addition to loopback names and the host that the server listens on. No wildcards. */
  readonly allowedHosts: readonly string[];
  /** Origins of pages that may call the services, in addition to loopback origins. The first label of a host may be `*`. */
  readonly allowedOrigins: readonly string[];
  /** Returns whether `given` is the control token. Undefined if the sandbox has no control token. */
  readonly isControlToken: ((given: string) => boolean) | undefined;
  /** Returns the origins of the URLs that reach the server's ports, such as `http://localhost:4010`. */
  readonly origins: () => readonly string[];
  /** Whether the sandbox is mounted in another app. Its control API then requires a token, because the app may be public. */
  readonly isMounted?: boolean | undefined;
  /** Connection faults that the runtime can simulate. Default: all. */
  readonly faults?: readonly FaultKind[] | undefined;
};

export type AccessProblem = { readonly status: number; readonly message: string };

export const CONTROL_BASE = "/_vitrine";

/** Environment of the control API, which is never served on a separate port. */
export const CONTROL: Environment = {
  key: "control",
  name: "control",
  base: CONTROL_BASE,
  ownBase: CONTROL_BASE,
};

const DOTLESS_HOST = /^[a-z0-9_-]+$/i;
const HOST_NAME = /^(\[[0-9a-f:]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/i;

/** Path for health probes of containers. Any host name is accepted, because the response contains no data. */
const READY_PATH = `${CONTROL_BASE}/ready`;

/** Paths of the dashboard's token page and its files, which contain no data of the sandbox. */
const TOKEN_PAGE_PATH = new RegExp(`^${CONTROL_BASE}/(locked|dashboard(-[a-z]+)?\\.(js|css|svg))$`);

/** Throws a UsageError for an invalid host or origin, or for a non-loopback host without a control token. */
export function assertAccess(access: Omit<Access, "origins">): void {
  for (const host of access.allowedHosts) {
    if (!HOST_NAME.test(host))
      throw new UsageError("badOption", `allowedHosts: ${JSON.stringify(host)} is not a valid host name.`);
    if (!isLoopbackHost(host)) assertReachable(host, access);
  }
  assertOrigins(access.allowedOrigins);
}

/** Throws a UsageError for a string that is not an origin. Only the first label of its host may be `*`. */
export function assertOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    const plain = origin.replace("://*.", "://");
    const { protocol, host } = URL.canParse(plain) ? new URL(plain) : { protocol: "", host: "" };
    const isOrigin = host !== "" && `${protocol}//${host}` === plain && !plain.includes("*");
    const message = `allowedOrigins: ${JSON.stringify(origin)} is not an origin such as "https://app.example.test", "capacitor://localhost", "null" or "https://*.example.test".`;
    if (origin !== "null" && !isOrigin) throw new UsageError("badOption", message);
  }
}

/** Whether `allowedOrigins` contains the origin, or the same origin with `*` as the first label. */
export function isListedOrigin(origin: string, { allowedOrigins }: Access): boolean {
  const wildcard = origin.replace(/:\/\/[^./:]+\./, "://*.");
  return allowedOrigins.includes(origin) || allowedOrigins.includes(wildcard);
}

/** Throws a UsageError for a non-loopback host without a control token, because any machine could control the sandbox. */
export function assertReachable(
  host: string | undefined,
  { isControlToken }: Pick<Access, "isControlToken">,
): void {
  if (host === undefined || isLoopbackAddress(host) || isControlToken !== undefined) return;
  const message = `The host ${JSON.stringify(host)} can be reached from other machines. Set a control token first: controlToken, or on the command line VITRINE_CONTROL_TOKEN or --control-token-file.`;
  throw new UsageError("badOption", message);
}

export function isControlPath(path: string): boolean {
  return path === CONTROL_BASE || path.startsWith(`${CONTROL_BASE}/`);
}

/** Whether pages of allowed origins may call the path: services, public keys (`/_vitrine/jwks/`), or the control API with a token. */
export function isForPages(path: string, headers: RequestHeaders, access: Access): boolean {
  return !isControlPath(path) || path.startsWith(`${CONTROL_BASE}/jwks/`) || isControlPage(headers, access);
}

/** Returns the reason to reject a request: its host, or a check of the control API. `path` is without the world prefix. */
export function findAccessProblem(
  request: IncomingRequest,
  path: string,
  access: Access,
): AccessProblem | undefined {
  const control = isControlPath(path);
  if (path === READY_PATH) return undefined;
  const { hostname } = request.address;
  if (!isServedHost(hostname, control, access)) {
    const message = `The host name ${JSON.stringify(hostname)} is not allowed. Allow it with the option allowedHosts (--allowed-host ${hostname}).`;
    return { status: 403, message };
  }
  return control ? findControlProblem(request, path, access) : undefined;
}

/** Host names without a dot, as in container networks, are accepted for the services but not for the control API. */
function isServedHost(hostname: string, control: boolean, { allowedHosts, origins }: Access): boolean {
  if (LOOPBACK_HOSTS.includes(hostname)) return true; // Fast path for the most frequent hosts.
  if (isLoopbackHost(hostname) || allowedHosts.includes(hostname)) return true;
  if (control && WILDCARD_HOSTS.includes(hostname)) return false;
  const bound = origins().some((origin) => new URL(origin).hostname === hostname);
  return bound || (!control && DOTLESS_HOST.test(hostname));
}

/** Whether a page of another origin may call the control API: the sandbox has a control token, and allows this origin. */
function isControlPage(headers: RequestHeaders, access: Access): boolean {
  const origin = headers.get("origin");
  return origin !== null && access.isControlToken !== undefined && isListedOrigin(origin, access);
}

function findControlProblem({ headers, method }: IncomingRequest, path: string, access: Access) {
  const { isControlToken, isMounted } = access;
  if (isMounted === true && isControlToken === undefined) {
    const message = "Inside another app, the control API requires a token: set the option controlToken.";
    return { status: 403, message };
  }
  const forPages = isForPages(path, headers, access);
  const sign = forPages ? undefined : findForeignHeader(headers, access);
  if (sign !== undefined)
    return { status: 403, message: `Pages of other origins must not use the control API (header ${sign}).` };
  const preflight = forPages && method === "OPTIONS"; // Browsers send preflights without a token.
  const isOpen = preflight || (method === "GET" && TOKEN_PAGE_PATH.test(path));
  if (isControlToken !== undefined && !isOpen && !isControlToken(readBearer(headers) ?? ""))
    return { status: 401, message: "The control API requires its token: Authorization: Bearer <token>." };
  const json = /^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "");
  if (!BODY_METHODS.includes(method) || json) return undefined; // DELETE needs no JSON, because browsers always send a preflight first.
  const message = `${method} requires a JSON object, at least {}, and Content-Type: application/json.`;
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

/** Returns a function that compares a given token with `token`. Throws a UsageError if `token` is empty. */
export function createTokenCheck(token: string | undefined): Access["isControlToken"] {
  if (token === undefined) return undefined;
  if (token.trim() === "") throw new UsageError("badOption", "controlToken is empty. Set a token.");
  return (given) => isSameSecret(given, token);
}

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "frame-ancestors 'none'",
};

/** Prevents caching, framing, MIME sniffing and embedding of control API responses. Existing headers take precedence. */
export function withSecurityHeaders(sent: OutgoingResponse): OutgoingResponse {
  return { ...sent, headers: { ...SECURITY_HEADERS, ...sent.headers } };
}
