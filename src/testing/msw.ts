/** Handlers for Mock Service Worker that redirect URLs of the real services to a sandbox in process. */

import { HttpResponse, http, type RequestHandler } from "msw";
import { UsageError } from "../errors/usage-error.ts";
import type { Sandbox } from "../index.ts";
import { type Addresses, createRedirects, redirectUrl, toUrlPattern } from "./addresses.ts";

export type { Addresses } from "./addresses.ts";

type SandboxFetch = Pick<Sandbox, "fetch" | "urls">;

/**
 * Creates handlers that forward requests at these base URLs to the sandbox. A fault without a response, such as `reset`,
 * causes a network error. Responses link to paths of the sandbox, such as `/account/consumptions/…`. So the handlers also forward these
 * paths at the origin of each base URL. Throws a UsageError for an unknown environment or an invalid URL.
 */
export function handlers(sandbox: SandboxFetch, addresses: Addresses): RequestHandler[] {
  return createRedirects(sandbox, addresses).map((redirect) =>
    http.all(toUrlPattern(redirect), ({ request }) =>
      forwardRequest(sandbox, request, redirectUrl(redirect, request.url)),
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
    return HttpResponse.error(); // A fault broke the response, or the client aborted.
  }
}
