// Changes of a true reply.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { mutate } from "../../src/rules/mutation.ts";

describe("a mutation", () => {
  test.each<[mutations: readonly string[], reply: unknown, expected: unknown]>([
    [["drop:/a"], { a: 1, b: 2 }, { b: 2 }],
    [["drop:/a"], [{ a: 1 }, { a: 2, b: 3 }], [{}, { b: 3 }]],
    [["drop:/0"], [1, 2], [2]],
    [["long:/a/1"], { a: [1, 2] }, { a: [1, "long ".repeat(2_000)] }],
    [["null:/a/b"], { a: { b: 1 } }, { a: { b: null } }],
    [["enum:/a"], { a: "x" }, { a: "NOT_A_KNOWN_VALUE" }],
    [["extra"], { a: 1 }, { a: 1, unexpectedField: { added: "by the sandbox" } }],
    [["empty"], { a: 1 }, {}],
    [["empty"], [1], []],
    [["drop:/a~1b", "drop:/c~0d"], { "a/b": 1, "c~d": 2 }, {}],
  ])("%j of %j", (mutations, reply, expected) => {
    const before = structuredClone(reply);
    expect(mutate(reply, mutations)).toEqual({ value: expected });
    expect(reply).toEqual(before);
  });

  test.each<[mutations: readonly string[], reply: unknown, missed: string]>([
    [["drop:/x"], { a: 1 }, "the response has no /x"],
    [["drop:/a/b"], { a: 1 }, "the response has no /a/b"],
    ...["", "01", "+1", "1e0", "-1", "-", "length", "2"].map((index): [string[], unknown, string] => [
      [`null:/a/${index}`],
      { a: [1, 2] },
      `the response has no /a/${index}`,
    ]),
    [["extra"], "text", "the response is not an object"],
    [["null:/__proto__"], {}, "the response has no /__proto__"],
  ])("%j cannot be applied to %j", (mutations, reply, missed) => {
    expect(mutate(reply, mutations)).toEqual({ missed });
  });
});

describe("a rule that mutates", () => {
  test("changes what the client reads, and nothing that is stored", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const [event] = sandbox.data.museum.specialEvents.all();
    const params = { eventId: event?.eventId ?? "" };
    sandbox.use({
      when: { operation: "museum.getSpecialEvent" },
      limit: { times: 1 },
      then: { mutate: ["null:/price", "drop:/name"] },
    });
    const { name: _name, ...rest } = { ...event, price: null };
    expect((await sandbox.museum.getSpecialEvent({ params })).body).toEqual(rest);
    expect((await sandbox.museum.getSpecialEvent({ params })).body).toEqual(event);
  });

  test("does not change a redirect", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const id = sandbox.use({ when: { path: "/pre-sales/" }, at: "response", then: { mutate: "extra" } });
    const { status } = await sandbox.fetch("/account/pre-sales/", { redirect: "manual" });
    expect(status).toBe(301);
    expect(sandbox.journal.last).toMatchObject({
      findings: [],
      rules: [{ rule: id, outcome: "skipped", why: "there is no successful response to change" }],
    });
  });

  test("does not change errors and empty responses, and journal and report say why", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const [event] = sandbox.data.museum.specialEvents.all();
    const id = sandbox.use({ when: { operation: "museum.*" }, then: { mutate: "drop:/name" } });
    const missing = await sandbox.museum.getSpecialEvent({
      params: { eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11" },
    });
    expect(missing.body).toEqual({
      type: "urn:museum:problem:eventNotFound",
      title: "There is no such special event.",
    });
    expect(sandbox.journal.last?.rules).toEqual([
      { rule: id, outcome: "skipped", why: "there is no successful response to change" },
    ]);
    expect(
      (await sandbox.museum.deleteSpecialEvent({ params: { eventId: event?.eventId ?? "" } })).status,
    ).toBe(204);
    expect(sandbox.journal.last?.findings).toMatchObject([{ key: "mutationMissed" }]);
    expect(sandbox.report().warnings).toEqual([
      `#2 DELETE /special-events/${event?.eventId}: The mutation has no effect: the body is not JSON.`,
    ]);
  });
});
