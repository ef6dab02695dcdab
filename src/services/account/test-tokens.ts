/** Creates tokens for tests without a login: valid tokens, and tokens that are invalid in a given way (`TOKEN_KINDS`). */

import { createUnknownError } from "../../errors/nearest.ts";
import { fromBase64, toBase64Url, toUtf8 } from "../../world/bytes.ts";
import { getKey, type Key } from "../../world/keys.ts";
import { getCached } from "../../world/recent.ts";
import type { World } from "../../world/world.ts";
import { buildClaims, MAX_TOKEN_CHARS, type TokenSettings, toSeconds } from "./tokens.ts";

export const TOKEN_KINDS = [
  "valid",
  "expired",
  "not-yet-valid",
  "bad-signature",
  "alg-none",
  "wrong-key",
  "other-environment",
  "missing-claim",
  "wrong-roles",
  "malformed",
  "huge",
] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export type TestTokenOptions = {
  /** Login name. Default: the first user of the environment. */
  readonly user?: string | undefined;
  /** Default: `valid`. The service rejects all other kinds. */
  readonly kind?: TokenKind | undefined;
};

const HOUR_SECONDS = 3_600;

/** Creates a token without a login: the limit of logins neither blocks nor counts it. Throws a UsageError for an unknown user or kind. */
export function createTestToken(
  world: World,
  environment: string,
  settings: TokenSettings,
  { user, kind = "valid" }: TestTokenOptions = {},
): string {
  const now = toSeconds(world.clock.now());
  const claims = buildClaims(world.identities.resolve(environment, user), settings, now);
  const signed = (payload: object, by = environment): string =>
    signCached(getKey(world, by, settings.algorithm), payload);
  switch (kind) {
    case "valid":
      return signed(claims);
    case "expired":
      return signed({ ...claims, iat: now - (claims.exp - claims.iat), exp: now });
    case "not-yet-valid": {
      const start = now + HOUR_SECONDS;
      return signed({ ...claims, iat: start, exp: claims.exp + HOUR_SECONDS, nbf: start });
    }
    case "bad-signature":
      return withBrokenSignature(signed(claims));
    case "alg-none":
      return `${encodeSegment({ typ: "JWT", alg: "none" })}.${encodeSegment(claims)}.`;
    case "wrong-key":
      return signed(claims, `${environment} impostor`);
    case "other-environment":
      return signed(claims, environment === "account" ? "accountSandbox" : "account");
    case "missing-claim": {
      const { username: _username, ...rest } = claims;
      return signed(rest);
    }
    case "wrong-roles":
      return signed({ ...claims, roles: {} });
    case "malformed":
      return "not.a-token";
    case "huge":
      return signed({ ...claims, padding: "x".repeat(MAX_TOKEN_CHARS) });
    default:
      throw createUnknownError("kind of token", String(kind), TOKEN_KINDS, { pointer: "/kind" });
  }
}

/** Signs a token and caches it, because signing takes almost 1 ms and tests request the same token repeatedly. */
function signCached(key: Key, payload: object): string {
  return getCached(key, JSON.stringify(payload), () => {
    const token = key.sign(payload);
    return [token, token.length];
  });
}

function encodeSegment(value: object): string {
  return toBase64Url(toUtf8(JSON.stringify(value)));
}

function withBrokenSignature(token: string): string {
  const at = token.lastIndexOf(".") + 1;
  const [first = 0, ...rest] = fromBase64(token.slice(at));
  return token.slice(0, at) + toBase64Url(Uint8Array.of(first ^ 1, ...rest));
}
