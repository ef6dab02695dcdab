/**
 * Work in steps that waits only where it must: a generator that yields the promises it needs. While none is met, it
 * runs to its end at once and makes no promise of its own.
 */

export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** The value, waited for if it is a promise: `const text = yield* awaited(read())`. */
export function* awaited<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // `run` sends what the promise resolves with
}

/** Runs the steps: a promise of their result where one of them has to wait. */
export function run<T>(steps: Steps<T>): T | Promise<T> {
  const step = steps.next();
  return step.done === true ? step.value : resume(steps, step.value);
}

async function resume<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
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
