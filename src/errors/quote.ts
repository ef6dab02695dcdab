/** Formats untrusted values for messages: converts them to JSON and shortens the result. */

const MAX_QUOTED_CHARS = 200;

/** Returns the value as JSON, with at most the first 200 characters. */
export function quote(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(shorten(value)) : shorten(String(JSON.stringify(value)));
}

export function shorten(text: string, maxChars: number = MAX_QUOTED_CHARS): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
