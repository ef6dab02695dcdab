/** Buttons that advance, freeze and resume the clock. */
import type { StateReport } from "../../sandbox/views.ts";
import { advance, freeze, resume } from "../action.ts";
import type { Actions } from "../cockpit.ts";

type ClockButtonsProps = {
  readonly steps: readonly string[];
  readonly clock: StateReport["clock"];
  readonly act: Actions;
};

export function ClockButtons({ steps, clock, act }: ClockButtonsProps) {
  const isFrozen = clock.mode === "frozen";
  return (
    <p class="actions">
      {steps.map((by) => (
        <button type="button" onClick={() => act.run(advance(by, clock))}>
          + {by.replace(/(\d+)/, "$1 ")}
        </button>
      ))}
      <button type="button" onClick={() => act.run(isFrozen ? resume(clock) : freeze(clock))}>
        {isFrozen ? "Resume" : "Freeze"}
      </button>
    </p>
  );
}
