/** Issues and verifies tokens with the sandbox's clock and test keys. Source: common-account-billing, Authentication. */

import { z } from "zod";
import { fail, type Problem } from "../../operation/problem.ts";
import { fromBase64, toBase64Url } from "../../world/bytes.ts";
import type { Identity } from "../../world/identities.ts";
import { getKey, type Key } from "../../world/keys.ts";
import { once } from "../../world/lazy.ts";
import { getPlatform } from "../../world/platform.ts";
import { BoundedCache } from "../../world/recent.ts";
import { parseDuration, type Timestamp } from "../../world/time.ts";
import type { World } from "../../world/world.ts";
import type { AccountSettings } from "./settings.ts";

type Seconds = number;

const seconds = z.int();
/** Claims of a token. Issued tokens contain the first five, in this order, as in the document. Test tokens can also have `nbf`. */
const Claims = z.object({
  iat: seconds,
  exp: seconds,
  roles: z.record(z.string(), z.array(z.string())),
  username: z.string(),
  uid: z.int(),
  nbf: seconds.optional(),
});
export type Claims = z.output<typeof Claims>;

export type TokenSettings = Pick<AccountSettings, "algorithm" | "tokenLifetime">;

/** Maximum length of a token in characters. Valid tokens have about 600. */
export const MAX_TOKEN_CHARS = 4_096;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

export function toSeconds(instant: Timestamp): Seconds {
  return Math.floor(instant / 1000);
}

/** Issues a token that is valid from `now`. With RS256 and HS256, the same claims always give the same token. */
export function issueToken(
  world: World,
  environment: string,
  settings: TokenSettings,
  identity: Identity,
  now: Timestamp,
): string {
  const claims = buildClaims(identity, settings, toSeconds(now));
  return getKey(world, environment, settings.algorithm).sign(claims);
}

/** Verifies a token. Checks in this order, like Lexik JWT (PHP): issued in the future, expired, invalid signature. */
export function verifyToken(
  token: string,
  world: World,
  environment: string,
  { algorithm }: Pick<AccountSettings, "algorithm">,
  now: Timestamp,
): Claims | Problem<"tokenInvalid" | "tokenExpired"> {
  const at = toSeconds(now);
  const key = getKey(world, environment, algorithm);
  const known = verifiedTokens.get(key)?.get(token);
  if (known !== undefined) return checkClaimTimes(known, at);
  const read = parseToken(token);
  if (read === undefined || "crit" in read.header || read.header["alg"] !== algorithm) {
    return isExpired(read?.payload, at) ? fail("tokenExpired") : fail("tokenInvalid");
  }
  const { iat, exp } = read.payload;
  if (!Number.isSafeInteger(exp) || !Number.isSafeInteger(iat) || Number(iat) > at)
    return fail("tokenInvalid");
  if (isExpired(read.payload, at)) return fail("tokenExpired");
  const { nbf = at } = read.payload;
  if (!key.hasSigned(token) || typeof nbf !== "number" || nbf > at) return fail("tokenInvalid");
  const claims = Claims.safeParse(read.payload);
  if (claims.success) return cacheClaims(key, token, claims.data);
  const nameless = claims.error.issues.some(({ path }) => path[0] === "username");
  return nameless
    ? fail("tokenInvalid", { title: 'Unable to find key "username" in the token payload.' })
    : fail("tokenInvalid");
}

/** Cache of the claims of verified tokens, by signing key. For a cached token, verifyToken only checks the times again. */
const verifiedTokens = new WeakMap<Key, BoundedCache<Claims>>();
const MAX_VERIFIED = 1_000;

function cacheClaims(key: Key, token: string, claims: Claims): Claims {
  const tokens = verifiedTokens.get(key) ?? new BoundedCache<Claims>(MAX_VERIFIED);
  verifiedTokens.set(key, tokens);
  return tokens.set(token, claims);
}

function checkClaimTimes(claims: Claims, at: Seconds): Claims | Problem<"tokenInvalid" | "tokenExpired"> {
  const { iat, exp, nbf = at } = claims;
  if (iat > at) return fail("tokenInvalid");
  if (exp <= at) return fail("tokenExpired");
  return nbf > at ? fail("tokenInvalid") : claims;
}

/** Builds the JWK Set (RFC 7517). With HS256, it contains the secret. Adds the key ID `kid` (RFC 7638), which some clients need. */
export function buildJwks(
  world: World,
  environment: string,
  { algorithm }: Pick<AccountSettings, "algorithm">,
): { readonly keys: readonly Readonly<Record<string, unknown>>[] } {
  const { publicJwk } = getKey(world, environment, algorithm);
  const thumbprint = getPlatform().digest(JSON.stringify(publicJwk, Object.keys(publicJwk).sort()));
  return { keys: [{ ...publicJwk, use: "sig", alg: algorithm, kid: toBase64Url(thumbprint) }] };
}

export function buildClaims(
  { name, uid, roles }: Identity,
  { tokenLifetime }: Pick<AccountSettings, "tokenLifetime">,
  iat: Seconds,
): Claims {
  const exp = iat + Math.ceil(parseDuration(tokenLifetime) / 1000);
  return {
    iat,
    exp,
    roles: Object.fromEntries(Object.entries(roles).map(([domain, names]) => [domain, [...names]])),
    username: name,
    uid,
  };
}

type ParsedToken = {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** Parses header and payload without verification. Returns undefined if the token is malformed or too long. */
export function parseToken(token: string): ParsedToken | undefined {
  const segments = token.split(".");
  if (token.length > MAX_TOKEN_CHARS || segments.length !== 3) return undefined;
  if (!segments.every((text, index) => isCanonical(text) || (index === 2 && text === ""))) return undefined;
  const [header, payload] = segments.map(parseJsonObject);
  return header === undefined || payload === undefined ? undefined : { header, payload };
}

/** Whether the string is canonical Base64url: without padding, and with unused bits set to 0. */
function isCanonical(text: string): boolean {
  return BASE64URL.test(text) && text.length % 4 !== 1 && toBase64Url(fromBase64(text)) === text;
}

const getUtf8Decoder = once(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }));

function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(getUtf8Decoder().decode(fromBase64(text)));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // The segment is not UTF-8 or not JSON.
  }
}

function isExpired(payload: ParsedToken["payload"] | undefined, at: Seconds): boolean {
  const exp = payload?.["exp"];
  return typeof exp === "number" && Number.isSafeInteger(exp) && exp <= at;
}
