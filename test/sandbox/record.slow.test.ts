// Any forty actions answer byte for byte the same, whether or not the world is taken apart between any two of them.

import fc from "fast-check";
import { expect, test } from "vitest";
import { play, stories } from "./record.property.ts";

test("a world that was a record in between answers as one that never was", async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const [apart, whole] = [await play(story, true), await play(story, false)];
      const at = apart.findIndex((told, index) => told !== whole[index]);
      expect(around(apart[at] ?? "", whole[at] ?? "")).toEqual(around(whole[at] ?? "", apart[at] ?? ""));
    }),
    { numRuns: 60, seed: 20_261_128, interruptAfterTimeLimit: 50_000 },
  );
}, 120_000);

/** The part of a text where it begins to differ from another. */
function around(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return text.slice(Math.max(0, at - 150), at + 150);
}
