// Owns the way from the addresses of the real services to a sandbox in this process, as handlers of Mock Service
// Worker. For clients whose addresses are hard-wired.

import { HttpResponse, http, type RequestHandler } from "msw";
import { type Sandbox, UsageError } from "../index.ts";

/** Base addresses as the client has them: `{ museum: "https://api.museum.example/v1.1" }`. */
export type Addresses = { readonly [Environment in "museum" | "account" | "accountSandbox"]?: string };

type Answering = Pick<Sandbox, "fetch" | "urls">;

/**
 * Handlers that answer calls to these addresses from the sandbox, with method, headers, query and body as they were
 * sent. A fault on the wire is a network error. Links and `Location` in the answers are paths of the sandbox, such as
 * `/account/consumptions/…`; at the origin that was called they are answered too. Where it listens with `ownPorts`
 * already, they are those of production. Throws a UsageError for an unknown environment, and for an address that is no
 * http URL.
 */
export function handlers(sandbox: Answering, addresses: Addresses): RequestHandler[] {
  const known = Object.keys(addresses) as (keyof Addresses)[]; // checked by baseOf
  return known
    .flatMap((environment) => {
      const base = baseOf(sandbox, addresses, environment);
      const linked = new URL(sandbox.urls[environment]).pathname;
      return [base, withoutSlash(new URL(linked, base).href)].map((from) => ({ from, environment }));
    })
    .sort((one, other) => other.from.length - one.from.length) // what lies below another address comes before it
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

/** A base address and all below it; msw takes the query off before it asks. */
function under(base: string): RegExp {
  return new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(/.*)?$`);
}

async function answer({ fetch }: Answering, request: Request, url: string): Promise<Response> {
  try {
    return await fetch(new Request(url, request));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return HttpResponse.error(); // a fault on the wire, or a client that gave up
  }
}
