/** Simulated time. */

import type { z } from "zod";
import type { LocalControls } from "../../sandbox/controls.ts";
import { toIso } from "../../world/time.ts";
import { operation, shared } from "../operation.ts";
import { AdvanceInput, ClockInput, ClockView } from "../schemas.ts";

export const clock = {
  getClock: operation({
    method: "get",
    path: "/clock",
    summary: "Read the clock",
    tag: "clock",
    ...shared,
    responses: { 200: ClockView },
    handle: ({ state, reply }) => reply(200, viewOf(state)),
  }),

  setClock: operation({
    method: "put",
    path: "/clock",
    summary: "Set the clock, stop it or let it run",
    description: "Setting jumps: no work that falls due in between is run. Advance to run it.",
    tag: "clock",
    ...shared,
    request: { body: ClockInput },
    responses: { 200: ClockView },
    problems: ["malformedBody", "invalidInput"],
    async handle({ body: { at, mode, rebase }, state, reply }) {
      const { clock } = state;
      if (at !== undefined) await clock.set(at, { rebase });
      if (mode === "frozen") await clock.freeze();
      if (mode === "ticking") await clock.resume();
      return reply(200, viewOf(state));
    },
    example: () => ({ body: { at: "2026-03-01T09:00:00Z", mode: "frozen" } }),
  }),

  advanceClock: operation({
    method: "post",
    path: "/clock/advance",
    summary: "Move time forward",
    description: "All work that falls due on the way is run, in order, each at its own instant.",
    tag: "clock",
    ...shared,
    request: { body: AdvanceInput },
    responses: { 200: ClockView },
    problems: ["malformedBody", "invalidInput"],
    async handle({ body, state, reply }) {
      await state.clock.advance(body.by);
      return reply(200, viewOf(state));
    },
    example: () => ({ body: { by: "24h" } }),
  }),
};

function viewOf({ clock, world }: LocalControls): z.output<typeof ClockView> {
  return { at: toIso(world.clock.now()), mode: clock.state.mode };
}
