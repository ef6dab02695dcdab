// `Prefer: code=404` asks for an answer; the answer says whether it is that one.

import { describe, expect } from "vitest";
import { ask } from "../support/ask.ts";
import { test } from "../support/test.ts";

describe("an answer that was preferred", () => {
  test.for([
    ["GET /special-events", "code=400", 400, "code=400"],
    ["GET /special-events", "respond-async, code = 401", 401, "code=401"],
    ["GET /tickets/00000000-0000-4000-8000-000000000000/qr", "code=404", 404, "code=404"],
    ["GET /special-events", "code=503", 503, "code=503"],
    ["GET /special-events", "code=200", 200, "code=200"],
    ["GET /special-events?page=0", 'code="400"', 400, "code=400"],
  ] as const)("says so: %s, %s", async ([line, prefer, status, applied], { sandbox }) => {
    const { headers, ...answer } = await ask(sandbox, line, { headers: { prefer } });
    expect(answer.status).toBe(status);
    expect(headers.get("preference-applied")).toBe(applied);
    expect(headers.has("x-vitrine-preference")).toBe(false);
    expect(sandbox.journal.last?.responseHeaders).toMatchObject({ "preference-applied": applied });
  });

  test("and that is a bare 503 is as empty as it says", async ({ sandbox }) => {
    const { urls, close } = await sandbox.listen({ port: 0 });
    const init = { headers: { ...sandbox.auth.basic(), prefer: "code=503" } };
    for (const fetched of [sandbox.fetch, fetch]) {
      const response = await fetched(`${urls.museum}/special-events`, init);
      expect([response.status, await response.text()]).toEqual([503, ""]);
      expect(response.headers.get("content-length")).toBe("0");
      expect(response.headers.has("transfer-encoding")).toBe(false);
    }
    await close();
  });
});

describe("an answer that is another", () => {
  test.for([
    [
      "GET /special-events",
      "code=404",
      /^museum\.listSpecialEvents does not document 404\. Known: 400, 401\.$/,
    ],
    ["GET /museum-hours", "code=418", /^museum\.getMuseumHours does not document 418\./],
    ["GET /special-events", "code=201", /^The answer would not be 201: /],
  ] as const)("says why: %s, %s", async ([line, prefer, why], { sandbox }) => {
    const { status, headers } = await ask(sandbox, line, { headers: { prefer } });
    expect(status).toBe(200);
    expect(headers.get("x-vitrine-preference")).toMatch(why);
    expect(headers.has("preference-applied")).toBe(false);
    expect(sandbox.journal.last).toMatchObject({ status: 200 });
  });

  test("to a preference of another kind says nothing", async ({ sandbox }) => {
    const { headers } = await ask(sandbox, "GET /special-events", { headers: { prefer: "return=minimal" } });
    expect([...headers.keys()].filter((name) => /prefer/.test(name))).toEqual([]);
  });
});
