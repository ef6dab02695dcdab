/** Names of worlds, and their form in a path: `/~cart/museum/v1.1`. */

export const MAIN_WORLD = "main";

const NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
const WHOLE_NAME = new RegExp(`^${NAME_PATTERN}$`);
const NAME_IN_PATH = new RegExp(`/~(${NAME_PATTERN})(?=/|$)`);

/** A name has 1 to 100 letters, digits, dots, dashes and underscores, and begins with a letter or digit. */
export function isWorldName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

/** Finds the first world in a path: its prefix `/~cart`, its name `cart`, and the index of the prefix. */
export function findWorld(path: string): { prefix: string; name: string; index: number } | undefined {
  const found = path.includes("/~") ? NAME_IN_PATH.exec(path) : null;
  return found === null ? undefined : { prefix: found[0], name: found[1] ?? "", index: found.index };
}

/** Splits a path that starts with a world: `/~cart/museum` into `/~cart` and `/museum`. */
export function splitWorld(path: string): { prefix: string; name: string | undefined; rest: string } {
  const found = path.startsWith("/~") ? findWorld(path) : undefined;
  if (found?.index !== 0) return { prefix: "", name: undefined, rest: path };
  return { prefix: found.prefix, name: found.name, rest: path.slice(found.prefix.length) || "/" };
}
