// useSandbox, with the hooks of the runner that is at hand: vitest's.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { finishTest } from "../../src/testing/end-of-test.ts";
import { useSandbox } from "../../src/testing/hooks.ts";
import { frozenSandbox } from "../support/test.ts";

const hooks = { beforeAll, afterAll, beforeEach, afterEach };
const CLOCK = "2026-03-01T09:00:00Z";

describe("the tests of a file", () => {
  const before = { ...process.env };
  const seen: string[] = [];
  afterAll(() => expect(process.env).toEqual(before)); // after the hooks below
  const sandbox = useSandbox({
    hooks,
    clock: CLOCK,
    env: { MUSEUM_URL: "museum", BILLING: "accountSandbox" },
  });
  const listed = async () => {
    const reply = await fetch(`${process.env["MUSEUM_URL"]}/special-events`, {
      headers: sandbox.auth.basic(),
    });
    return reply.json();
  };

  test("find the URLs of their world in the environment, and always use one sandbox object", async () => {
    expect(await listed()).not.toEqual([]);
    expect(process.env["BILLING"]).toBe(sandbox.urls.accountSandbox);
    expect(sandbox.clock.now()).toBe(Date.parse(CLOCK));
    expect(sandbox.journal.count({ operation: "museum.listSpecialEvents", status: 200 })).toBe(1);
    sandbox.data.museum.specialEvents.replace([]);
    expect(await listed()).toEqual([]);
    seen.push(sandbox.id);
  });

  test("each have a separate world, and the previous one is gone", async () => {
    expect(await listed()).not.toEqual([]);
    expect(sandbox.journal.count()).toBe(1);
    expect(sandbox.worlds.list().map(({ id }) => id)).toEqual(["main", sandbox.id]);
    expect(seen).not.toContain(sandbox.id);
  });

  test("are rejected at a URL that names no world", async () => {
    const nameless = new URL("/museum/v1.1/special-events", sandbox.urls.museum);
    expect(await (await fetch(nameless)).text()).toContain("strictWorlds");
  });
});

/** The hooks, but for the last, which the test itself runs as its runner would. */
const ownEnd = () => {
  const ends: (() => Promise<void>)[] = [];
  const afterEach = (end: () => Promise<void>) => void ends.push(end);
  return { hooks: { ...hooks, afterEach }, end: (context?: object) => ends[0]?.call(context) };
};

describe("a test that passed", () => {
  describe("whose client called an unknown path", () => {
    const { hooks, end } = ownEnd();
    const sandbox = useSandbox({ hooks });
    test("fails", async () => {
      await sandbox.fetch("/museum/v1.1/nothing-here");
      await expect(end()).rejects.toThrow("#1 GET /nothing-here matches no operation.");
    });
  });

  describe("whose client called an unknown path with verify off", () => {
    const { hooks, end } = ownEnd();
    const sandbox = useSandbox({ hooks, verify: false });
    test("still passes", async () => {
      await sandbox.fetch("/museum/v1.1/nothing-here");
      await end();
    });
  });
});

describe("a test that did not pass", () => {
  const { hooks, end } = ownEnd();
  const sandbox = useSandbox({ hooks });

  test("prints what its client did if it threw no error", async () => {
    const print = vi.spyOn(console, "error").mockReturnValue();
    await sandbox.museum.listSpecialEvents();
    await end({ passed: false, error: { cause: 7 } });
    expect(print.mock.calls).toEqual([[expect.stringMatching(/What the client did:\n {2}#1 GET .* 200$/)]]);
    print.mockRestore();
  });

  test("is not verified if Mocha tries it again", async () => {
    await sandbox.fetch("/museum/v1.1/nothing-here");
    await end({ currentTest: {} });
  });
});

test.for([
  ["The last attempt of a failed test stores a capsule", { passed: false, isLast: true }, 1],
  ["A failed attempt before the last stores no capsule", { passed: false, isLast: false }, 0],
  ["A passed test stores no capsule", { passed: true, isLast: true }, 0],
  ["A test that passes and should fail stores a capsule", { passed: true, isLast: false, fails: true }, 1],
] as const)("%s", async ([_title, ended, stored]) => {
  await using sandbox = await frozenSandbox();
  const capsules: object[] = [];
  const storeCapsule = async (capsule: object) => void capsules.push(capsule);
  await finishTest(sandbox, { fails: false, verify: true, appendText: () => {}, storeCapsule, ...ended });
  expect(capsules).toHaveLength(stored);
});

describe("incorrect use of useSandbox throws an error", () => {
  test("without hooks", () => {
    expect(() => useSandbox()).toThrow("useSandbox finds no global hooks. Pass those of the runner");
  });

  test("outside a test", () => {
    const sandbox = useSandbox({
      hooks: { ...hooks, beforeAll() {}, afterAll() {}, beforeEach() {}, afterEach() {} },
    });
    expect(() => sandbox.urls).toThrow("Cannot use urls outside of a test: no sandbox exists.");
  });

  test("with an unknown name of a URL", async () => {
    const starts: (() => Promise<void>)[] = [];
    const keep = (start: () => Promise<void>) => void starts.push(start);
    const ends: (() => Promise<void>)[] = [];
    useSandbox({
      env: { MUSEUM_URL: "musem" as "museum" },
      hooks: { before: keep, beforeEach: keep, afterEach() {}, after: (end) => void ends.push(end) },
    });
    await expect(starts[0]?.()).rejects.toThrow('MUSEUM_URL: Unknown URL "musem". Did you mean "museum"?');
    await ends[0]?.();
  });
});
