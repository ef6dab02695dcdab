/** Redirects the base URLs in a client's source to a sandbox. The MSW and Playwright integrations share this module. */

import { UsageError } from "../errors/usage-error.ts";
import type { Sandbox } from "../index.ts";

/** Base URLs that the client uses, by environment: `{ museum: "https://api.museum.example/v1.1" }`. */
export type Addresses = { readonly [Environment in "museum" | "account" | "accountSandbox"]?: string };

/** Redirects the URL `from` and all URLs below it to `to`. Both are without a trailing slash. */
export type Redirect = { readonly from: string; readonly to: string };

/**
 * Creates the redirects, longest `from` first. Responses link to paths of the sandbox, such as `/account/consumptions/…`.
 * So each base URL has a second redirect, for these paths at its origin. Throws a UsageError for an invalid address.
 */
export function createRedirects({ urls }: Pick<Sandbox, "urls">, addresses: Addresses): readonly Redirect[] {
  const known = Object.keys(addresses) as (keyof Addresses)[]; // Safe cast: readBaseUrl() rejects unknown names.
  return known
    .flatMap((environment) => {
      const base = readBaseUrl(urls, addresses, environment);
      const to = urls[environment];
      const linked = new URL(new URL(to).pathname, base).href;
      return [base, withoutSlash(linked)].map((from) => ({ from, to }));
    })
    .sort((a, b) => b.from.length - a.from.length);
}

/** Returns a pattern that matches `from` and all URLs below it. */
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
