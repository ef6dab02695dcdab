/**
 * Who may call the museum: HTTP Basic (RFC 7617), decoded strictly. Source: museum-special-events, Authentication.
 */

import { fail } from "../../operation/problem.ts";
import type { SecurityScheme } from "../../operation/service.ts";
import { sameSecret } from "../../world/identities.ts";
import { Recent } from "../../world/remembered.ts";
import type { MuseumSettings } from "./schemas.ts";

export type Credentials = { readonly user: string; readonly password: string };

export const basic: SecurityScheme = {
  problems: ["credentialsRequired"],
  openapi: {
    type: "http",
    scheme: "basic",
    description:
      "User and password in UTF-8, in Base64: `Basic <base64 of user:password>`. Any well-formed pair is good, an empty one too; the setting `credentials` of the sandbox names the only good ones.",
  },
  authenticate({ headers, settings }) {
    const header = headers.get("authorization") ?? "";
    const caller = callers.get(header) ?? callerOf(header);
    if (caller === undefined) return fail("credentialsRequired");
    // The pipeline gives each scheme its own service's settings.
    const { credentials: known } = settings as MuseumSettings;
    return known === undefined || isKnown(caller.credentials, known) ? caller : fail("credentialsRequired");
  },
};

type Caller = {
  readonly name: string;
  readonly identity: { readonly user: string };
  readonly credentials: Credentials;
};

/** By their header: a client sends the same one again and again. */
const callers = new Recent<Caller>(100);

function callerOf(header: string): Caller | undefined {
  const credentials = parseBasic(header);
  if (credentials === undefined) return undefined;
  const { user } = credentials;
  return callers.set(header, { name: user, identity: { user }, credentials });
}

/** User and password of a Basic header; undefined when it is anything else. Missing `=` padding is accepted. */
export function parseBasic(header: string | null): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+)(={0,2}) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined || encoded.length % 4 === 1) return undefined;
  const text = decode(Buffer.from(encoded, "base64"));
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0 || hasControl(text)) return undefined;
  return { user: text.slice(0, colon).normalize("NFC"), password: text.slice(colon + 1).normalize("NFC") };
}

/** The header of a pair, for clients. */
export function toBasic({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8
  }
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

/** Compares with every pair, and both halves of each, whatever the outcome. */
function isKnown({ user, password }: Credentials, known: readonly Credentials[]): boolean {
  const agree = known.map((pair) =>
    [sameSecret(user, pair.user), sameSecret(password, pair.password)].every(Boolean),
  );
  return agree.some(Boolean);
}
