/** Redirects hard-coded base URLs of a client to a sandbox. Shared by the msw and Playwright integrations. */

import { UsageError } from "../errors/usage-error.ts";
import type { Sandbox } from "../index.ts";

/** Base URLs of the client by environment: `{ museum: "https://api.museum.example/v1.1" }`. */
export type Addresses = { readonly [Environment in "museum" | "account" | "accountSandbox"]?: string };

/** Redirects requests at or below `from` to `to`. Both have no trailing slash. */
export type Redirect = { readonly from: string; readonly to: string };

/**
 * Creates the redirects, longest base URL first. Links in responses are paths of the sandbox, such as
 * `/account/consumptions/…`, so these paths are also redirected at the origin of each base URL. Throws a UsageError.
 */
export function createRedirects({ urls }: Pick<Sandbox, "urls">, addresses: Addresses): readonly Redirect[] {
  const known = Object.keys(addresses) as (keyof Addresses)[]; // Safe cast: checked by readBaseUrl.
  return known
    .flatMap((environment) => {
      const base = readBaseUrl(urls, addresses, environment);
      const to = urls[environment];
      const linked = new URL(new URL(to).pathname, base).href;
      return [base, withoutSlash(linked)].map((from) => ({ from, to }));
    })
    .sort((a, b) => b.from.length - a.from.length);
}

/** Matches a base URL and all URLs below it. */
export function toUrlPattern({ from }: Redirect): RegExp {
  return new RegExp(`^${from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}([/?].*)?$`);
}

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
