// A map in layers behaves as a plain Map does, and what was frozen never changes.

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Layer, LayeredMap, layerOf, slotsIn } from "../../src/world/layered-map.ts";

const key = fc.constantFrom("a", "b", "c", "d", "e");
const command = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat(99) }),
  fc.record({ kind: fc.constant("delete" as const), key }),
  fc.record({ kind: fc.constant("freeze" as const) }),
);

test("whatever is set, deleted and frozen in between, it reads as a Map, and so does each frozen state", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      const map = new LayeredMap<number>();
      const model = new Map<string, number>();
      const kept: { readonly layer: Layer<number>; readonly was: readonly [string, number][] }[] = [];
      for (const one of commands) {
        if (one.kind === "set") {
          map.set(one.key, one.value);
          model.set(one.key, one.value);
        } else if (one.kind === "delete") {
          expect(map.delete(one.key)).toBe(model.delete(one.key));
        } else kept.push({ layer: map.freeze(), was: [...model] });
        expect(map.keys()).toEqual([...model.keys()]);
        expect(map.values()).toEqual([...model.values()]);
        expect(map.size).toBe(model.size);
        for (const name of "abcde") expect(map.get(name)).toBe(model.get(name));
      }
      for (const { layer, was } of kept) {
        const again = new LayeredMap(layer);
        expect(again.keys().map((name) => [name, again.get(name)])).toEqual(was);
        expect(layer.size).toBe(was.length);
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});

test("a layer that is written out and read back holds, counts and orders the same", () => {
  const map = new LayeredMap<number>();
  map.set("gone", 1);
  map.set("kept", 2);
  map.set("changed", 3);
  const below = map.freeze();
  map.delete("gone");
  map.set("changed", 4);
  map.set("new", 5);
  const above = layerOf(below, slotsIn(map.freeze()).slice());
  const read = new LayeredMap(above);
  expect([read.keys(), read.values(), read.size]).toEqual([["kept", "changed", "new"], [2, 4, 5], 3]);
  read.set("last", 6);
  expect(read.keys()).toEqual(["kept", "changed", "new", "last"]);
});

test("forks of one layer write apart", () => {
  const map = new LayeredMap<string>();
  map.set("who", "both");
  const layer = map.freeze();
  const [one, other] = [new LayeredMap(layer), new LayeredMap(layer)];
  one.set("who", "one");
  other.delete("who");
  expect([one.get("who"), other.get("who"), map.get("who")]).toEqual(["one", undefined, "both"]);
});
