/** Handlers of Mock Service Worker that route the addresses of the real services to a sandbox in this process. */

import { HttpResponse, http, type RequestHandler } from "msw";
import { UsageError } from "../errors/usage-error.ts";
import type { Sandbox } from "../index.ts";
import { type Addresses, createRedirects, redirectUrl, toUrlPattern } from "./addresses.ts";

export type { Addresses } from "./addresses.ts";

type SandboxFetch = Pick<Sandbox, "fetch" | "urls">;

/**
 * Handlers that answer calls to these addresses from the sandbox, with method, headers, query and body as they were
 * sent. A wire fault is a network error. Links and `Location` in the answers are paths of the sandbox, such as
 * `/account/consumptions/…`; at the origin that was called they are answered too. If the sandbox already listens with
 * `ownPorts`, they are those of production. Throws a UsageError for an unknown environment, and for an address that is
 * not an http URL.
 */
export function handlers(sandbox: SandboxFetch, addresses: Addresses): RequestHandler[] {
  return createRedirects(sandbox, addresses).map((way) =>
    http.all(toUrlPattern(way), ({ request }) =>
      forwardRequest(sandbox, request, redirectUrl(way, request.url)),
    ),
  );
}

async function forwardRequest({ fetch }: SandboxFetch, request: Request, url: string): Promise<Response> {
  try {
    const { method, headers, body, signal } = request;
    const sent = body === null ? {} : { body, duplex: "half" as const };
    return await fetch(url, { method, headers, signal, ...sent });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return HttpResponse.error(); // a wire fault, or a client that gave up
  }
}
