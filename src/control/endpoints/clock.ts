/** Endpoints of the simulated clock. */

import type { z } from "zod";
import type { LocalSandbox } from "../../sandbox/controls.ts";
import { parseTimestamp, toIso } from "../../world/time.ts";
import { defineEndpoint, discard } from "../endpoint.ts";
import { AdvanceInput, ClockInput, ClockView } from "../schemas/parts.ts";

export const clock = {
  getClock: defineEndpoint({
    route: "GET /clock",
    summary: "Read the clock",
    description: "The simulated time, and whether it is frozen.",
    tag: "clock",
    answer: ClockView,
    run: ({ sandbox }) => buildClockView(sandbox),
    methods: { "clock.now": { result: ({ at }) => parseTimestamp(at) } },
  }),

  setClock: defineEndpoint({
    route: "PUT /clock",
    summary: "Set, freeze or resume the clock",
    description: "Autoplay records no invoices for the skipped time. To record them, advance the clock.",
    tag: "clock",
    body: ClockInput,
    answer: ClockView,
    run({ body: { at, mode, rebase }, sandbox }) {
      const { clock } = sandbox;
      if (mode === "frozen") clock.freeze(at, { rebase });
      else if (at !== undefined) clock.set(at, { rebase });
      if (mode === "ticking") clock.resume();
      return buildClockView(sandbox);
    },
    methods: {
      "clock.freeze": { request: (at, jump) => ({ body: { at, ...jump, mode: "frozen" } }), result: discard },
      "clock.set": { request: (at, jump) => ({ body: { at, ...jump } }), result: discard },
      "clock.resume": { request: () => ({ body: { mode: "ticking" } }), result: discard },
    },
    example: () => ({ body: { at: "2026-03-01T09:00:00Z", mode: "frozen" } }),
  }),

  advanceClock: defineEndpoint({
    route: "POST /clock/advance",
    summary: "Move time forward",
    description: "Runs all scheduled work on the way, in order, each at its due time.",
    tag: "clock",
    body: AdvanceInput,
    answer: ClockView,
    async run({ body, sandbox }) {
      await sandbox.clock.advance(body.by);
      return buildClockView(sandbox);
    },
    methods: { "clock.advance": { request: (by) => ({ body: { by } }), result: discard } },
    example: () => ({ body: { by: "24h" } }),
  }),
};

function buildClockView({ clock }: LocalSandbox): z.output<typeof ClockView> {
  return { at: toIso(clock.now()), mode: clock.state.mode };
}
