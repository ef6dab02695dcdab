// What failed once: the seed, why, and the shortest trace. They are played before all others, so that what they showed stays
// mended.

import type { Kept } from "./course.ts";
import type { Ask } from "./steps.ts";

const MINE: Pick<Ask, "client" | "environment" | "caller" | "accept"> = {
  client: 0,
  environment: "account",
  caller: { kind: "session" },
  accept: "application/json",
};
const HOLD = { hold: "window" };

export const kept: readonly Kept[] = [
  {
    why: "a request that had waited at a gate answered with an action that was no longer there",
    seed: 32,
    plan: {
      stored: false,
      steps: [
        {
          world: 0,
          do: "use",
          rule: { id: "r", at: "handler", when: { operation: "account.getPreSaleAction" }, then: HOLD },
        },
        {
          world: 0,
          do: "ask",
          ask: { ...MINE, operation: "getPreSaleAction", which: { of: "present", pick: 224_292 } },
        },
        {
          world: 0,
          do: "scenario",
          scenario: { version: 1, data: { account: { preSales: { replace: [] } } } },
        },
        { world: 0, do: "release", gate: "window" },
      ],
    },
  },
  {
    why: "a reset took seed and clock out of the folder, and the next start failed",
    seed: 100,
    plan: {
      stored: true,
      steps: [
        { world: 0, do: "reset" },
        { world: 0, do: "restart" },
      ],
    },
  },
  {
    why: "a request that waited when its world was restored used up a rule of the world that came after",
    seed: 317,
    plan: {
      stored: false,
      steps: [
        {
          world: 0,
          do: "use",
          rule: {
            id: "lost",
            at: "response",
            when: { operation: "museum.getMuseumHours" },
            limit: { times: 1 },
            then: { fault: "reset" },
          },
        },
        { world: 0, do: "snapshot", name: "one" },
        {
          world: 0,
          do: "use",
          rule: { id: "r", at: "handler", when: { operation: "museum.getMuseumHours" }, then: HOLD },
        },
        {
          world: 0,
          do: "ask",
          ask: {
            client: 0,
            environment: "museum",
            operation: "getMuseumHours",
            caller: { kind: "basic", user: "ada" },
          },
        },
        { world: 0, do: "restore", pick: 0 },
      ],
    },
  },
  {
    why: "a restore took the clock of the snapshot out of the folder",
    seed: 925,
    plan: {
      stored: true,
      steps: [
        { world: 0, do: "advance", by: "1h" },
        { world: 0, do: "snapshot", name: "one" },
        {
          world: 0,
          do: "ask",
          ask: {
            client: 0,
            environment: "museum",
            operation: "getMuseumHours",
            caller: { kind: "basic", user: "ada" },
          },
        },
        { world: 0, do: "restore", pick: 0 },
        { world: 0, do: "restart" },
      ],
    },
  },
];
