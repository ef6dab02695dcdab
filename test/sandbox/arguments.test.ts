// Wrong arguments, as callers without types pass them: each is refused with a UsageError, and the state stays as it is.

import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { createSandbox, type Sandbox } from "../../src/index.ts";

const CLOCK = "2026-03-01T09:00:00Z";
const WRONG = [null, true, -1, "", "nonsense", [1], { nonsense: 1 }, () => 1];

/** A method with good arguments. The type after them is one of which the first may be any value. */
const CALLS: readonly (readonly [string, readonly unknown[], ("string" | "function")?])[] = [
  ["clock.freeze", [CLOCK, {}]],
  ["clock.set", [CLOCK, {}]],
  ["clock.advance", ["1s"]],
  ["journal.list", [{}, {}]],
  ["journal.get", [1]],
  ["journal.count", [{}]],
  ["journal.waitFor", [{}, {}]],
  ["journal.verify", [{}]],
  ["journal.expect", [{}]],
  ["journal.idle", [{}]],
  ["journal.subscribe", [() => {}], "function"],
  ["mailbox.messages", [{}]],
  ["mailbox.waitFor", [{}, {}]],
  ["mailbox.subscribe", [() => {}], "function"],
  ["rules.remove", ["r1"]],
  ["rules.update", ["r1", {}]],
  ["gates.release", ["g"], "string"],
  ["gates.arrived", ["g"], "string"],
  ["data.museum.specialEvents.get", ["x"], "string"],
  ["data.museum.specialEvents.upsert", [[]]],
  ["data.museum.specialEvents.replace", [[]]],
  ["data.museum.specialEvents.remove", [[]]],
  ["auth.token", [{}]],
  ["auth.keys", ["account"]],
  ["auth.login", [{}]],
  ["auth.clearThrottle", ["ada@example.test", "account"]],
  ["usage.record", [{}]],
  ["snapshots.diff", ["s"]],
  ["snapshots.remove", ["s"]],
  ["snapshot", ["s"], "string"],
  ["restore", ["s"]],
  ["scenario", ["museum-empty"]],
  ["addScenario", ["museum-empty"]],
  ["check", [{ rule: {} }]],
  ["explain", [{ method: "GET", path: "/special-events" }]],
  ["use", [{}]],
  ["worlds.get", ["main"]],
  ["worlds.put", ["n", { from: "main" }, {}], "string"],
  ["worlds.remove", ["n"]],
  ["fork", ["n"], "string"],
  ["museum.getSpecialEvent", [{ params: { eventId: "x" } }]],
  ["account.login", [{ body: {} }]],
  ["listen", [{}]],
  ["answer", [new Request("http://localhost/")]],
  ["createSandbox", [{}]],
  ["connect", ["http://localhost:1", {}]],
];

const entrances = { createSandbox, connect };

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ clock: CLOCK });
  sandbox.use({ id: "r1", limit: { times: 1 }, then: { pass: true } });
  sandbox.snapshot("s");
  await sandbox.museum.listSpecialEvents();
});
afterEach(() => sandbox.close());

/** What became of a call: the name of the error that it throws or rejects with. */
async function outcomeOf(name: string, args: readonly unknown[]): Promise<string> {
  const members = name.split(".");
  const root: object = name in entrances ? entrances : sandbox;
  // biome-ignore lint/suspicious/noExplicitAny: as a caller without types
  const target = members.slice(0, -1).reduce((on: any, one) => on[one], root);
  try {
    await target[members.at(-1) ?? ""](...args);
    return "accepted";
  } catch (error) {
    return (error as Error).name;
  }
}

for (const [name, good, kind] of CALLS) {
  test(`${name} refuses arguments of other kinds`, async () => {
    const digest = sandbox.state().digest;
    for (const [at] of good.entries()) {
      for (const wrong of WRONG) {
        if (at === 0 && typeof wrong === kind) continue;
        const args = good.with(at, wrong);
        const label = `argument ${at}: ${JSON.stringify(wrong) ?? "a function"}`;
        expect([label, await outcomeOf(name, args)]).toEqual([label, "UsageError"]);
      }
    }
    expect(sandbox.state().digest).toBe(digest);
  });
}
