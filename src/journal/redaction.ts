/**
 * What counts as a secret, and how it is redacted in an exchange: its length, its last four characters and
 * the prefix of a hash remain, so that two uses of one secret can be recognized. Independent of the services.
 */

import { jsonc } from "../operation/jsonc.ts";
import { decodeQueryPart, encodePercent, encodePercentFully } from "../operation/percent.ts";
import { fromBase64, fromUtf8, toHex } from "../world/bytes.ts";
import { platform } from "../world/platform.ts";
import { Recent } from "../world/remembered.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Anywhere in a name, in any style: `accessToken`, `X-API-Key`, `client_secret`. */
const SECRET_PART =
  /password|passwd|passphrase|secret|token|apikey|authorization|credential|privatekey|cardnumber|creditcard|cookie|jwt|sessionid/;
const SECRET_NAME = /^(pwd|pass|pin|otp|cvv|cvc|card|pan|sid|session|auth|xauth|key|sig|signature)$/;
/** These describe how to authenticate; they are not secrets. */
const CHALLENGES = ["www-authenticate", "proxy-authenticate"];
const SCHEME = /^(basic|bearer|digest|token|apikey|negotiate)\s+(?=\S)/i;
/** A JSON Web Token, or a part of one. */
const JWT = /eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g;
const USER_INFO = /(\/\/[^\s/:@"']*:)([^\s/@"']+)(?=@)/g;
/** Matches only at the start of a word, so that a long one costs no more than its length. */
const PAIR = /(?<![\w.[\]-])([\w.[\]-]+)(=|%3D)([^&;\s"'<>\\]+)/gi;
const ALREADY_REDACTED = /^\[redacted \d+ characters/;
const JSON_SPACE = [" ", "\t", "\n", "\r"];
/** A shorter secret is redacted in place, but not searched for elsewhere: it could be any word. */
const SHORTEST_SOUGHT = 6;

/** `[redacted 43 characters, …wxyz, #1a2b3c4d]`: equal secrets have equal marks. */
export function redact(secret: string): string {
  if (secret.length > LONGEST_REMEMBERED) return markOf(secret);
  return marks.get(secret) ?? marks.set(secret, markOf(secret));
}

function markOf(secret: string): string {
  const hash = toHex(platform().digest(secret)).slice(0, 8);
  const end = Array.from(secret.slice(-8)).slice(-4).join(""); // never half a character
  return `[redacted ${secret.length} characters, ${secret.length > 12 ? `…${end}, ` : ""}#${hash}]`;
}

/** Most requests repeat the secrets of the one before. */
const marks = new Recent<string>(100);
const LONGEST_REMEMBERED = 2_000;

/** Whether a value of this name is a secret. */
export function isSecretName(name: string): boolean {
  let secret = judged.get(name);
  if (secret === undefined) {
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    secret = SECRET_PART.test(plain) || SECRET_NAME.test(plain);
    if (judged.size < MOST_JUDGED && name.length < 100) judged.set(name, secret);
  }
  return secret;
}

/** A cache for recurring names: fields and headers of the services. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 1_000;

/** A quick check that never misses a key, however it is escaped; it may take a text with `": ` in it for one. */
function hasSecretKey(text: string): boolean {
  for (let colon = text.indexOf(":"); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    let end = colon - 1;
    while (JSON_SPACE.includes(text.charAt(end))) end -= 1;
    if (text[end] !== '"') continue;
    const start = text.lastIndexOf('"', end - 1);
    const key = text.slice(start + 1, end);
    if (text[start - 1] === "\\" || key.includes("\\") || isSecretName(key)) return true;
  }
  return false;
}

/** Redacts the secrets of one exchange. A secret found in one place is also redacted wherever it is repeated. */
export class Secrets {
  readonly #found = new Set<string>();

  /** A header value; the scheme of `Authorization` is kept. */
  header(name: string, value: string): string {
    if (CHALLENGES.includes(name) || !isSecretName(name)) return this.text(value);
    const scheme = SCHEME.exec(value)?.[0] ?? "";
    const secret = value.slice(scheme.length);
    const pair = /^basic/i.test(scheme) ? fromUtf8(fromBase64(secret)) : "";
    this.#note(pair.replace(/^[^:]*:?/, "")); // the password
    for (const part of secret.split(/[;,=\s]+/)) this.#note(part);
    return scheme + this.#redact(secret);
  }

  /** A query as sent, with its `?`. */
  search(search: string): string {
    if (search === "") return search;
    const pairs = search.slice(1).split("&");
    const shown = pairs.map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      const value = rest.join("=");
      return value !== "" && isSecretName(decoded(name))
        ? `${name}=${this.#redact(decoded(value))}`
        : this.text(pair);
    });
    return `?${shown.join("&")}`;
  }

  /** A body: JSON is read member by member, at any depth and even if malformed; anything else is plain text. */
  body(text: string): string {
    if (!/^\s*[{["]/.test(text) || !hasSecretKey(text)) return this.text(text);
    let shown = "";
    let from = 0;
    jsonc().visit(text, {
      onLiteralValue: (value, offset, length, _line, _column, pathOf) => {
        if (value === null || typeof value === "boolean" || value === "") return;
        if (!pathOf().some((part) => typeof part === "string" && isSecretName(part))) return;
        shown += text.slice(from, offset) + JSON.stringify(this.#redact(String(value)));
        from = offset + length;
      },
    });
    return this.text(shown + text.slice(from));
  }

  /** Plain data, such as a decoded query or an entity. */
  value(value: unknown, secret = false): Json {
    if (Array.isArray(value)) return value.map((item) => this.value(item, secret));
    if (typeof value === "object" && value !== null) {
      const plain = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : undefined;
      if (plain !== undefined) return this.value(plain, secret);
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, this.value(item, secret || isSecretName(name))]),
      );
    }
    if (typeof value === "boolean" || value === undefined || value === null || value === "")
      return value ?? null;
    if (secret) return this.#redact(String(value));
    return typeof value === "number" ? value : this.text(String(value));
  }

  /** Any text: tokens, `name=value` pairs and passwords in URLs are redacted. */
  text(text: string): string {
    let shown = text;
    if (shown.includes("eyJ")) shown = shown.replace(JWT, (token) => this.#redact(token));
    if (shown.includes("//"))
      shown = shown.replace(
        USER_INFO,
        (_whole, before: string, password: string) => before + this.#redact(password),
      );
    if (!["=", "%3D", "%3d"].some((sign) => shown.includes(sign))) return shown;
    return shown.replace(PAIR, (whole, name: string, equals: string, value: string) =>
      isSecretName(decoded(name)) && !value.startsWith("[redacted")
        ? `${name}${equals}${this.#redact(value)}`
        : whole,
    );
  }

  /** Redacts the secrets found so far in every text of `value`; call it when all parts have been read. */
  sweep<T>(value: T): T {
    if (this.#found.size === 0) return value;
    const longestFirst = [...this.#found].sort((one, other) => other.length - one.length);
    return swept(value, longestFirst) as T; // the same shape
  }

  #redact(secret: string): string {
    if (ALREADY_REDACTED.test(secret)) return secret;
    this.#note(secret);
    return redact(secret);
  }

  #note(secret: string): void {
    if (secret.length < SHORTEST_SOUGHT) return;
    for (const written of UNESCAPED.test(secret) ? [secret] : spellings(secret)) this.#found.add(written);
  }
}

/** Reads the same in an address, in a form and in JSON. */
const UNESCAPED = /^[\w.-]*$/;

/** As it stands, as JSON may escape it, and as browsers, other languages and forms do in an address. */
function spellings(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  const escaped = [encodePercent(secret), encodePercentFully(secret), inForm];
  const inLowerCase = escaped.map((text) => text.replace(/%../g, (code) => code.toLowerCase()));
  return [secret, inJson, ...escaped, ...inLowerCase];
}

function swept(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string")
    return secrets.reduce(
      (text, secret) => (text.includes(secret) ? text.replaceAll(secret, redact(secret)) : text),
      value,
    );
  if (Array.isArray(value)) return value.map((item) => swept(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, swept(item, secrets)]));
}

/** A malformed escape is left as it is. */
function decoded(text: string): string {
  return decodeQueryPart(text) ?? text;
}
