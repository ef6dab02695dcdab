// Owns who may talk to the sandbox at all: the Host and Origin rules that keep web pages and rebound names out, and
// CORS for the front ends of this machine. A loopback server is reachable by every page a browser shows.

export type Access = {
  /** Host names besides loopback names and addresses that are served. */
  readonly allowedHosts: readonly string[];
  /** Origins besides those of loopback that may read the two services from a browser. */
  readonly allowedOrigins: readonly string[];
  /** When set, every control request carries it as `Authorization: Bearer <token>`. */
  readonly controlToken: string | undefined;
};

export const CONTROL_BASE = "/_vitrine";

const LOOPBACK = /^(localhost|[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const DOTLESS = /^[a-z0-9_-]+$/i;
const LOOPBACK_ORIGIN =
  /^https?:\/\/(localhost|([a-z0-9-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/** True where a browser page of this origin may call the two services. Never `null`. */
export function isAllowedOrigin(origin: string, access: Access): boolean {
  return LOOPBACK_ORIGIN.test(origin) || access.allowedOrigins.includes(origin);
}

/** Why this request must not reach any handler, or undefined. `path` is the normalised path without world prefix. */
export function refuseAccess(
  request: Request,
  path: string,
  access: Access,
): { status: number; message: string } | undefined {
  const control = path === CONTROL_BASE || path.startsWith(`${CONTROL_BASE}/`);
  const { hostname, origin } = new URL(request.url);
  const known = LOOPBACK.test(hostname) || access.allowedHosts.includes(hostname);
  if (!known && (control || !DOTLESS.test(hostname))) {
    return {
      status: 403,
      message: `The host name ${JSON.stringify(hostname)} is not served here. Allow it with the option allowedHosts (--allowed-host ${hostname}).`,
    };
  }
  return control ? refuseControl(request, origin, access) : undefined;
}

function refuseControl(
  request: Request,
  own: string,
  access: Access,
): { status: number; message: string } | undefined {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") {
    return { status: 403, message: "The control API is not for pages of other origins (Sec-Fetch-Site)." };
  }
  const origin = request.headers.get("origin");
  if (origin !== null && (origin !== own || !LOOPBACK_ORIGIN.test(origin))) {
    return { status: 403, message: "The control API is not for pages of other origins (Origin)." };
  }
  const { controlToken } = access;
  if (controlToken !== undefined && !hasToken(request, controlToken)) {
    return { status: 401, message: "The control API asks for its token." };
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  const json = /^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
  if (!reads && !json && !request.headers.has("x-vitrine-control")) {
    return {
      status: 415,
      message:
        "Changes need the header Content-Type: application/json, or X-Vitrine-Control: 1 when there is no body.",
    };
  }
  return undefined;
}

function hasToken(request: Request, token: string): boolean {
  const given = request.headers.get("authorization") ?? "";
  return given.toLowerCase().startsWith("bearer ") && sameText(given.slice(7), token);
}

/** Compares without stopping at the first difference. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < other.length; index += 1)
    difference |= (one.charCodeAt(index) || 0) ^ other.charCodeAt(index);
  return difference === 0;
}
