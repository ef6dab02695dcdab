/**
 * The signing keys of a world's environments. TEST-ONLY KEYS: the primes below are public, so anyone who has
 * this file can sign in anyone's name. They exist to create tokens of a sandbox, never to protect anything.
 *
 * Creating an RSA key costs 50 to 300 ms; here all share one modulus, and each has its own public exponent,
 * drawn from seed, world and environment. That is cheap and repeatable, and a token of one key is not valid
 * for another.
 */

import { toBase64Url } from "./bytes.ts";
import { getPlatform } from "./platform.ts";
import { BoundedCache } from "./recent.ts";
import type { World } from "./world.ts";

export const ALGORITHMS = ["RS256", "HS256", "ES256"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** A public key as RFC 7517 writes it; of HS256 the secret, which is all there is. */
export type Jwk = Readonly<Record<string, string>>;

export type RsaNumbers = Readonly<Record<"n" | "e" | "d" | "p" | "q" | "dp" | "dq" | "qi", bigint>>;

/** The numbers that a key is made of. */
export type KeyMaterial =
  | { readonly algorithm: "RS256"; readonly numbers: RsaNumbers }
  | { readonly algorithm: "HS256"; readonly secret: Uint8Array }
  /** On the curve P-256, with a scalar below its order. */
  | { readonly algorithm: "ES256"; readonly scalar: Uint8Array };

/** What signs and verifies the tokens of an environment. */
export type Key = {
  readonly publicJwk: Jwk;
  /** A token of these claims. RS256 and HS256 give the same bytes each time; ECDSA draws a number for each. */
  sign(claims: object): string;
  /** Whether this key signed the token, of which the header has been looked at. */
  hasSigned(token: string): boolean;
};

// Test-only: public knowledge, see above. The product has 2048 bits.
const P =
  "edf075be60d48257801a4a1640e7d9d2b6cce1315f34db015ba534b598539f1401c2cf63a39c8db8e7d69d68edeec5a901c085f8a57cc539fc7740cb9b328b5942989f3075014f44d07792209e2bade29122b267790c51ef72f4f67f813f17dce4bd94aa122cdd4c2fe38ef8fde4d9e35b821b04a79ffeb1aaba20eb07525c49";
const Q =
  "cddf00f17dfb8acd94cb9c7714e5799febaff1541e712a7559055eeed44fc4a7afd246b73163b094a2bea25a454f8b4fc3e9c798c63523e640b1d5057f6d48f0b6df548dfa73e82b7fc2fe6b380e7281dd5dd921d948ba3f49bebdb7f55623c7fe28517a14e70f0c95bcc9c9cac87d7a52de0f271ab890576d3c9ae56f556cdd";
let modulus: ReturnType<typeof computeModulus> | undefined;

/** Exponents lie between these: above the usual 65537, and within the 31 bits that every verifier can take. */
const MIN_EXPONENT = 65_539;
const MAX_EXPONENT = 2 ** 31 - 1;

const KEYS = Symbol("keys");
/** The worlds of a test suite mostly have one seed. */
const keyCache = new BoundedCache<Key>(100);

/** The key of an environment, made on first use. */
export function getKey(world: World, environment: string, algorithm: Algorithm): Key {
  // Only this module knows the symbol.
  const keys = (world.companions.get(KEYS) ?? new Map()) as Map<string, Key>;
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

/** It depends only on seed, world id, environment and algorithm. */
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
  modulus ??= computeModulus(); // some 10 ms, which only those wait for who need such a key
  const { n, qi, p, q, phi } = modulus;
  const e = findExponent(bytes, phi);
  const d = computeInverse(e, phi);
  return { n, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi };
}

/** What the two primes give. */
function computeModulus() {
  const [p, q] = [BigInt(`0x${P}`), BigInt(`0x${Q}`)];
  return { p, q, phi: (p - 1n) * (q - 1n), n: p * q, qi: computeInverse(q, p) };
}

/** The first prime from the drawn number upwards, wrapping at the end, that is coprime to phi. */
function findExponent(bytes: Uint8Array, phi: bigint): bigint {
  const span = MAX_EXPONENT - MIN_EXPONENT;
  let candidate =
    MIN_EXPONENT + 2 * Math.floor((new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) % span) / 2);
  while (!isPrime(candidate) || phi % BigInt(candidate) === 0n) {
    candidate = candidate + 2 > MAX_EXPONENT ? MIN_EXPONENT : candidate + 2;
  }
  return BigInt(candidate);
}

/** For odd numbers of 31 bits. */
function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/** The inverse of `value` modulo `modulus`; the two must be coprime (extended Euclid). */
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

/** As members of keys are written: the bytes of the number, in base64url. */
export function toJwkNumber(value: bigint): string {
  const hex = value.toString(16);
  const bytes = (hex.length % 2 === 0 ? hex : `0${hex}`).match(/../g) ?? [];
  return toBase64Url(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}
