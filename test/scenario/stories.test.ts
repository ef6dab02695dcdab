// Scenarios as authors of clients write them, each played to its end.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

const CLOCK = { at: "2026-03-02T09:00:00Z" };
const LIST = { operation: "museum.listSpecialEvents" } as const;
const open = (rest: object) => createSandbox({ scenario: { version: 1, clock: CLOCK, ...rest } });
type Sandbox = Awaited<ReturnType<typeof open>>;
const statusOf = async (sandbox: Sandbox, query = {}) =>
  (await sandbox.museum.listSpecialEvents({ query })).status;

describe("a client meets", () => {
  test("an outage that ends when Retry-After says so", async () => {
    const then = { respond: { status: 503, headers: { "Retry-After": "30" } } };
    await using sandbox = await open({ rules: [{ when: LIST, limit: { until: "+30s" }, then }] });
    const refused = await sandbox.museum.listSpecialEvents();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    await sandbox.clock.advance("29s");
    expect(await statusOf(sandbox)).toBe(503);
    await sandbox.clock.advance("1s");
    expect(await statusOf(sandbox)).toBe(200);
  });

  test("maintenance of both services in a window of the night", async () => {
    await using sandbox = await open({
      clock: { at: "2026-03-02T01:59:59Z" },
      rules: [
        {
          at: "edge",
          limit: { from: "2026-03-02T02:00:00Z", until: "2026-03-02T03:00:00Z" },
          then: {
            respond: { status: 503, headers: { "Content-Type": "text/html" }, body: "<h1>Back at 3</h1>" },
          },
        },
      ],
    });
    const both = async () => [await statusOf(sandbox), (await sandbox.account.listPreSales()).status];
    expect(await both()).toEqual([200, 200]);
    await sandbox.clock.advance("1s");
    expect(await both()).toEqual([503, 503]);
    await sandbox.clock.advance("1h");
    expect(await both()).toEqual([200, 200]);
  });

  test("a token that expires between two pages", async () => {
    await using sandbox = await open({
      settings: { account: { tokenLifetime: "1h" } },
      rules: [
        { when: { operation: "account.listConsumptions", query: { page: 1 } }, then: { advance: "2h" } },
      ],
    });
    const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
    const page = (page: number) => sandbox.account.listConsumptions({ query: { page }, headers });
    expect((await page(1)).status).toBe(200);
    expect(await page(2)).toMatchObject({ status: 401, body: { message: "Expired JWT Token" } });
    expect(sandbox.journal.list().map(({ at }) => at)).toEqual([
      "2026-03-02T09:00:00.000Z",
      "2026-03-02T11:00:00.000Z",
    ]);
  });

  test("the loss of the third page of many, once", async () => {
    await using sandbox = await open({
      data: { museum: { specialEvents: { generate: 100 } } },
      rules: [
        { when: { ...LIST, query: { page: 3 } }, limit: { times: 1 }, then: { respond: { status: 502 } } },
      ],
    });
    const seen = new Set<string>();
    const met: number[] = [];
    const query = { limit: 30, startDate: "2000-01-01", endDate: "2100-01-01" };
    for (let page = 1; page <= 4; ) {
      const reply = await sandbox.museum.listSpecialEvents({ query: { ...query, page } });
      met.push(reply.status);
      if (reply.status !== 200) continue;
      for (const { eventId } of reply.body) seen.add(eventId);
      page += 1;
    }
    expect([met, seen.size]).toEqual([[200, 200, 502, 200, 200], 100]);
  });

  test("half of the JSON, then half of the bytes, then a field that is gone", async () => {
    const half = '[{"eventId": "x", "na';
    await using sandbox = await open({
      rules: [
        {
          when: LIST,
          then: {
            sequence: [
              { respond: { status: 200, headers: { "Content-Type": "application/json" }, body: half } },
              { fault: "truncate" },
              { mutate: "drop:/name" },
            ],
          },
        },
      ],
    });
    type Events = readonly Record<string, unknown>[];
    const get = () => sandbox.fetch("/museum/v1.1/special-events", { headers: sandbox.auth.basic() });
    expect(await (await get()).text()).toBe(half);
    await expect((await get()).text()).rejects.toThrow("terminated");
    const [nameless = {}] = (await (await get()).json()) as Events;
    expect([Object.hasOwn(nameless, "eventId"), Object.hasOwn(nameless, "name")]).toEqual([true, false]);
    const [whole = {}] = (await (await get()).json()) as Events;
    expect(Object.hasOwn(whole, "name")).toBe(true);
  });
});
