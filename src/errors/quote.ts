/** How a message shows a value from outside: as JSON, and shortened, since nobody reads a megabyte. */

const MAX_QUOTED_CHARS = 200;

/** The value as JSON; of a text at most its first 200 characters. */
export function quote(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(shorten(value)) : shorten(String(JSON.stringify(value)));
}

export function shorten(text: string, most: number = MAX_QUOTED_CHARS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
