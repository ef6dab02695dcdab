/**
 * Handlers of Mock Service Worker that route the addresses of the real services to a sandbox in this process, for
 * clients whose addresses are hard-wired.
 */

import { HttpResponse, http, type RequestHandler } from "msw";
import { UsageError } from "../errors/usage-error.ts";
import type { Sandbox } from "../index.ts";
import { type Addresses, along, under, waysOf } from "./addresses.ts";

export type { Addresses } from "./addresses.ts";

type Answering = Pick<Sandbox, "fetch" | "urls">;

/**
 * Handlers that answer calls to these addresses from the sandbox, with method, headers, query and body as they were
 * sent. A wire fault is a network error. Links and `Location` in the answers are paths of the sandbox, such as
 * `/account/consumptions/…`; at the origin that was called they are answered too. If the sandbox already listens with
 * `ownPorts`, they are those of production. Throws a UsageError for an unknown environment, and for an address that is
 * not an http URL.
 */
export function handlers(sandbox: Answering, addresses: Addresses): RequestHandler[] {
  return waysOf(sandbox, addresses).map((way) =>
    http.all(under(way), ({ request }) => answer(sandbox, request, along(way, request.url))),
  );
}

async function answer({ fetch }: Answering, request: Request, url: string): Promise<Response> {
  try {
    const { method, headers, body, signal } = request;
    const sent = body === null ? {} : { body, duplex: "half" as const };
    return await fetch(url, { method, headers, signal, ...sent });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return HttpResponse.error(); // a wire fault, or a client that gave up
  }
}
