// Changes of a true reply.

import { describe, expect, test } from "vitest";
import { type Mutation, mutate } from "../../src/rules/mutation.ts";
import { createSandbox } from "../../src/vitrine.ts";

describe("a mutation", () => {
  test.each<[mutations: readonly Mutation[], reply: unknown, expected: unknown]>([
    [["drop:/a"], { a: 1, b: 2 }, { b: 2 }],
    [["drop:/a"], [{ a: 1 }, { a: 2, b: 3 }], [{}, { b: 3 }]],
    [["drop:/0"], [1, 2], [2]],
    [["null:/a/b"], { a: { b: 1 } }, { a: { b: null } }],
    [["enum:/a"], { a: "x" }, { a: "NOT_A_KNOWN_VALUE" }],
    [["extra"], { a: 1 }, { a: 1, unexpectedField: { added: "by the sandbox" } }],
    [["empty"], { a: 1 }, {}],
    [["empty"], [1], []],
    [["drop:/a~1b", "drop:/c~0d"], { "a/b": 1, "c~d": 2 }, {}],
    [[{ op: "add", path: "/a/1", value: 9 }], { a: [1, 2] }, { a: [1, 9, 2] }],
    [[{ op: "add", path: "/a/-", value: 9 }], { a: [1] }, { a: [1, 9] }],
    [[{ op: "replace", path: "", value: 1 }], { a: 1 }, 1],
    [[{ op: "replace", path: "/a/0", value: 9 }], { a: [1, 2] }, { a: [9, 2] }],
    [[{ op: "remove", path: "/a/0" }], { a: [1, 2] }, { a: [2] }],
    [[{ op: "move", from: "/a", path: "/b" }], { a: 1 }, { b: 1 }],
    [[{ op: "copy", from: "/a", path: "/b" }], { a: [1] }, { a: [1], b: [1] }],
    [[{ op: "test", path: "/a", value: 1 }, "drop:/a"], { a: 1 }, {}],
  ])("%j of %j", (mutations, reply, expected) => {
    const before = structuredClone(reply);
    expect(mutate(reply, mutations)).toEqual({ value: expected });
    expect(reply).toEqual(before);
  });

  test.each<[mutations: readonly Mutation[], reply: unknown, missed: string]>([
    [["drop:/x"], { a: 1 }, "the reply has no /x"],
    [[{ op: "replace", path: "/a/5", value: 1 }], { a: [] }, "the reply has no /a/5"],
    [[{ op: "add", path: "/a/9", value: 1 }], { a: [] }, "the reply has no place /a/9"],
    [[{ op: "add", path: "/a/b", value: 1 }], { a: 1 }, "the reply has no place /a/b"],
    [[{ op: "test", path: "/a", value: 2 }], { a: 1 }, "/a is not what the patch tests for"],
    [["extra"], "text", "the reply is not an object"],
    [["drop:/constructor"], {}, "the reply has no /constructor"],
  ])("%j finds no hold in %j", (mutations, reply, missed) => {
    expect(mutate(reply, mutations)).toEqual({ missed });
  });

  test("cannot reach a prototype", () => {
    mutate({}, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
    expect({}).not.toHaveProperty("polluted");
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

  test("replaces an item of a list in the reply, and in the store the list stays as it was", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const event = sandbox.data.museum.specialEvents.all().find(({ dates }) => dates.length > 1);
    const params = { eventId: event?.eventId ?? "" };
    const patch = [{ op: "replace" as const, path: "/dates/0", value: "2030-01-01" }];
    sandbox.use({ when: { operation: "museum.getSpecialEvent" }, then: { mutate: patch } });
    const { body } = await sandbox.museum.getSpecialEvent({ params });
    expect(body).toEqual({ ...event, dates: ["2030-01-01", ...(event?.dates ?? []).slice(1)] });
    expect(sandbox.data.museum.specialEvents.get(params.eventId)).toEqual(event);
  });

  test("leaves refusals and empty replies alone, and journal and report say what it missed", async () => {
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
      { rule: id, outcome: "skipped", why: "there is no successful reply to change" },
    ]);
    expect(
      (await sandbox.museum.deleteSpecialEvent({ params: { eventId: event?.eventId ?? "" } })).status,
    ).toBe(204);
    expect(sandbox.journal.last?.findings).toMatchObject([{ key: "mutationMissed" }]);
    expect(sandbox.report().warnings).toEqual([
      `#2 DELETE /special-events/${event?.eventId}: The reply was left as it is: the reply is not JSON.`,
    ]);
  });
});
