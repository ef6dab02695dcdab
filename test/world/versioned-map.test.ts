// A copy-on-write map behaves like a Map, and a frozen version never changes.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createVersion, listEntries, type Version, VersionedMap } from "../../src/world/versioned-map.ts";

const key = fc.constantFrom("a", "b", "c", "d", "e");
const command = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat(99) }),
  fc.record({ kind: fc.constant("delete" as const), key }),
  fc.record({ kind: fc.constant("freeze" as const) }),
);

test("the map and each of its frozen versions read like a Map, also after serialization", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const map = new VersionedMap<number>();
      const model = new Map<string, number>();
      const frozen: { readonly version: Version<number>; readonly was: readonly [string, number][] }[] = [];
      for (const one of commands) {
        if (one.kind === "set") {
          map.set(one.key, one.value);
          model.set(one.key, one.value);
        } else if (one.kind === "delete") {
          expect(map.delete(one.key)).toBe(model.delete(one.key));
        } else frozen.push({ version: map.freeze(), was: [...model] });
        expect(map.keys()).toEqual([...model.keys()]);
        expect(map.values()).toEqual([...model.values()]);
        expect(map.size).toBe(model.size);
        for (const name of "abcde") expect(map.get(name)).toBe(model.get(name));
      }
      for (const { version, was } of frozen)
        for (const again of [
          new VersionedMap(version),
          new VersionedMap(createVersion(listEntries(version))),
        ]) {
          expect(again.keys().map((name) => [name, again.get(name)])).toEqual(was);
          again.set("last", 6);
          expect(again.keys().at(-1)).toBe("last");
        }
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("two maps from one version are independent", () => {
  const map = new VersionedMap<string>();
  map.set("who", "both");
  const version = map.freeze();
  const [one, other] = [new VersionedMap(version), new VersionedMap(version)];
  one.set("who", "one");
  other.delete("who");
  expect([one.get("who"), other.get("who"), map.get("who")]).toEqual(["one", undefined, "both"]);
});
