// Any forty actions answer byte for byte the same, whether or not the world is taken apart between any two of them.

import fc from "fast-check";
import { expect, test } from "vitest";
import { around, asRecord, inMemory, play, stories } from "./record.property.ts";

test("a world restored from records responds like a world that was never recorded", async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const [apart, whole] = [await play(story, asRecord), await play(story, inMemory)];
      const at = apart.findIndex((told, index) => told !== whole[index]);
      expect(around(apart[at], whole[at])).toEqual(around(whole[at], apart[at]));
    }),
    { numRuns: 60, seed: 20_261_128, interruptAfterTimeLimit: 50_000 },
  );
});
