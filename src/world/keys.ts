/**
 * The signing keys of a world's environments. TEST-ONLY KEYS: the primes below are public, so anyone who has
 * this file can sign in anyone's name. They exist to create tokens of a sandbox, never to protect anything.
 *
 * Creating an RSA key costs 50 to 300 ms; here all share one modulus, and each has its own public exponent,
 * drawn from seed, world and environment. That is cheap and repeatable, and a token of one key is not valid
 * for another.
 */

import { createECDH, createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import type { World } from "./world.ts";

export const ALGORITHMS = ["RS256", "HS256", "ES256"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** What signs and what verifies; one and the same for HS256. */
export type KeyPair = { readonly sign: KeyObject; readonly verify: KeyObject };

// Test-only: public knowledge, see above. The product has 2048 bits.
const P =
  "7fB1vmDUgleAGkoWQOfZ0rbM4TFfNNsBW6U0tZhTnxQBws9jo5yNuOfWnWjt7sWpAcCF-KV8xTn8d0DLmzKLWUKYnzB1AU9E0HeSIJ4rreKRIrJneQxR73L09n-BPxfc5L2UqhIs3Uwv4474_eTZ41uCGwSnn_6xqrog6wdSXEk";
const Q =
  "zd8A8X37is2Uy5x3FOV5n-uv8VQecSp1WQVe7tRPxKev0ka3MWOwlKK-olpFT4tPw-nHmMY1I-ZAsdUFf21I8LbfVI36c-grf8L-azgOcoHdXdkh2Ui6P0m-vbf1ViPH_ihRehTnDwyVvMnJysh9elLeDycauJBXbTya5W9VbN0";
let modulus: ReturnType<typeof toModulus> | undefined;

/** Exponents lie between these: above the usual 65537, and within the 31 bits that every verifier can take. */
const SMALLEST_EXPONENT = 65_539;
const LARGEST_EXPONENT = 2 ** 31 - 1;

const KEYS = Symbol("keys");

/** The keys of an environment, created on first use. They depend only on seed, world id, environment and algorithm. */
export function keysOf(world: World, environment: string, algorithm: Algorithm): KeyPair {
  // Only this module knows the symbol.
  const keys = (world.companions.get(KEYS) ?? new Map()) as Map<string, KeyPair>;
  world.companions.set(KEYS, keys);
  const name = `${algorithm} ${environment}`;
  const pair = keys.get(name) ?? make(algorithm, world.random.bytes("key", world.id, environment));
  keys.set(name, pair);
  return pair;
}

function make(algorithm: Algorithm, bytes: Buffer): KeyPair {
  if (algorithm === "HS256") {
    const secret = createSecretKey(bytes);
    return { sign: secret, verify: secret };
  }
  const sign = algorithm === "RS256" ? rsaKey(bytes) : ecKey(bytes);
  return { sign, verify: createPublicKey(sign) };
}

function rsaKey(bytes: Buffer): KeyObject {
  modulus ??= toModulus(); // some 10 ms, which only those wait for who need such a key
  const { n, qi, p, q, phi } = modulus;
  const exponent = exponentFrom(bytes, phi);
  const d = inverse(exponent, phi);
  const key = {
    kty: "RSA",
    n,
    e: toText(exponent),
    d: toText(d),
    p: P,
    q: Q,
    dp: toText(d % (p - 1n)),
    dq: toText(d % (q - 1n)),
    qi,
  };
  return createPrivateKey({ key, format: "jwk" });
}

/** What the two primes give. */
function toModulus() {
  const [p, q] = [toBigInt(P), toBigInt(Q)];
  return { p, q, phi: (p - 1n) * (q - 1n), n: toText(p * q), qi: toText(inverse(q, p)) };
}

/** A key on P-256. Its signatures, unlike the keys, differ from one signing to the next: ECDSA draws a number for each. */
function ecKey(bytes: Buffer): KeyObject {
  const scalar = Buffer.from(bytes);
  scalar.writeUInt8(scalar.readUInt8(0) & 0x7f, 0); // so that it is below the order of the curve
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(scalar);
  const point = ecdh.getPublicKey();
  const key = {
    kty: "EC",
    crv: "P-256",
    d: scalar.toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  return createPrivateKey({ key, format: "jwk" });
}

/** The first prime from the drawn number upwards, wrapping at the end, that is coprime to phi. */
function exponentFrom(bytes: Buffer, phi: bigint): bigint {
  const span = LARGEST_EXPONENT - SMALLEST_EXPONENT;
  let candidate = SMALLEST_EXPONENT + 2 * Math.floor((bytes.readUInt32BE(0) % span) / 2);
  while (!isPrime(candidate) || phi % BigInt(candidate) === 0n) {
    candidate = candidate + 2 > LARGEST_EXPONENT ? SMALLEST_EXPONENT : candidate + 2;
  }
  return BigInt(candidate);
}

/** For odd numbers of 31 bits. */
function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/** The inverse of `value` modulo `modulus`; the two must be coprime (extended Euclid). */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, value % modulus];
  let [before, factor] = [0n, 1n];
  while (next > 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [before, factor] = [factor, before - quotient * factor];
  }
  return ((before % modulus) + modulus) % modulus;
}

function toBigInt(base64url: string): bigint {
  return BigInt(`0x${Buffer.from(base64url, "base64url").toString("hex")}`);
}

function toText(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex").toString("base64url");
}
