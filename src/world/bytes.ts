/** Converts bytes to strings and back, with functions that every JavaScript runtime has. */

import { once } from "./lazy.ts";

const getEncoder = once(() => new TextEncoder());
/** The decoder replaces invalid UTF-8 with U+FFFD, and keeps a byte order mark. */
const getDecoder = once(() => new TextDecoder("utf-8", { ignoreBOM: true }));
/** Number of arguments that every runtime accepts in a function call. */
const MAX_ARGUMENTS = 8_192;

export function toUtf8(text: string): Uint8Array<ArrayBuffer> {
  return getEncoder().encode(text);
}

export function fromUtf8(bytes: Uint8Array): string {
  return getDecoder().decode(bytes);
}

/** Encodes a string as UTF-8, or copies bytes. */
export function toBytes(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === "string" ? toUtf8(data) : new Uint8Array(data);
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS)
    binary += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  return btoa(binary);
}

/** Decodes base64 and base64url, with or without padding. Ignores all other characters, and an incomplete last byte. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const [whole = ""] = text.replaceAll("-", "+").replaceAll("_", "/").split("=", 1);
  const plain = whole.replace(/[^A-Za-z0-9+/]/g, "");
  const binary = atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  const bytes = new Uint8Array(binary.length); // This loop is ten times faster than Uint8Array.from.
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Encodes base64url (RFC 4648), without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}
