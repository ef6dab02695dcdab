/** The header fields of a request as a socket brought them. Keeps their texts alone, so that a journal holds no socket. */

import type { RequestHeaders } from "../../operation/asked.ts";

export class SocketHeaders implements RequestHeaders {
  /** Name, value, name, value, … in the order sent. */
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const raw = this.#raw;
    let found: string | null = null;
    for (let index = 0; index < raw.length; index += 2) {
      const sent = raw[index] ?? "";
      if (sent.length !== name.length || (sent !== name && sent.toLowerCase() !== name)) continue;
      const value = withoutBlanks(raw[index + 1] ?? "");
      found = found === null ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
    }
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    const names = this.#raw.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
    for (const name of [...new Set(names)].sort()) yield [name, this.get(name) ?? ""];
  }
}

/** Without the blanks around it, of which HTTP knows two. */
function withoutBlanks(value: string): string {
  return /^[\t ]|[\t ]$/.test(value) ? value.replace(/^[\t ]+|[\t ]+$/g, "") : value;
}
