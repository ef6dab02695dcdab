/** Formats, parses and resolves paths to a part of a value, such as `["dates", 0]`. */

export type Path = readonly (string | number)[];

/** Formats a JSON Pointer (RFC 6901): `/dates/0`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Parses a JSON Pointer. Array indexes stay strings: `/dates/0` becomes `["dates", "0"]`. */
export function parsePointer(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Formats a path for messages: `dates[0]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    "",
  );
}

/** Returns the value at a path, or undefined. Ignores inherited members. */
export function findValue(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part]; // Safe cast: the check above ensures that the member exists.
  }
  return value;
}

/** Whether a key from untrusted JSON could change a prototype: `__proto__`, or `prototype` below `constructor`. */
export function reachesPrototype(key: string, parent: string | number | undefined): boolean {
  return key === "__proto__" || (key === "prototype" && parent === "constructor");
}
