// Any forty actions answer byte for byte the same, whether or not the sandbox is stopped and started between any two of
// them: data and rules.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { around, inMemory, play, stories } from "../sandbox/record.property.ts";
import { wholeOf } from "./whole-state.ts";

test("worlds that were stopped and restarted respond like worlds that kept running", async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const data = await mkdtemp(join(tmpdir(), "vitrine-restart-"));
      const apart = await play(story, {
        begin: (wall) => createSandbox({ wall, seed: 7, data }),
        async goOn(world, wall) {
          const host = world.worlds.get("main");
          const before = wholeOf(host);
          const journals = host.worlds.list().map(({ id, journal }) => ({ id, record: journal.toRecord() }));
          await host.close();
          const main = await createSandbox({ wall, data });
          expect(wholeOf(main)).toEqual(before);
          // Journal and coverage are memory: they are carried beside.
          main.coverage.restore(host.coverage.toRecord());
          for (const { id, record } of journals) main.worlds.get(id).journal.restore(record);
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
