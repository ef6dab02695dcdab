/** RSA signatures of RFC 8017 (PKCS #1 v1.5) over SHA-256 digests, by the arithmetic of the language. */

import { concat, toHex } from "../../world/bytes.ts";
import { type Jwk, type RsaNumbers, toJwkNumber } from "../../world/keys.ts";

const MODULUS_BYTES = 256;
/** Says in ASN.1 that a digest of SHA-256 follows. */
const SHA256_DIGEST = Uint8Array.of(
  ...[
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
    0x04,
  ],
  0x20,
);

export function toPublicRsaJwk({ n, e }: RsaNumbers): Jwk {
  return { kty: "RSA", n: toJwkNumber(n), e: toJwkNumber(e) };
}

/** With the two primes apart (Chinese remainders): a quarter of the work. */
export function signRsa(digest: Uint8Array, { p, q, dp, dq, qi }: RsaNumbers): Uint8Array {
  const message = encodeDigest(digest);
  const [ofP, ofQ] = [computePower(message, dp, p), computePower(message, dq, q)];
  const factor = ((((ofP - ofQ) * qi) % p) + p) % p;
  const hex = (ofQ + factor * q).toString(16).padStart(2 * MODULUS_BYTES, "0");
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

export function hasSignedRsa(digest: Uint8Array, signature: Uint8Array, { n, e }: RsaNumbers): boolean {
  if (signature.length !== MODULUS_BYTES) return false;
  const number = toNumber(signature);
  return number < n && computePower(number, e, n) === encodeDigest(digest);
}

function encodeDigest(digest: Uint8Array): bigint {
  const padding = new Uint8Array(MODULUS_BYTES - 3 - SHA256_DIGEST.length - digest.length).fill(0xff);
  return toNumber(concat([Uint8Array.of(0, 1), padding, Uint8Array.of(0), SHA256_DIGEST, digest]));
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes)}`);
}

/** Four bits of the exponent at a time: 15 powers are made once, and then each four bits are one multiplication. */
function computePower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const powers = [1n];
  for (let index = 1; index < 16; index += 1) powers.push(((powers[index - 1] ?? 1n) * base) % modulus);
  let result = 1n;
  for (const digit of exponent.toString(16)) {
    for (let bit = 0; bit < 4; bit += 1) result = (result * result) % modulus;
    result = (result * (powers[Number.parseInt(digit, 16)] ?? 1n)) % modulus;
  }
  return result;
}
