/** What is made when it is first needed, such as a schema: a start that does not need it does not wait for it. */

/** A function that makes its result at the first call, and returns the same from then on. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
