/** Moves the clock by one of some steps, stops it and lets it run again. */

import { advance, freeze, resume } from "../action.ts";
import type { Actions } from "../cockpit.ts";

type ClockButtonsProps = {
  /** Durations, such as `24h`. */
  readonly steps: readonly string[];
  readonly mode: string | undefined;
  readonly act: Actions;
};

export function ClockButtons({ steps, mode, act }: ClockButtonsProps) {
  return (
    <p class="actions">
      {steps.map((by) => (
        <button type="button" onClick={() => act.run(advance(by))}>
          + {by.replace(/(\d+)/, "$1 ")}
        </button>
      ))}
      <button type="button" onClick={() => act.run(mode === "frozen" ? resume : freeze)}>
        {mode === "frozen" ? "Let it tick" : "Freeze"}
      </button>
    </p>
  );
}
