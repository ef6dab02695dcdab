/** Detects common mistakes in rejected credentials: missing base64 encoding, or a placeholder such as `<token>`. */

import type { Finding } from "../http/exchange.ts";
import { fromBase64, fromUtf8 } from "../world/bytes.ts";

/** Matches values from templates, manuals and unset variables: `undefined`, `<token>`, `${TOKEN}`, `YOUR_API_KEY`. */
const PLACEHOLDER =
  /^(undefined|null|nan|\[object object\]|token|jwt|username|credentials|change_?me|x{3,}|\.{3}|…|your[-_ ]?[\w -]*|<[^>]*>|\{+[^{}]*\}+|\$\{?\w+\}?|\[[a-z _-]*\])$/i;

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** Checks an Authorization header. The message of the finding omits the header, which may contain a secret. */
export function checkCredentials(header: string | null): Finding | undefined {
  const [, scheme = "", sent = ""] = /^(basic|bearer)? *(.*)$/i.exec(header ?? "") ?? [];
  const basic = /^basic$/i.test(scheme);
  const [user = ""] = basic ? fromUtf8(fromBase64(sent)).split(":") : [];
  if (isPlaceholder(sent) || isPlaceholder(user))
    return {
      key: "credentialsPlaceholder",
      message: `Authorization has a placeholder in place of ${basic ? "credentials" : "a token"}.`,
    };
  if (!sent.includes(":") || /^bearer$/i.test(scheme)) return undefined;
  return {
    key: "credentialsUnencoded",
    message: "Authorization contains name and password without the base64 encoding that Basic requires.",
  };
}
