/**
 * The timers of this runtime as they were when the package was loaded. A test runner that puts fake ones in their place
 * holds up the client under test, never the sandbox.
 */

export const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

/** Calls `act` in the next turn of the event loop. */
export const setImmediate: (act: () => void) => unknown =
  globalThis.setImmediate ?? ((act) => setTimeout(act, 0)); // jsdom has none
