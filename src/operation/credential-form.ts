/** What can be seen of refused credentials without knowing the right ones: a pair that nobody encoded, or a placeholder. */

import type { Finding } from "../http/exchange.ts";
import { fromBase64, fromUtf8 } from "../world/bytes.ts";

/** What templates, manuals and missing variables leave behind: `undefined`, `<token>`, `${TOKEN}`, `YOUR_API_KEY`. */
const PLACEHOLDER =
  /^(undefined|null|nan|\[object object\]|token|jwt|username|credentials|change_?me|x{3,}|\.{3}|…|your[-_ ]?[\w -]*|<[^>]*>|\{+[^{}]*\}+|\$\{?\w+\}?|\[[a-z _-]*\])$/i;

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** Of an Authorization header as sent. Shows nothing of its value. */
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
    message: "Authorization has name and password as they are: Basic wants them in base64.",
  };
}
