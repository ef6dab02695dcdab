/** Escapes untrusted text for terminals and logs, so that it stays on one line and cannot control the terminal. */

const CONTROL_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters, line separators and text direction marks: Esc becomes `\u001b`. */
export function toLine(text: string): string {
  return text.replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Escapes each line of a text, but keeps its line breaks. */
export function toLines(text: string): string {
  return text.split("\n").map(toLine).join("\n");
}

export function toJsonLine(event: object): string {
  return `${toLine(JSON.stringify(event))}\n`;
}
