// Makes the trace of a failure short: takes out whatever the failure does not need, big parts first.

import type { Plan } from "./plan.ts";
import { play } from "./simulation.ts";
import type { Step } from "./steps.ts";

/** Plays that shrinking may take. */
const MOST_PLAYS = 400;

/** A plan with few steps that fails as well; `last` is the index of the step at which the plan fails. */
export async function shrink(plan: Plan, last: number): Promise<Plan> {
  let steps: readonly Step[] = plan.steps.slice(0, last + 1);
  let plays = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < steps.length && plays < MOST_PLAYS; ) {
      const fewer = steps.toSpliced(from, size);
      plays += 1;
      const { failure } = await play({ ...plan, steps: fewer });
      if (failure === undefined) from += size;
      else steps = fewer.slice(0, failure.index + 1);
    }
  }
  return { ...plan, steps };
}
