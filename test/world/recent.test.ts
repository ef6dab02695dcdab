// What is remembered so that it is computed once, and what is forgotten to stay within the bound.

import { expect, test } from "vitest";
import { BoundedCache, getCached } from "../../src/world/recent.ts";

/** `remembered`, telling the keys that had to be computed. */
function counting(bytes: number) {
  const computed: string[] = [];
  const read = (source: object, key: string): string =>
    getCached(source, key, () => {
      computed.push(key);
      return [`result of ${key}`, bytes];
    });
  return { read, computed };
}

test("each result of a source is computed once", () => {
  const { read, computed } = counting(10);
  const source = {};
  for (const key of ["one", "other", "one", "other"]) expect(read(source, key)).toBe(`result of ${key}`);
  read({}, "one");
  expect(computed).toEqual(["one", "other", "one"]);
});

test("a cache of 16 MiB drops only the oldest results", () => {
  const { read, computed } = counting(4 * 1_048_576);
  const source = {};
  for (const key of ["a", "b", "c", "d", "e"]) read(source, key);
  for (const key of ["e", "d", "c", "b"]) read(source, key);
  expect(computed).toEqual(["a", "b", "c", "d", "e"]);
  read(source, "a");
  expect(computed.at(-1)).toBe("a");
});

test("a full cache drops its oldest value", () => {
  const recent = new BoundedCache<number>(2);
  for (const [index, key] of ["a", "b", "c"].entries()) recent.set(key, index);
  expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([undefined, 1, 2]);
});
