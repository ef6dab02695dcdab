/** Digests of JSON values that do not depend on the order of members. */

import { toHex } from "./bytes.ts";
import { getPlatform } from "./platform.ts";

/** SHA-256 of a JSON value, in hexadecimal. */
export function computeDigest(value: unknown): string {
  return toHex(getPlatform().digest(JSON.stringify(sortMembers(value))));
}

/** The same value with the members of each object sorted by name. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
