/** The JSON text of values. That of one that cannot change is written once, and kept as long as the value exists. */

const texts = new WeakMap<object, string>();

/** Entities are frozen in every part, and so are the pages made of them, whose text is joined from theirs. */
export function jsonText(value: unknown): string {
  if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return JSON.stringify(value);
  let text = texts.get(value);
  if (text === undefined) {
    text = Array.isArray(value) ? `[${value.map(jsonText).join(",")}]` : JSON.stringify(value);
    texts.set(value, text);
  }
  return text;
}
