// Bodies with nothing right in them: their check ends with the first mistakes, and the refusal is one that a person can
// read. The largest there are: hostile-bodies.slow.test.ts.

import { describe, expect } from "vitest";
import { z } from "zod";
import { check } from "../../src/operation/validate.ts";
import { frozenSandbox, test } from "../support/test.ts";
import { expectRefused, filled, members } from "./hostile-bodies.ts";

describe("the check of a long list stops after twenty errors", () => {
  test("and reports how many items it did not check", () => {
    let looked = 0;
    const item = z.custom(() => {
      looked += 1;
      return false;
    });
    const { issues, more } = check(z.object({ items: z.array(item) }), { items: Array(100_000).fill(0) });
    expect(issues).toHaveLength(20);
    expect(more).toBe("… and 99980 items not checked.");
    expect(looked).toBeLessThanOrEqual(2 * 20); // once to see that it is wrong, once to say why
  });

  test("and checks only the length if the list is too long", () => {
    let looked = 0;
    const item = z.custom(() => {
      looked += 1;
      return true;
    });
    const { issues } = check(z.object({ items: z.array(item).max(1_000) }), { items: Array(1_001).fill(0) });
    expect(issues).toMatchObject([{ path: ["items"], message: "must have at most 1000 items, not 1001" }]);
    expect(looked).toBe(0);
  });

  test.each([
    ["PUT /data/{service}/{collection}", "[", "]", /^body\[0\] must be an object, .* … and 199979 items not/],
    [
      "PATCH /data/{service}/{collection}",
      '{"upsert":[',
      "]}",
      /^upsert\[0\] must be .* … and 199979 items not/,
    ],
    [
      "PATCH /data/{service}/{collection}",
      '{"remove":[',
      "]}",
      /^remove\[0\] must be .* … and 199979 items not/,
    ],
  ])("%s %s", async (line, start, end, detail) => {
    await using sandbox = await frozenSandbox();
    await expectRefused(sandbox, line, `${start}${"0,".repeat(199_998)}0${end}`, detail);
  });

  test.each([
    [
      "PUT /scenario",
      '{"version":1,"rules":[',
      '{"then":{"pass":true}}',
      "]}",
      /^A scenario has at most 1000 rules\./,
    ],
    [
      "PUT /scenario",
      '{"version":1,"data":{"museum":{"specialEvents":{"upsert":[',
      "0",
      "]}}}}",
      /There may be more errors. Fix these first\.$/,
    ],
    [
      "PUT /scenario",
      '{"version":1,"data":{"museum":{"specialEvents":{"remove":[',
      "0",
      "]}}}}",
      /There may be more errors. Fix these first\.$/,
    ],
    ["PUT /scenario", '{"version":1,"extends":[', "0", "]}", /There may be more errors. Fix these first\.$/],
    ["POST /rules", '{"then":{"sequence":[', "0", "]}}", /There may be more errors. Fix these first\.$/],
  ])("%s %s%s", async (line, start, item, end, detail) => {
    await using sandbox = await frozenSandbox();
    await expectRefused(sandbox, line, filled(start, item, end, item.length * 2_000), detail);
  });

  test("in the body of a service, too", async ({ sandbox }) => {
    const body = { name: "a", location: "b", eventDescription: "c", price: 1, dates: Array(49_000).fill(0) };
    const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
    const line = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await sandbox.fetch("/museum/v1.1/special-events", line);
    const text = await response.text();
    expect([response.status, text.length < 2_048]).toEqual([400, true]);
    expect(JSON.parse(text).title).toMatch(/^dates\[0\] must be .* … and 48980 items not checked\.$/);
    expect(sandbox.journal.last?.status).toBe(400);
  });

  test("and of many unknown fields, only twenty are reported", async ({ sandbox }) => {
    const headers = { ...sandbox.auth.basic(), "content-type": "application/json" };
    const line = { method: "POST", headers, body: `{${members(5_000)}}` };
    const { status } = await sandbox.fetch("/museum/v1.1/special-events", line);
    expect([status, sandbox.journal.last?.findings.length]).toEqual([400, 20]);
    const body = `{${members(5_000)}}`;
    await expectRefused(sandbox, "POST /worlds", body, /^Unknown field "k0"\. .* … and 4980 more\.$/);
  });
});
