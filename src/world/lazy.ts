/** Returns a function that computes its value, such as a schema, only on the first call. This keeps startup fast. */
export function once<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
