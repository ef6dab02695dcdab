// Owns how JSON is written. By default as any JavaScript writes it; the setting `phpEscaping` writes what PHP's two
// encoders write, for clients that compare raw text.

import type { AccountSettings } from "../settings.ts";
import { LD_JSON } from "./media.ts";

export function writeJson(value: unknown, media: string, { phpEscaping }: AccountSettings): string {
  const text = JSON.stringify(value);
  if (!phpEscaping) return text;
  return media === LD_JSON ? escapeForHtml(text) : escapeNonAscii(text).replaceAll("/", "\\/");
}

/** The JSON-LD encoder: safe within HTML, letters of all scripts as they are. */
function escapeForHtml(text: string): string {
  return text
    .replace(/\\./g, (pair) => (pair === '\\"' ? "\\u0022" : pair))
    .replace(/['&<>\u2028\u2029]/g, unicodeEscape)
    .replaceAll("/", "\\/");
}

function escapeNonAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${character < "\u0080" ? code.toUpperCase() : code}`;
}
