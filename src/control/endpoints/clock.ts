/** Simulated time. */

import type { z } from "zod";
import type { LocalControls } from "../../sandbox/controls.ts";
import { parseInstant, toIso } from "../../world/time.ts";
import { nothing, verb } from "../endpoint.ts";
import { AdvanceInput, ClockInput, ClockView } from "../schemas/parts.ts";

export const clock = {
  getClock: verb({
    route: "GET /clock",
    summary: "Read the clock",
    description: "The simulated now, and whether it stands still.",
    tag: "clock",
    answer: ClockView,
    run: ({ sandbox }) => viewOf(sandbox),
    verbs: { "clock.now": { result: ({ at }) => parseInstant(at) } },
  }),

  setClock: verb({
    route: "PUT /clock",
    summary: "Set the clock, stop it or let it run",
    description: "Setting jumps: no work that falls due in between is run. Advance to run it.",
    tag: "clock",
    body: ClockInput,
    answer: ClockView,
    run({ body: { at, mode, rebase }, sandbox }) {
      const { clock } = sandbox;
      if (mode === "frozen") clock.freeze(at, { rebase });
      else if (at !== undefined) clock.set(at, { rebase });
      if (mode === "ticking") clock.resume();
      return viewOf(sandbox);
    },
    verbs: {
      "clock.freeze": { request: (at, jump) => ({ body: { at, ...jump, mode: "frozen" } }), result: nothing },
      "clock.set": { request: (at, jump) => ({ body: { at, ...jump } }), result: nothing },
      "clock.resume": { request: () => ({ body: { mode: "ticking" } }), result: nothing },
    },
    example: () => ({ body: { at: "2026-03-01T09:00:00Z", mode: "frozen" } }),
  }),

  advanceClock: verb({
    route: "POST /clock/advance",
    summary: "Move time forward",
    description: "All work that falls due on the way is run, in order, each at its own instant.",
    tag: "clock",
    body: AdvanceInput,
    answer: ClockView,
    async run({ body, sandbox }) {
      await sandbox.clock.advance(body.by);
      return viewOf(sandbox);
    },
    verbs: { "clock.advance": { request: (by) => ({ body: { by } }), result: nothing } },
    example: () => ({ body: { by: "24h" } }),
  }),
};

function viewOf({ clock }: LocalControls): z.output<typeof ClockView> {
  return { at: toIso(clock.now()), mode: clock.state.mode };
}
