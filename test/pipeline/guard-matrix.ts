// The headers a page or a rebound name could send to the control API, good and bad, and every route they could hit.

import { expect } from "vitest";
import { control } from "../../src/control/index.ts";
import type { createSandbox } from "../../src/open/create-sandbox.ts";

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

const JSON_TYPE = "application/json";
export const OWN = "http://localhost";
export const ROUTES = Object.values(control.operations).map(({ method, path }) => ({
  method: method.toUpperCase(),
  path: `/_vitrine${path.replace(/\{\w+\}/g, "x")}`,
}));
export const ACCESS = {
  allowedOrigins: ["https://app.example.test"],
};

/** Straight to the app: `sandbox.fetch` would refuse foreign hosts before the guard sees them. */
export function send(
  sandbox: Sandbox,
  method: string,
  url: string,
  headers: Record<string, string>,
): Promise<Response> {
  const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" };
  return sandbox.answer(new Request(url, { method, headers, ...body }));
}

export const HOSTS: readonly (readonly [string, boolean])[] = [
  ["localhost", true],
  ["app.localhost", true],
  ["127.0.0.1", true],
  ["127.0.0.2", true],
  ["[::1]", true],
  ["evil.example", false],
  ["localhost.evil.example", false],
  ["127.0.0.1.nip.io", false],
  ["vitrine", false],
  ["0.0.0.0", false],
  ["192.168.1.5", false],
];
const ORIGINS: readonly (readonly [string | undefined, boolean])[] = [
  [undefined, true],
  [OWN, true],
  ["http://127.0.0.1", true],
  ["null", false],
  ["http://evil.example", false],
  ["http://localhost:5173", false],
  ["https://app.example.test", false],
  ["http://localhost.evil.example", false],
];
const SITES: readonly (readonly [string | undefined, boolean])[] = [
  [undefined, true],
  ["none", true],
  ["same-origin", true],
  ["same-site", false],
  ["cross-site", false],
];
const TYPES: readonly (readonly [string | undefined, boolean])[] = [
  [JSON_TYPE, true],
  ["application/json; charset=utf-8", true],
  ["text/plain", false],
  ["application/x-www-form-urlencoded", false],
  ["application/jsonp", false],
  [undefined, false],
];

/**
 * Sends every combination with something bad in it to every route, and expects 403, or 415 where only the media type is
 * bad. Returns how many were refused.
 */
export async function refuseAll(sandbox: Sandbox): Promise<number> {
  let refused = 0;
  for (const [host, hostGood] of HOSTS)
    for (const [origin, originGood] of ORIGINS)
      for (const [site, siteGood] of SITES)
        for (const [type, typeGood] of TYPES)
          for (const { method, path } of ROUTES) {
            const forPages = path.startsWith("/_vitrine/jwks/"); // any page may ask for it, as for the services
            const trusted = hostGood && (forPages || (originGood && siteGood));
            if (trusted && (typeGood || method === "GET" || method === "DELETE")) continue; // no page sends these unasked
            if (path.endsWith("/ready")) continue; // for any probe
            const response = await send(sandbox, method, `http://${host}${path}`, {
              ...(origin === undefined ? {} : { origin }),
              ...(site === undefined ? {} : { "sec-fetch-site": site }),
              ...(type === undefined ? {} : { "content-type": type }),
            });
            if (response.status !== (trusted ? 415 : 403))
              expect.fail(`${method} ${host}${path} ${origin} ${site} ${type}: ${response.status}`);
            refused += 1;
          }
  return refused;
}
