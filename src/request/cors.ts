/** CORS for the two services: pages of loopback and allowed origins may read them. The control API has none. */

import { isLoopbackOrigin } from "../sandbox/loopback.ts";
import type { Access } from "./guard.ts";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const EXPOSED =
  "Authorization, Link, Location, Content-Location, Retry-After, WWW-Authenticate, Allow, X-Vitrine-Near-Miss";
const REMEMBERED_SECONDS = "600";

/** The answer to a preflight, before any credentials are checked; undefined if the request is not one. */
export function answerPreflight(request: Request, access: Access): Response | undefined {
  const { headers, method } = request;
  if (method !== "OPTIONS" || !headers.has("origin") || !headers.has("access-control-request-method"))
    return undefined;
  const response = new Response(null, { status: 204, headers: { vary: "Access-Control-Request-Headers" } });
  if (!isAllowedOrigin(headers.get("origin"), access)) return response;
  response.headers.set("access-control-allow-methods", METHODS);
  response.headers.set("access-control-max-age", REMEMBERED_SECONDS);
  const asked = headers.get("access-control-request-headers");
  if (asked !== null) response.headers.set("access-control-allow-headers", asked);
  return response;
}

/** Lets the requesting page read the answer, if its origin is allowed. Never `*`, never `null`. */
export function allowReading(response: Response, request: Request, access: Access): Response {
  const origin = request.headers.get("origin");
  response.headers.append("vary", "Origin");
  if (origin === null || !isAllowedOrigin(origin, access)) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-allow-credentials", "true");
  response.headers.set("access-control-expose-headers", EXPOSED);
  return response;
}

function isAllowedOrigin(origin: string | null, { allowedOrigins }: Access): boolean {
  return origin !== null && (isLoopbackOrigin(origin) || allowedOrigins.includes(origin));
}
