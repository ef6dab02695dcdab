/** Stores the native timer functions when this module loads, so that fake timers of tests do not affect the sandbox. */

export const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

/** Falls back to `setTimeout`, because jsdom lacks `setImmediate`. */
export const setImmediate: (act: () => void) => unknown =
  globalThis.setImmediate ?? ((act) => setTimeout(act, 0));
