/** SHA-256 digests of JSON values, in hex. The order of an object's members does not change the digest. */

import { toHex } from "./bytes.ts";
import { getPlatform } from "./platform.ts";

export function computeDigest(value: unknown): string {
  return toHex(getPlatform().digest(JSON.stringify(sortMembers(value))));
}

export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
