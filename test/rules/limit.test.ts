// How often a rule acts, with sixty-four clients at once.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

const CLOCK = "2026-03-02T09:00:00Z";
type Options = NonNullable<Parameters<typeof createSandbox>[0]>;

/** Statuses of `count` reads that are sent all at once, in the order in which they arrived. */
async function statuses(limit: object, count = 64, options: Options = {}): Promise<readonly number[]> {
  await using sandbox = await createSandbox({ clock: CLOCK, ...options });
  sandbox.use({
    id: "r",
    when: { operation: "museum.getMuseumHours" },
    limit,
    then: { respond: { status: 503 } },
  });
  await Promise.all(Array.from({ length: count }, () => sandbox.museum.getMuseumHours()));
  return sandbox.journal.list().map(({ status }) => status ?? 0);
}
/** Which of them the rule took, counted from 1. */
const hits = (all: readonly number[]): number[] =>
  all.flatMap((status, index) => (status === 503 ? [index + 1] : []));

describe("a rule for 64 concurrent clients applies", () => {
  test.each([
    ["times: 7", { times: 7 }, [1, 2, 3, 4, 5, 6, 7]],
    ["after: 60", { after: 60 }, [61, 62, 63, 64]],
    ["every: 20", { every: 20 }, [20, 40, 60]],
    ["after, every and times together", { after: 10, every: 5, times: 3 }, [15, 20, 25]],
    ["chance: 0", { chance: 0 }, []],
  ])("exactly as %s says", async (_about, limit, expected) => {
    expect(hits(await statuses(limit))).toEqual(expected);
  });

  test("to the same requests for the same seed, and to others for another seed", async () => {
    const once = await statuses({ chance: 0.5 }, 64, { seed: 7 });
    expect(await statuses({ chance: 0.5 }, 64, { seed: 7 })).toEqual(once);
    expect(await statuses({ chance: 0.5 }, 64, { seed: 8 })).not.toEqual(once);
    expect(hits(once).length).toBeGreaterThan(16);
    expect(hits(once).length).toBeLessThan(48);
  });
});

describe("a rule", () => {
  test("applies only in its time window, on the sandbox's clock", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    const limit = { from: "+10m", until: "2026-03-02T09:20:00Z" };
    sandbox.use({ when: { operation: "museum.getMuseumHours" }, limit, then: { respond: { status: 503 } } });
    const status = async () => (await sandbox.museum.getMuseumHours()).status;
    expect(await status()).toBe(200);
    await sandbox.clock.advance("10m");
    expect(await status()).toBe(503);
    await sandbox.clock.advance("10m");
    expect(await status()).toBe(200);
    expect(sandbox.journal.last?.rules[0]?.why).toBe(
      "after its window, which closed at 2026-03-02T09:20:00.000Z",
    );
  });

  test("counts separately for each user if its limit says per user", async () => {
    await using sandbox = await createSandbox({ clock: CLOCK });
    sandbox.use({
      when: { operation: "museum.getMuseumHours" },
      limit: { times: 1, per: "user" },
      then: { respond: { status: 503 } },
    });
    const status = async (user: string) =>
      (await sandbox.museum.getMuseumHours({ headers: sandbox.auth.basic(user, "x") })).status;
    expect([await status("ada"), await status("ada"), await status("bob"), await status("bob")]).toEqual([
      503, 200, 503, 200,
    ]);
  });

  test("keeps its count in a fork, and counts from zero after a reset", async () => {
    await using sandbox = await createSandbox({
      clock: CLOCK,
      scenario: {
        version: 1,
        rules: [
          {
            id: "r",
            when: { operation: "museum.getMuseumHours" },
            limit: { times: 2 },
            then: { respond: { status: 503 } },
          },
        ],
      },
    });
    const read = async (world: typeof sandbox) => (await world.museum.getMuseumHours()).status;
    expect(await read(sandbox)).toBe(503);
    const fork = sandbox.fork();
    expect([await read(fork), await read(fork)]).toEqual([503, 200]);
    expect([await read(sandbox), await read(sandbox)]).toEqual([503, 200]);
    sandbox.use({ id: "added", then: { pass: true } });
    sandbox.reset();
    expect(sandbox.rules.list()).toMatchObject([{ id: "r", acted: 0, origin: "scenario" }]);
    expect(await read(sandbox)).toBe(503);
  });
});
