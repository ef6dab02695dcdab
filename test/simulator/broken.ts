// What a simulation found to be wrong. Anything else that is thrown is a mistake of the simulator's own.

export class Broken extends Error {
  override readonly name = "Broken";
}

/** Throws what is wrong; undefined: nothing is. */
export function expectRight(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Broken(wrong);
}

const texts = new WeakMap<object, string>();

/** A JSON text that is the same for equal values, whatever the order of their fields. */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value)
    ? `[${value.map(canonical).join()}]`
    : `{${Object.keys(value)
        .filter((name) => (value as Record<string, unknown>)[name] !== undefined)
        .sort()
        .map((name) => `${name}: ${canonical((value as Record<string, unknown>)[name])}`)
        .join()}}`;
  // Neither the model's values nor the sandbox's change in place.
  texts.set(value, text);
  return text;
}

/** What is expected of something and what it is instead; undefined: it is as expected. */
export function differs(what: string, actual: unknown, expected: unknown): string | undefined {
  if (canonical(actual) === canonical(expected)) return undefined;
  return `${what} is ${shorten(canonical(actual))}, not ${shorten(canonical(expected))}`;
}

function shorten(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
