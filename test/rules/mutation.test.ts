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
    ...["", "01", "+1", "1e0", "0x1", "-1", "length"].map((index): [Mutation[], unknown, string] => [
      [{ op: "add", path: `/a/${index}`, value: 1 }],
      { a: [1, 2] },
      `the reply has no place /a/${index}`,
    ]),
    [[{ op: "remove", path: "/a/-" }], { a: [1] }, "the reply has no /a/-"],
    [[{ op: "replace", path: "/a/length", value: 0 }], { a: [1] }, "the reply has no /a/length"],
    [[{ op: "copy", from: "/a/0", path: "/a/3" }], { a: [1] }, "the reply has no place /a/3"],
    [[{ op: "move", from: "/a", path: "/a/b" }], { a: { b: 1 } }, "the reply has no /a"],
    [[{ op: "test", path: "/b", value: null }], { a: 1 }, "/b is not what the patch tests for"],
    [["extra"], "text", "the reply is not an object"],
    [["drop:/constructor"], {}, "the reply has no /constructor"],
  ])("%j finds no hold in %j", (mutations, reply, missed) => {
    expect(mutate(reply, mutations)).toEqual({ missed });
  });

  // The examples of RFC 6902, appendix A, by their number.
  test.each<[example: string, document: unknown, patch: readonly Mutation[], expected: unknown]>([
    ["1", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
    [
      "2",
      { foo: ["bar", "baz"] },
      [{ op: "add", path: "/foo/1", value: "qux" }],
      { foo: ["bar", "qux", "baz"] },
    ],
    ["3", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
    ["4", { foo: ["bar", "qux", "baz"] }, [{ op: "remove", path: "/foo/1" }], { foo: ["bar", "baz"] }],
    [
      "5",
      { baz: "qux", foo: "bar" },
      [{ op: "replace", path: "/baz", value: "boo" }],
      { baz: "boo", foo: "bar" },
    ],
    [
      "6",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
    ],
    [
      "7",
      { foo: ["all", "grass", "cows", "eat"] },
      [{ op: "move", from: "/foo/1", path: "/foo/3" }],
      { foo: ["all", "cows", "eat", "grass"] },
    ],
    [
      "8",
      { baz: "qux", foo: ["a", 2, "c"] },
      [
        { op: "test", path: "/baz", value: "qux" },
        { op: "test", path: "/foo/1", value: 2 },
      ],
      { baz: "qux", foo: ["a", 2, "c"] },
    ],
    ["10", { foo: "bar" }, [{ op: "add", path: "/child", value: { a: 1 } }], { foo: "bar", child: { a: 1 } }],
    ["14", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
    ["16", { foo: ["bar"] }, [{ op: "add", path: "/foo/-", value: ["abc"] }], { foo: ["bar", ["abc"]] }],
  ])("does example %s of the standard", (_example, document, patch, expected) => {
    expect(mutate(document, patch)).toEqual({ value: expected });
  });

  test("tests for equal members in any order, and for nothing less than all of them", () => {
    const value = { b: [1, { x: 1, y: 2 }], a: null };
    const is = (wanted: unknown) =>
      "value" in mutate({ value }, [{ op: "test", path: "/value", value: wanted as never }]);
    expect(is({ a: null, b: [1, { y: 2, x: 1 }] })).toBe(true);
    expect([is({ b: value.b }), is({ ...value, c: 1 }), is({ a: null, b: [{ x: 1, y: 2 }, 1] })]).toEqual([
      false,
      false,
      false,
    ]);
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

  test("takes the whole of a reply away, or puts another in its place", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const read = async (patch: "remove" | "replace") => {
      const mutate = [
        patch === "remove" ? { op: patch, path: "" } : { op: patch, path: "", value: [1] },
      ] as const;
      const when = { operation: "museum.getMuseumHours" } as const;
      sandbox.use({ when, limit: { times: 1 }, then: { mutate } });
      const headers = sandbox.auth.basic();
      const reply = await sandbox.fetch(`${sandbox.urls.museum}/museum-hours`, { headers });
      return [reply.status, await reply.text(), reply.headers.get("content-length")];
    };
    expect(await read("remove")).toEqual([200, "", "0"]);
    expect(await read("replace")).toEqual([200, "[1]", "3"]);
  });

  test("leaves a redirect alone: it is no reply to change", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const id = sandbox.use({ when: { path: "/pre-sales/" }, at: "response", then: { mutate: "extra" } });
    const { status } = await sandbox.fetch("/account/pre-sales/", { redirect: "manual" });
    expect(status).toBe(301);
    expect(sandbox.journal.last).toMatchObject({
      findings: [],
      rules: [{ rule: id, outcome: "skipped", why: "there is no successful reply to change" }],
    });
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
