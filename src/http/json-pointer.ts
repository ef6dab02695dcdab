/** Paths to a place inside a value, such as `["dates", 0]`: how they are written, and which value is there. */

export type Path = readonly (string | number)[];

/** `/dates/0`, as a JSON pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The path that a JSON pointer writes; indexes stay texts. */
export function parsePointer(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `dates[0]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    "",
  );
}

/** The value at a path; undefined where it leads nowhere. Only own members are followed. */
export function findValue(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part]; // an own member
  }
  return value;
}

/** `__proto__`, and `prototype` of a `constructor`: JSON from outside must not introduce them. */
export function reachesPrototype(key: string, parent: string | number | undefined): boolean {
  return key === "__proto__" || (key === "prototype" && parent === "constructor");
}
