/** Timers at the time of loading, so that fake timers of test runners do not affect the sandbox. */

export const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

/** jsdom lacks `setImmediate`. */
export const setImmediate: (act: () => void) => unknown =
  globalThis.setImmediate ?? ((act) => setTimeout(act, 0));
