// One seed from beginning to end: played, now and then played again for the same bytes, and told when it fails.

import { type Plan, planOf } from "./plan.ts";
import { shrink } from "./shrink.ts";
import { type Outcome, play } from "./simulation.ts";
import { wallAt } from "./wall.ts";

/** Another wall, which moves: nothing may look at it. */
const ELSEWHERE = "2031-07-15T21:34:56.789Z";

export type Told = {
  readonly requests: number;
  /** What is wrong, how to see it again, and the shortest trace; undefined: nothing is wrong. */
  readonly failure: string | undefined;
};

/** A seed that may never fail again; `plan` is its shortest trace, which outlives changes to what seeds mean. */
export type Kept = { readonly why: string; readonly seed: number; readonly plan: Omit<Plan, "seed"> };
export type Job =
  | { readonly kept: Kept }
  /** `twice`: the same seed must give the same bytes, whatever the wall says. */
  | { readonly seed: number; readonly steps: number; readonly twice: boolean };

export function run(job: Job): Promise<Told> {
  return "kept" in job ? runKept(job.kept) : runSeed(job.seed, job.steps, job.twice);
}

async function runKept({ why, seed, plan }: Kept): Promise<Told> {
  const { requests, failure } = await play({ ...plan, seed });
  if (failure === undefined) return { requests, failure };
  const message = `the kept trace of seed ${seed} fails again (${why}): ${failure.message}`;
  return { requests, failure: `${message}\nagain: npm run soak -- --seeds 0` };
}

async function runSeed(seed: number, steps: number, twice: boolean): Promise<Told> {
  const plan = planOf(seed, steps);
  const { requests, digest, failure } = await play(plan);
  if (failure !== undefined) return { requests, failure: await explain(plan, failure) };
  // A folder that is opened without a clock begins on the wall's day.
  if (!twice || plan.stored) return { requests, failure };
  const again = await play(plan, wallAt(ELSEWHERE, 7));
  if (again.digest === digest) return { requests: requests + again.requests, failure };
  const message = `seed ${seed} gives other bytes when it is played again at another time of the wall`;
  return { requests, failure: `${message}\n${commandFor(plan, steps)}` };
}

/** What went wrong, the line that shows it again, and the shortest trace as it can be kept. */
async function explain(plan: Plan, { index, message }: NonNullable<Outcome["failure"]>): Promise<string> {
  const { steps } = await shrink(plan, index);
  const { failure } = await play({ ...plan, steps });
  return [
    `seed ${plan.seed} fails at step ${index + 1}: ${message}`,
    commandFor(plan, Math.min(index + 1, plan.steps.length)),
    `${steps.length} of its steps are enough (stored: ${plan.stored}): ${failure?.message}`,
    ...steps.map((step) => `  ${JSON.stringify(step)},`),
  ].join("\n");
}

function commandFor({ seed }: Plan, steps: number): string {
  return `again: npm run soak -- --seed ${seed} --steps ${steps}`;
}
