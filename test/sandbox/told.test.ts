// What keeps worlds is told of each that comes, changes as a whole, and goes: nothing of it is lost over a restart.

import { expect } from "vitest";
import { createSandbox, Sandbox } from "../../src/open/create-sandbox.ts";
import { SandboxCore } from "../../src/sandbox/sandbox.ts";
import type { SandboxParts } from "../../src/sandbox/sandbox-state.ts";
import { Worlds } from "../../src/sandbox/worlds.ts";
import { museum } from "../../src/services/museum/index.ts";
import { test } from "../support/test.ts";

const LATER = { version: 1, seed: 9, clock: { at: "2026-04-01T09:00:00Z" } } as const;
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test("a watcher of worlds learns of each new world, and of its end", ({ sandbox }) => {
  const make = (parts: SandboxParts) => new SandboxCore(parts);
  const worlds = new Worlds(sandbox.core.copy("main"), make, { strict: false, limit: 9, idle: "30m" });
  const told: unknown[] = [];
  worlds.watch({
    put: ({ id }) => void told.push(id),
    ended: (id) => void told.push(`${id} ended`),
  });
  const first = worlds.fork(worlds.main);
  worlds.fork(first, "second");
  worlds.fork(sandbox.core, "stranger");
  worlds.put("third", { from: "second" }, false);
  worlds.put("fourth", { record: copyOf(sandbox.record()) }, false);
  worlds.put("fourth", { from: "main" }, true);
  worlds.remove("w1");
  expect(told).toEqual(["w1", "second", "stranger", "third", "fourth", "w1 ended"]);
  expect(worlds.made).toBe(1);
  worlds.made = 5;
  expect(worlds.fork(worlds.main).id).toBe("w6");
  worlds.end();
});

test("a world reports its snapshots and restores, and a changed start", ({ sandbox }) => {
  const told: object[] = [];
  sandbox.core.onAction = (verb) => void told.push(verb);
  sandbox.snapshot();
  const named = sandbox.snapshot("before");
  sandbox.restore("before");
  sandbox.snapshot("before");
  sandbox.restore(named);
  sandbox.snapshots.remove("before");
  sandbox.core.markStart();
  sandbox.reset();
  expect(told).toEqual([
    { verb: "snapshot" },
    { verb: "snapshot", name: "before" },
    { verb: "restore", id: "before" },
    { verb: "snapshot", name: "before" },
    { verb: "replace" },
    { verb: "forget", id: "before" },
    { verb: "start" },
    { verb: "reset" },
  ]);
});

test("a world returns to the state of its options each time its scenario is cleared", async ({ sandbox }) => {
  await sandbox.clearScenario();
  const { digest } = sandbox.state();
  for (let time = 1; time <= 2; time += 1) {
    await sandbox.scenario(LATER);
    expect(sandbox.state().digest).not.toBe(digest);
    await sandbox.clearScenario();
    expect(sandbox.state().digest, `time ${time}`).toBe(digest);
  }
});

test("a record of a ticking clock has a ticking clock", async () => {
  await using ticking = await createSandbox();
  await using other = await Sandbox.from(copyOf(ticking.record()));
  expect(other.clock.state).toEqual(ticking.clock.state);
});

test("unknown names are rejected with the nearest name and the position", ({ sandbox }) => {
  const [environment] = museum.environments;
  if (environment === undefined) return expect.unreachable("the museum has one");
  expect(() => sandbox.core.collection(museum, environment, "specialEvent")).toThrow(
    'Unknown collection of museum "specialEvent". Did you mean "specialEvents"?',
  );
  sandbox.use({ id: "one", when: { operation: "museum.getMuseumHours" }, then: { pass: true } });
  expect(() => sandbox.rules.update("one", { rule: { id: "other", then: { pass: true } } })).toThrow(
    expect.objectContaining({
      message: 'Cannot change the id of rule "one". Remove the rule and add it again. (at /rule/id)',
    }),
  );
  expect(() => sandbox.rules.update("one", { before: "ony" })).toThrow(
    expect.objectContaining({ code: "unknownName", place: { pointer: "/before" } }),
  );
  sandbox.rules.clear();
});
