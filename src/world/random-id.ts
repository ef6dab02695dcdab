/** A name that no other start of the program gives. No answer of the services depends on it. */
export function createRandomId(): string {
  return crypto.randomUUID().slice(0, 8);
}
