/** How a message shows a value from outside: as JSON, and shortened, since nobody reads a megabyte. */

const MOST_CHARACTERS = 200;

/** The value as JSON; of a text at most its first 200 characters. */
export function quoted(value: unknown): string {
  return typeof value === "string"
    ? JSON.stringify(shortened(value))
    : shortened(String(JSON.stringify(value)));
}

export function shortened(text: string, most: number = MOST_CHARACTERS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
