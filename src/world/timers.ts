/** The timers as they were when the package was loaded: the fake ones of a test runner never hold up the sandbox. */

export const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

/** Calls `act` in the next turn of the event loop. */
export const setImmediate: (act: () => void) => unknown =
  globalThis.setImmediate ?? ((act) => setTimeout(act, 0)); // jsdom has none
