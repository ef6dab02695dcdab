/** Escapes control characters (except tab and line feed), Unicode line separators, and characters that change the direction of text. */

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

export function escapeUnseen(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}
