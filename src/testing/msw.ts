/**
 * Handlers of Mock Service Worker that route the addresses of the real services to a sandbox in this process, for
 * clients whose addresses are hard-wired.
 */

import { HttpResponse, http, type RequestHandler } from "msw";
import { type Sandbox, UsageError } from "../index.ts";

/** Base addresses as the client has them: `{ museum: "https://api.museum.example/v1.1" }`. */
export type Addresses = { readonly [Environment in "museum" | "account" | "accountSandbox"]?: string };

type Answering = Pick<Sandbox, "fetch" | "urls">;

/**
 * Handlers that answer calls to these addresses from the sandbox, with method, headers, query and body as they were
 * sent. A wire fault is a network error. Links and `Location` in the answers are paths of the sandbox, such as
 * `/account/consumptions/…`; at the origin that was called they are answered too. If the sandbox already listens with
 * `ownPorts`, they are those of production. Throws a UsageError for an unknown environment, and for an address that is
 * not an http URL.
 */
export function handlers(sandbox: Answering, addresses: Addresses): RequestHandler[] {
  const known = Object.keys(addresses) as (keyof Addresses)[]; // checked by baseOf
  return known
    .flatMap((environment) => {
      const base = baseOf(sandbox, addresses, environment);
      const linked = new URL(sandbox.urls[environment]).pathname;
      return [base, withoutSlash(new URL(linked, base).href)].map((from) => ({ from, environment }));
    })
    .sort((one, other) => other.from.length - one.from.length) // an address below another one comes before it
    .map(({ from, environment }) =>
      http.all(under(from), ({ request }) =>
        answer(sandbox, request, sandbox.urls[environment] + request.url.slice(from.length)),
      ),
    );
}

function baseOf({ urls }: Answering, addresses: Addresses, environment: keyof Addresses): string {
  const { control: _control, ...environments } = urls;
  if (!Object.hasOwn(environments, environment))
    throw new UsageError(
      "badOption",
      `${environment} is not one of ${Object.keys(environments).join(", ")}.`,
    );
  const address = String(addresses[environment]);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UsageError("badOption", `${environment}: ${JSON.stringify(address)} is not an http URL.`);
  return withoutSlash(new URL(address).href);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

/** A base address and everything below it; msw removes the query before it matches. */
function under(base: string): RegExp {
  return new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(/.*)?$`);
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
