/** Platform for browsers and workers: hashes and keys in JavaScript, because Web Crypto computes them asynchronously. */

import { p256 } from "@noble/curves/nist.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import * as jsonc from "jsonc-parser";
import * as re2js from "re2js";
import { fromBase64, toBase64Url, toUtf8 } from "../../world/bytes.ts";
import type { Key, KeyMaterial } from "../../world/keys.ts";
import type { Platform } from "../../world/platform.ts";
import { hasSignedRsa, signRsa, toPublicRsaJwk } from "./rsa.ts";

export const webPlatform: Platform = {
  digest: (data) => sha256(typeof data === "string" ? toUtf8(data) : data),
  utf8Length: (text) => toUtf8(text).length,
  key: toKey,
  packages: { jsonc: () => jsonc, re2js: () => re2js },
};

/** Signs bytes and verifies its own signatures. */
type Signer = Pick<Key, "publicJwk"> & {
  sign(bytes: Uint8Array): Uint8Array;
  hasSigned(bytes: Uint8Array, signature: Uint8Array): boolean;
};

function toKey(material: KeyMaterial): Key {
  const signer = toSigner(material);
  const head = toSegment({ typ: "JWT", alg: material.algorithm });
  return {
    publicJwk: signer.publicJwk,
    sign(claims) {
      const signed = `${head}.${toSegment(claims)}`;
      return `${signed}.${toBase64Url(signer.sign(toUtf8(signed)))}`;
    },
    hasSigned(token) {
      const end = token.lastIndexOf(".");
      return signer.hasSigned(toUtf8(token.slice(0, end)), fromBase64(token.slice(end + 1)));
    },
  };
}

function toSegment(value: object): string {
  return toBase64Url(toUtf8(JSON.stringify(value)));
}

function toSigner(material: KeyMaterial): Signer {
  switch (material.algorithm) {
    case "RS256":
      return {
        publicJwk: toPublicRsaJwk(material.numbers),
        sign: (bytes) => signRsa(sha256(bytes), material.numbers),
        hasSigned: (bytes, signature) => hasSignedRsa(sha256(bytes), signature, material.numbers),
      };
    case "HS256": {
      const sign = (bytes: Uint8Array): Uint8Array => hmac(sha256, material.secret, bytes);
      return {
        publicJwk: { kty: "oct", k: toBase64Url(material.secret) },
        sign,
        hasSigned: (bytes, signature) => toBase64Url(sign(bytes)) === toBase64Url(signature),
      };
    }
    case "ES256": {
      const point = p256.getPublicKey(material.scalar, false);
      const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(toBase64Url);
      return {
        publicJwk: { kty: "EC", x: x ?? "", y: y ?? "", crv: "P-256" },
        sign: (bytes) => p256.sign(bytes, material.scalar, { lowS: false }),
        hasSigned: (bytes, signature) =>
          signature.length === 64 && p256.verify(signature, bytes, point, { lowS: false }),
      };
    }
  }
}
