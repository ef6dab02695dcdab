// A short run of the simulator with every run of the tests; the long one is `npm run soak`.

import { expect, test } from "vitest";
import { run } from "./course.ts";
import { kept } from "./kept.ts";
import { planOf } from "./plan.ts";

const SEEDS = [1, 2, 3];
const STORED_SEED = 25;
const STEPS = 50;

test.each(SEEDS)(
  "seed %i: the sandbox answers as the model does, and twice in the same bytes",
  async (seed) => {
    const { failure } = await run({ seed, steps: STEPS, twice: true });
    expect(failure).toBeUndefined();
  },
);

test("the sandbox responds like the model with a data folder, restarts and crashes", async () => {
  const plan = planOf(STORED_SEED, STEPS);
  expect(new Set(plan.steps.map((step) => step.do))).toContain("crash");
  const { failure } = await run({ seed: STORED_SEED, steps: STEPS, twice: false });
  expect(failure).toBeUndefined();
});

test.each(kept)("seed $seed, in which $why", async (one) => {
  const { failure } = await run({ kept: one });
  expect(failure).toBeUndefined();
});
