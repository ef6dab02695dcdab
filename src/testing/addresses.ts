/** Addresses that a client has built in, and where each of them leads in a sandbox: what all bindings that redirect share. */

import { UsageError } from "../errors/usage-error.ts";
import type { Sandbox } from "../index.ts";

/** Base addresses as the client has them: `{ museum: "https://api.museum.example/v1.1" }`. */
export type Addresses = { readonly [Environment in "museum" | "account" | "accountSandbox"]?: string };

/** What is called at `from`, or below it, is answered at `to`. Both without a slash at the end. */
export type Redirect = { readonly from: string; readonly to: string };

/**
 * The ways of these addresses, those of an address below another one first. Links and `Location` in the answers are paths
 * of the sandbox, such as `/account/consumptions/…`, so these have a way at the address's origin too. Throws a UsageError
 * for an unknown environment, and for an address that is not an http URL.
 */
export function createRedirects({ urls }: Pick<Sandbox, "urls">, addresses: Addresses): readonly Redirect[] {
  const known = Object.keys(addresses) as (keyof Addresses)[]; // checked by baseOf
  return known
    .flatMap((environment) => {
      const base = readBaseUrl(urls, addresses, environment);
      const to = urls[environment];
      const linked = new URL(new URL(to).pathname, base).href;
      return [base, withoutSlash(linked)].map((from) => ({ from, to }));
    })
    .sort((one, other) => other.from.length - one.from.length);
}

/** A base address and everything below it, with or without a query. */
export function toUrlPattern({ from }: Redirect): RegExp {
  return new RegExp(`^${from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}([/?].*)?$`);
}

/** Where a URL below the way's address leads. */
export function redirectUrl({ from, to }: Redirect, url: string): string {
  return to + url.slice(from.length);
}

function readBaseUrl(
  { control: _control, ...environments }: Sandbox["urls"],
  addresses: Addresses,
  environment: keyof Addresses,
): string {
  const known = Object.keys(environments);
  if (!known.includes(environment))
    throw new UsageError("badOption", `${environment} is not one of ${known.join(", ")}.`);
  const address = String(addresses[environment]);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UsageError("badOption", `${environment}: ${JSON.stringify(address)} is not an http URL.`);
  return withoutSlash(new URL(address).href);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
