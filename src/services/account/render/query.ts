// Owns the query string, read and written the way PHP does it: `month[]=1`, `month[0]=1`, `month[x]=1`, later over
// earlier. Assumed: the document names `year` and `year[]` and says nothing of how they mix.

/** `year=2024` is a text, `year[]=` and `year[0]=` a list, and a record where some key is no integer. */
type QueryValue = string | readonly QueryValue[] | { readonly [key: string]: QueryValue };
export type QueryValues = Readonly<Record<string, QueryValue>>;

type Node = string | Map<string, Node>;

const INTEGER_KEY = /^(0|-?[1-9]\d*)$/;

/** `unreadable` names the first parameter whose percent-encoding is broken. */
export function readQuery(search: string): { readonly values: QueryValues; readonly unreadable?: string } {
  const root = new Map<string, Node>();
  let unreadable: string | undefined;
  for (const pair of search.replace(/^\?/, "").split("&").filter(Boolean)) {
    const [rawName = "", ...rest] = pair.split("=");
    const name = decode(rawName);
    const value = decode(rest.join("="));
    if (name === undefined || value === undefined) unreadable ??= rawName;
    else if (name.trimStart() !== "") set(root, keysOf(name.trimStart()), value);
  }
  const values = toRecord(root);
  return unreadable === undefined ? { values } : { values, unreadable };
}

/** Written per RFC 3986, `[` and `]` escaped, integer keys as `[]`; without the leading `?`. */
export function writeQuery(values: QueryValues): string {
  return Object.entries(values)
    .flatMap(([name, value]) => pairsOf(name, value))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
}

/** `month[a][]` -> `month`, `a`, ``. A name whose brackets do not close is a plain name. */
function keysOf(name: string): readonly string[] {
  const match = /^([^[]+)((?:\[[^\]]*\])+)/.exec(name);
  if (match === null) return [name];
  const [, first = "", brackets = ""] = match;
  return [first, ...brackets.slice(1, -1).split("][")];
}

function set(into: Map<string, Node>, [key = "", ...deeper]: readonly string[], value: string): void {
  const name = key === "" && into.size > 0 ? nextIndex(into) : key || "0";
  const [next] = deeper;
  if (next === undefined) {
    into.set(name, value);
    return;
  }
  const present = into.get(name);
  const child: Map<string, Node> = present instanceof Map ? present : new Map();
  into.set(name, child);
  set(child, deeper, value);
}

function nextIndex(list: Map<string, Node>): string {
  const used = [...list.keys()].filter((key) => INTEGER_KEY.test(key)).map(Number);
  return String(Math.max(-1, ...used) + 1);
}

function toValue(node: Node): QueryValue {
  if (typeof node === "string") return node;
  if ([...node.keys()].every((key) => INTEGER_KEY.test(key))) return [...node.values()].map(toValue);
  return toRecord(node);
}

/** Without a prototype: `__proto__` and `constructor` are names like any other. */
function toRecord(node: Map<string, Node>): QueryValues {
  const record: Record<string, QueryValue> = Object.create(null);
  for (const [key, child] of node) record[key] = toValue(child);
  return record;
}

function pairsOf(name: string, value: QueryValue): (readonly [string, string])[] {
  if (typeof value === "string") return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((one: QueryValue) => pairsOf(`${name}[]`, one));
  return Object.entries(value).flatMap(([key, one]) =>
    pairsOf(INTEGER_KEY.test(key) ? `${name}[]` : `${name}[${key}]`, one),
  );
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined; // decodeURIComponent throws for nothing but broken escapes
  }
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
