/**
 * JSON bodies as PHP's parser takes them, which names more reasons than JavaScript's and refuses half a surrogate pair.
 * Assumed: that the service is written in PHP. Which text stands for a reason is in `own-problem.ts`.
 */

import { type ParsedJson, parseJson } from "../../../operation/json.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** The text comes with its byte order mark, if it has one: to PHP that is no JSON. */
export function parsePhpJson(text: string): ParsedJson {
  if (text.startsWith(BYTE_ORDER_MARK)) return { error: "it is not valid JSON: it has a byte order mark" };
  const parsed = parseJson(text, "literal");
  const error = parsed.error !== undefined || HINT.test(text) ? faultIn(text) : undefined;
  return error === undefined ? parsed : { error };
}

/** A surrogate, perhaps of a pair. */
const HINT = /\\u[dD][89a-fA-F]/;
const ESCAPE =
  /\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})/y;
const CONTROL = 0x20;

/** What PHP's scanner stops at, if it is more than bad syntax. The end within a text is a control character to it. */
function faultIn(text: string): string | undefined {
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (text.charCodeAt(at) < CONTROL && (inText || !"\t\n\r".includes(character)))
      return "it has a control character";
    if (character === '"') inText = !inText;
    if (character !== "\\" || !inText) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return text[at + 1] === "u" ? "it has half a surrogate pair" : undefined;
    at = ESCAPE.lastIndex - 1;
  }
  return inText ? "it ends within a text, at a control character" : undefined;
}
