/** Maps JSON Pointers to the positions of their values in a JSON text, and finds the first syntax error. */

export type Span = { readonly start: number; readonly end: number };
export type JsonText = {
  readonly spans: ReadonlyMap<string, Span>;
  /** Position of the first syntax error. */
  readonly broken?: Span;
};

const SPACE = /[ \t\r\n]*/y;
/** A string, or characters that may be a number or a literal such as `true`. */
const SCALAR = /"(?:[^"\\]|\\[\s\S])*"|[^\s"[\]{},:]+/y;

export function readJson(text: string): JsonText {
  const spans = new Map<string, Span>();
  let at = 0;

  /** Reads a token at the position `at`, and moves `at` behind the token. */
  function token(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  /** Reads a string, a number or a literal. Returns undefined for a syntax error. */
  function scalar(): unknown {
    const start = at;
    try {
      return JSON.parse(token(SCALAR) ?? "");
    } catch {
      at = start;
      return undefined;
    }
  }

  function mark(character: string): boolean {
    token(SPACE);
    const isHere = text[at] === character;
    if (isHere) at += 1;
    return isHere;
  }

  function value(pointer: string): boolean {
    token(SPACE);
    const start = at;
    const isRead = mark("{")
      ? members("}", (_index) => member(pointer))
      : mark("[")
        ? members("]", (index) => value(`${pointer}/${index}`))
        : scalar() !== undefined;
    if (isRead) spans.set(pointer, { start, end: at });
    return isRead;
  }

  function members(close: string, read: (index: number) => boolean): boolean {
    if (mark(close)) return true;
    for (let index = 0; ; index += 1) {
      if (!read(index)) return false;
      if (!mark(",")) return mark(close);
    }
  }

  function member(pointer: string): boolean {
    token(SPACE);
    const key = text[at] === '"' ? scalar() : undefined;
    if (typeof key !== "string" || !mark(":")) return false;
    return value(`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }

  const isWhole = value("");
  token(SPACE);
  if (isWhole && at === text.length) return { spans };
  const start = Math.max(0, Math.min(at, text.trimEnd().length - 1));
  return { spans, broken: { start, end: start + 1 } };
}

/** Indents a JSON text. Does not change its values: digits, escapes and duplicate members stay. */
export function formatJson(text: string): string {
  if (readJson(text).broken !== undefined) return text;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g) ?? [];
  let line = "\n";
  const parts = tokens.map((token, index) => {
    if (token === ":") return ": ";
    if (token === ",") return token + line;
    if (/^[{[]$/.test(token) && !/^[}\]]$/.test(tokens[index + 1] ?? "")) line += "  ";
    else if (/^[}\]]$/.test(token) && !/^[{[]$/.test(tokens[index - 1] ?? "")) {
      line = line.slice(0, -2);
      return line + token;
    } else return token;
    return token + line;
  });
  return parts.join("");
}

/** Finds the position of the value at a pointer, or of its nearest parent that exists. */
export function findSpan({ spans }: JsonText, pointer: string): Span | undefined {
  const found = spans.get(pointer);
  return found ?? (pointer === "" ? undefined : findSpan({ spans }, pointer.replace(/\/[^/]*$/, "")));
}

export function formatPosition(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
