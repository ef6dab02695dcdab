/** CORS for the two services: pages of loopback and allowed origins may read them. The control API has none. */

import type { Asked } from "../operation/asked.ts";
import { isLoopbackOrigin } from "../sandbox/loopback.ts";
import type { Access } from "./guard.ts";
import type { Sent } from "./sent.ts";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const EXPOSED =
  "Authorization, Link, Location, Content-Location, Retry-After, WWW-Authenticate, Allow, Preference-Applied, X-Vitrine-Near-Miss, X-Vitrine-Preference";
const REMEMBERED_SECONDS = "600";

/** The answer to a preflight, before any credentials are checked; undefined if this OPTIONS request is not one. */
export function answerPreflight({ headers }: Asked, access: Access): Sent | undefined {
  const origin = headers.get("origin");
  if (origin === null || !headers.has("access-control-request-method")) return undefined;
  const vary = { vary: "Access-Control-Request-Headers" };
  if (!isAllowedOrigin(origin, access)) return { status: 204, headers: vary, body: undefined };
  const asked = headers.get("access-control-request-headers");
  const allowed = {
    "access-control-allow-methods": METHODS,
    "access-control-max-age": REMEMBERED_SECONDS,
    ...(asked === null ? {} : { "access-control-allow-headers": asked }),
  };
  return { status: 204, headers: { ...vary, ...allowed }, body: undefined };
}

/** Lets the requesting page read the answer, if its origin is allowed. Never `*`, never `null`. */
export function allowReading(sent: Sent, origin: string, access: Access): Sent {
  if (!isAllowedOrigin(origin, access)) return sent;
  const allowed = {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": EXPOSED,
  };
  return { ...sent, headers: { ...sent.headers, ...allowed } };
}

function isAllowedOrigin(origin: string, { allowedOrigins }: Access): boolean {
  return isLoopbackOrigin(origin) || allowedOrigins.includes(origin);
}
