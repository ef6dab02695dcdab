/**
 * Signing keys of the environments. TEST-ONLY KEYS: the primes below are public, so anyone can forge tokens.
 * All RSA keys share one modulus, because creating a modulus takes 50 to 300 ms. Each key has its own public exponent,
 * which depends on seed, world and environment. A token that one key signed does not verify with another.
 */

import { toBase64Url } from "./bytes.ts";
import { getPlatform } from "./platform.ts";
import { BoundedCache } from "./recent.ts";
import type { World } from "./world.ts";

export const ALGORITHMS = ["RS256", "HS256", "ES256"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Public key as a JSON Web Key (RFC 7517). HS256 has no public key: the JSON Web Key then contains the secret. */
export type Jwk = Readonly<Record<string, string>>;

export type RsaNumbers = Readonly<Record<"n" | "e" | "d" | "p" | "q" | "dp" | "dq" | "qi", bigint>>;

export type KeyMaterial =
  | { readonly algorithm: "RS256"; readonly numbers: RsaNumbers }
  | { readonly algorithm: "HS256"; readonly secret: Uint8Array }
  /** The private key: a P-256 scalar below the order of the curve. */
  | { readonly algorithm: "ES256"; readonly scalar: Uint8Array };

/** Signs and verifies the tokens of an environment. */
export type Key = {
  readonly publicJwk: Jwk;
  /** Creates a token. With RS256 and HS256, equal claims give equal tokens. On Node, ES256 signatures are random. */
  sign(claims: object): string;
  /** Whether this key signed the token. The caller must check the algorithm in the token's header. */
  hasSigned(token: string): boolean;
};

// Test-only primes, as explained at the top of this file. Their product, the modulus, has 2,048 bits.
const P =
  "edf075be60d48257801a4a1640e7d9d2b6cce1315f34db015ba534b598539f1401c2cf63a39c8db8e7d69d68edeec5a901c085f8a57cc539fc7740cb9b328b5942989f3075014f44d07792209e2bade29122b267790c51ef72f4f67f813f17dce4bd94aa122cdd4c2fe38ef8fde4d9e35b821b04a79ffeb1aaba20eb07525c49";
const Q =
  "cddf00f17dfb8acd94cb9c7714e5799febaff1541e712a7559055eeed44fc4a7afd246b73163b094a2bea25a454f8b4fc3e9c798c63523e640b1d5057f6d48f0b6df548dfa73e82b7fc2fe6b380e7281dd5dd921d948ba3f49bebdb7f55623c7fe28517a14e70f0c95bcc9c9cac87d7a52de0f271ab890576d3c9ae56f556cdd";
let modulus: ReturnType<typeof computeModulus> | undefined;

/** Limits of the public exponent: more than the usual 65,537, and at most the 31 bits that every verifier supports. */
const MIN_EXPONENT = 65_539;
const MAX_EXPONENT = 2 ** 31 - 1;

const KEYS = Symbol("keys");
/** Cache for all worlds: the worlds of a test suite often have the same seed and name, and so the same keys. */
const keyCache = new BoundedCache<Key>(100);

/** Returns the key of an environment. Creates it on first use. */
export function getKey(world: World, environment: string, algorithm: Algorithm): Key {
  const keys = (world.companions.get(KEYS) ?? new Map()) as Map<string, Key>; // Safe cast: only this function uses KEYS.
  world.companions.set(KEYS, keys);
  const name = `${algorithm} ${environment}`;
  const key = keys.get(name) ?? createKey(world, environment, algorithm);
  keys.set(name, key);
  return key;
}

function createKey(world: World, environment: string, algorithm: Algorithm): Key {
  const name = JSON.stringify([algorithm, world.random.seed, world.id, environment]);
  return (
    keyCache.get(name) ?? keyCache.set(name, getPlatform().key(deriveMaterial(world, environment, algorithm)))
  );
}

/** Derives the key only from seed, world id, environment and algorithm. */
export function deriveMaterial(world: World, environment: string, algorithm: Algorithm): KeyMaterial {
  const bytes = world.random.bytes("key", world.id, environment);
  switch (algorithm) {
    case "HS256":
      return { algorithm, secret: bytes };
    case "RS256":
      return { algorithm, numbers: deriveRsaNumbers(bytes) };
    case "ES256":
      return { algorithm, scalar: Uint8Array.from(bytes, (byte, at) => (at === 0 ? byte & 0x7f : byte)) };
  }
}

function deriveRsaNumbers(bytes: Uint8Array): RsaNumbers {
  modulus ??= computeModulus(); // Computed on first use, because this takes 10 ms.
  const { n, qi, p, q, phi } = modulus;
  const e = findExponent(bytes, phi);
  const d = computeInverse(e, phi);
  return { n, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi };
}

function computeModulus() {
  const [p, q] = [BigInt(`0x${P}`), BigInt(`0x${Q}`)];
  return { p, q, phi: (p - 1n) * (q - 1n), n: p * q, qi: computeInverse(q, p) };
}

/** Returns the first prime, from a start in `bytes`, that is coprime to phi. Continues at the minimum after the maximum. */
function findExponent(bytes: Uint8Array, phi: bigint): bigint {
  const span = MAX_EXPONENT - MIN_EXPONENT;
  let candidate =
    MIN_EXPONENT + 2 * Math.floor((new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) % span) / 2);
  while (!isPrime(candidate) || phi % BigInt(candidate) === 0n) {
    candidate = candidate + 2 > MAX_EXPONENT ? MIN_EXPONENT : candidate + 2;
  }
  return BigInt(candidate);
}

/** Whether an odd number is prime. Fast enough for numbers of up to 31 bits. */
function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/** Computes the inverse of `value` modulo `modulus` (extended Euclid). Both must be coprime. */
function computeInverse(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, value % modulus];
  let [before, factor] = [0n, 1n];
  while (next > 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [before, factor] = [factor, before - quotient * factor];
  }
  return ((before % modulus) + modulus) % modulus;
}

/** Encodes a number for a JWK: big-endian bytes in base64url. */
export function toJwkNumber(value: bigint): string {
  const hex = value.toString(16);
  const bytes = (hex.length % 2 === 0 ? hex : `0${hex}`).match(/../g) ?? [];
  return toBase64Url(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}
