// Any forty actions answer byte for byte the same, whether or not the sandbox is stopped and started between any two of
// them: data, rules, journal and coverage.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSandboxWithState } from "../../src/open/create-sandbox.ts";
import { around, inMemory, play, stories } from "../sandbox/record.property.ts";
import { wholeOf } from "./whole-state.ts";

test("worlds that were stopped and started in between answer as ones that never were", async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const data = await mkdtemp(join(tmpdir(), "vitrine-restart-"));
      const bounds = { mostLines: 5 };
      const apart = await play(story, {
        begin: (wall) => createSandboxWithState({ wall, seed: 7, data, keepJournal: true }, bounds),
        async goOn(world, wall) {
          const before = wholeOf(world.worlds.get("main"));
          await world.worlds.get("main").close();
          const main = await createSandboxWithState({ wall, data, keepJournal: true }, bounds);
          expect(wholeOf(main)).toEqual(before);
          return main.worlds.get(world.id);
        },
      });
      await rm(data, { recursive: true });
      const whole = await play(story, inMemory);
      const at = apart.findIndex((told, index) => told !== whole[index]);
      expect(around(apart[at], whole[at])).toEqual(around(whole[at], apart[at]));
    }),
    { numRuns: 25, seed: 20_261_128, interruptAfterTimeLimit: 80_000 },
  );
}, 180_000);
