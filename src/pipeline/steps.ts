/**
 * Generators that wait only where they have to. Requests sent in one tick so do their work in the order in which they were
 * sent: with `async` functions another one would come in between.
 */

/** Yields the promises that it needs; while it meets none, it runs to its end at once and makes none of its own. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** The value, waited for if it is a promise. */
export function* awaitValue<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // `runSteps` sends what the promise resolves with
}

/** Runs the steps: a promise of their result where one of them has to wait. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  const step = steps.next();
  return step.done === true ? step.value : resumeSteps(steps, step.value);
}

async function resumeSteps<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let step: IteratorResult<Promise<unknown>, T> = { done: false, value: first };
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}
