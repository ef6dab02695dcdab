/** Redacts secret headers, fields, credentials and JSON Web Tokens. Also redacts other values that equal such a secret. */

import { decodeQueryPart } from "../http/percent.ts";
import { fromBase64, fromUtf8 } from "../world/bytes.ts";
import { getPlatform } from "../world/platform.ts";
import { BoundedCache } from "../world/recent.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Words in the names of secret headers and fields. `isSecretName` first simplifies a name: `X-API-Key` to `xapikey`. */
const SECRET_PART =
  /passwor[dt]|passwd|passphrase|passcode|secret|token|apikey|accesskey|authorization|credential|privatekey|cardnumber|creditcard|cookie|jwt|sessionid/;
const SECRET_NAME = /^(pwd|pass|pin|otp|cvv|cvc|card|pan|sid|session|auth|xauth|key|sig|signature)$/;
const SCHEME = /^(basic|bearer|digest|token|apikey|negotiate)\s+(?=\S)/i;
/** Matches credentials after `Bearer` or `Basic`, and complete or truncated JSON Web Tokens. Skips words: "Basic credentials". */
const SECRET_IN_TEXT =
  /(\b(?:[Bb]earer|[Bb]asic)\s+)(?=[a-z.]*[A-Z\d+/_~-])([\w.~+/-]{4,}=*)|eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g;
const FORM_BODY = /^[^\s=&{["]+=/;
const REDACTION_MARK = /^\[redacted #\d+]$/;

export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return SECRET_PART.test(plain) || SECRET_NAME.test(plain);
}

/** Numbers the secrets of one journal by first appearance: `[redacted #1]`. Equal secrets have equal marks. */
export class RedactionMarks {
  readonly #marks = new BoundedCache<string>(10_000);
  #count = 0;

  getMark(secret: string): string {
    const known = this.#marks.get(secret);
    if (known !== undefined) return known;
    this.#count += 1;
    return this.#marks.set(secret, `[redacted #${this.#count}]`);
  }
}

/** Redacts one exchange. Pass headers first, then bodies: each call also redacts the secrets that earlier calls found. */
export class Redactor {
  readonly #marks: RedactionMarks;
  readonly #found = new Set<string>();

  constructor(marks = new RedactionMarks()) {
    this.#marks = marks;
  }

  /** Redacts a header. Keeps the scheme, such as `Bearer`. */
  header(name: string, value: string): string {
    if (!isSecretName(name)) return this.text(value);
    const scheme = SCHEME.exec(value)?.[0] ?? "";
    const secret = value.slice(scheme.length);
    const [, password = ""] = /^basic/i.test(scheme) ? fromUtf8(fromBase64(secret)).split(/:(.*)/s) : [];
    if (password !== "") this.#found.add(password);
    return scheme + this.#redact(secret);
  }

  /** `search` is the undecoded query with its `?`. */
  search(search: string): string {
    return search === "" ? search : `?${this.#pairs(search.slice(1))}`;
  }

  path(path: string): string {
    return path
      .split("/")
      .map((part) => this.#redactPart(part))
      .join("/");
  }

  /** Redacts each secret value in JSON, which may be malformed, or in a form. Passes other strings to `text`. */
  body(text: string): string {
    if (FORM_BODY.test(text)) return this.#pairs(text);
    if (!/^\s*[{["]/.test(text)) return this.text(text);
    let shown = "";
    let from = 0;
    const { visit } = getPlatform().packages.jsonc();
    visit(text, {
      onLiteralValue: (value, offset, length, _line, _column, pathOf) => {
        if (value === null || typeof value === "boolean" || value === "") return;
        const isSecret = pathOf().some((part) => typeof part === "string" && isSecretName(part));
        const redacted = isSecret ? this.#redact(String(value)) : this.text(String(value));
        if (redacted === String(value)) return;
        shown += text.slice(from, offset) + JSON.stringify(redacted);
        from = offset + length;
      },
    });
    return shown + text.slice(from);
  }

  value(value: unknown, isSecret = false): Json {
    if (Array.isArray(value)) return value.map((item) => this.value(item, isSecret));
    if (typeof value === "object" && value !== null) {
      const plain = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : undefined;
      if (plain !== undefined) return this.value(plain, isSecret);
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, this.value(item, isSecret || isSecretName(name))]),
      );
    }
    if (typeof value === "boolean" || value === undefined || value === null || value === "")
      return value ?? null;
    if (isSecret) return this.#redact(String(value));
    return typeof value === "number" ? value : this.text(String(value));
  }

  /** Redacts the whole value if it is a known secret, otherwise the credentials and tokens in it. */
  text(text: string): string {
    if (this.#found.has(text)) return this.#redact(text);
    return text.replace(SECRET_IN_TEXT, (whole, scheme: string | undefined, secret: string) =>
      scheme === undefined ? this.#redact(whole) : scheme + this.#redact(secret),
    );
  }

  /** Redacts the secrets in a message of the sandbox, which may quote parts of the exchange. */
  message(text: string): string {
    let shown = this.text(text);
    for (const secret of this.#found) {
      if (!shown.includes(secret)) continue;
      const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      // Redacts secrets of up to five characters only between quotes, because they may be parts of words.
      const pattern = secret.length > 5 ? `(?<!\\w)${literal}(?!\\w)` : `(?<=")${literal}(?=")`;
      shown = shown.replace(new RegExp(pattern, "g"), this.#marks.getMark(secret));
    }
    return shown;
  }

  #pairs(text: string): string {
    const pairs = text.split("&").map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (value === "") return pair;
      const isSecret = isSecretName(decodeQueryPart(name) ?? name);
      return `${name}=${isSecret ? this.#redact(decodeQueryPart(value) ?? value) : this.#redactPart(value)}`;
    });
    return pairs.join("&");
  }

  /** Redacts a path segment or query value that contains a secret. Otherwise returns it without decoding. */
  #redactPart(part: string): string {
    const plain = decodeQueryPart(part) ?? part;
    const shown = this.text(plain);
    return shown === plain ? part : shown;
  }

  #redact(secret: string): string {
    if (secret === "" || REDACTION_MARK.test(secret)) return secret;
    this.#found.add(secret);
    return this.#marks.getMark(secret);
  }
}
