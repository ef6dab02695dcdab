// A world is one JSON value: taken at any moment and put back, here or elsewhere, it goes on as if nothing had happened.

import { describe, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { createSandbox, Sandbox } from "../../src/open/create-sandbox.ts";

const frozen = { clock: "2026-03-01T09:00:00Z", seed: 7 };
const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 1,
};
const LIST = { operation: "museum.listSpecialEvents" };

/** As it comes over the wire. */
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe("a record", () => {
  test("is plain JSON with the bytes of the journal, the skipped rules, and a summary of dropped exchanges", async () => {
    await using sandbox = await createSandbox(frozen);
    sandbox.use({ id: "never", when: { ...LIST, query: { page: 9 } }, then: { pass: true } });
    await sandbox.museum.listSpecialEvents({ query: { page: 0 } });
    await sandbox.museum.listSpecialEvents();
    for (let sent = 3; sent < 1_001; sent += 1) await sandbox.museum.listSpecialEvents();
    const [ticket] = sandbox.data.museum.tickets.all();
    await sandbox.museum.getTicketCode({ params: { ticketId: ticket?.ticketId ?? "" } });
    const record = sandbox.record();
    for (const one of record.journal.exchanges) expect(Object.values(one)).not.toContain(undefined);
    expect(record.journal.evicted).toEqual([
      {
        kind: {
          seq: 1,
          world: "main",
          at: Date.parse(frozen.clock),
          method: "GET",
          path: "/special-events",
          search: "",
          base: "",
          origin: "",
          headers: {},
          params: {},
          query: {},
          responseHeaders: {},
          service: "museum",
          environment: "museum",
          operation: "museum.listSpecialEvents",
          status: 400,
          problem: "invalidInput",
          rules: [],
          findings: [],
          changes: [],
        },
        count: 1,
        lastSeq: 1,
      },
    ]);
    await using other = await Sandbox.from(copyOf(record));
    expect(other.journal.list()).toEqual(sandbox.journal.list());
    expect(other.journal.list()[0]?.rules).toMatchObject([{ rule: "never", outcome: "skipped" }]);
    expect(other.journal.last?.responseBody).toMatch(/^\[binary \d+ bytes, #[0-9a-f]{8}]$/);
    const headers = Object.keys(other.journal.last?.responseHeaders ?? {});
    expect(headers).toEqual(headers.toSorted());
    for (const one of [sandbox, other]) {
      expect(await one.journal.verify({ status: 400 })).toMatchObject({ ok: false, evicted: 1 });
      expect(await one.journal.verify({ status: 500, times: 0 })).toMatchObject({ ok: true, evicted: 0 });
    }
  });

  test("keeps data, ids, clock, rules with their counts, mailbox, journal, snapshots and start", async () => {
    await using sandbox = await createSandbox({ ...frozen, scenario: "presale-nearly-used-up" });
    sandbox.use({ id: "twice", when: LIST, limit: { times: 2 }, then: { respond: { status: 503 } } });
    await sandbox.museum.listSpecialEvents();
    const before = sandbox.snapshot("before");
    const created = await sandbox.museum.createSpecialEvent({ body: EVENT });
    await sandbox.usage.record({ sent: 100, received: 0 });
    await sandbox.clock.advance("1h");
    await using other = await Sandbox.from(copyOf(sandbox.record()));

    expect(other.state()).toEqual(sandbox.state());
    expect(other.rules.list()).toEqual(sandbox.rules.list());
    expect(other.mailbox.messages()).toEqual(sandbox.mailbox.messages());
    expect(other.mailbox.messages()).not.toEqual([]);
    expect(other.journal.list()).toEqual(sandbox.journal.list());
    expect(copyOf(other.record())).toEqual(copyOf(sandbox.record()));
    for (const one of [sandbox, other]) {
      expect((await one.museum.listSpecialEvents()).status).toBe(503);
      expect((await one.museum.listSpecialEvents()).status).toBe(200);
      const next = await one.museum.createSpecialEvent({ body: EVENT });
      expect(next).not.toEqual(created);
    }
    expect(other.data.museum.specialEvents.all()).toEqual(sandbox.data.museum.specialEvents.all());
    other.restore("before");
    sandbox.restore(before);
    expect(other.state()).toEqual(sandbox.state());
    other.reset();
    sandbox.reset();
    expect(other.state()).toEqual(sandbox.state());
    expect(other.core.ruleSet.scenario.name).toBe("presale-nearly-used-up");
  });

  test("contains the login window, and its tokens are valid only in a world of the same name", async () => {
    await using sandbox = await createSandbox(frozen);
    const headers = await sandbox.auth.login();
    const record = copyOf(sandbox.record());
    await using same = await Sandbox.from(record);
    await expect(same.auth.login()).rejects.toThrow(/429/);
    expect((await same.account.getUser({ params: { id: "me" }, headers })).status).toBe(200);
    const elsewhere = same.worlds.put("elsewhere", { record });
    expect((await elsewhere.account.getUser({ params: { id: "me" }, headers })).status).toBe(401);
    expect((await elsewhere.account.getUser({ params: { id: "me" } })).status).toBe(200);
  });

  test("has each version of a collection only once, even if the start, the snapshots and the present share it", async () => {
    await using sandbox = await createSandbox(frozen);
    for (const name of ["one", "two", "three"]) sandbox.snapshot(name);
    const { versions, start, present, snapshots } = sandbox.record();
    expect(Object.keys(versions)).toEqual(Object.values(start.collections));
    expect(present.collections).toEqual(start.collections);
    expect(snapshots.map(({ collections }) => collections)).toEqual([1, 2, 3].map(() => start.collections));
  });

  test("a secret in a body can be queried in a restored world, but not read", async () => {
    await using sandbox = await createSandbox(frozen);
    await sandbox.auth.login();
    await using other = await Sandbox.from(copyOf(sandbox.record()));
    const password = "Vitrine!2026";
    expect(JSON.stringify(other.journal.list())).not.toContain(password);
    expect(await other.journal.verify({ body: { password }, times: 1 })).toMatchObject({ ok: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: each change breaks a part that the type protects
  test.for<[change: (record: any) => unknown, pointer: string, message: string]>([
    [(record) => (record.format = "vitrine-world-1"), "/format", 'format must be "vitrine-world"'],
    [(record) => (record.version = 1), "/version", "has version 1; this vitrine reads version 2."],
    [(record) => delete record.digest, "/digest", "was changed after it was taken"],
    [(record) => delete record.present, "/digest", "was changed after it was taken"],
    [(record) => (record.versions["1"][0][2].price = 0), "/digest", "was changed after it was taken"],
    [(record) => record.present.rules.added.pop(), "/digest", "was changed after it was taken"],
    [(record) => (record.journal.exchanges = [{}]), "/digest", "was changed after it was taken"],
  ])("with a change is rejected with the position of the error: %s", async ([change, pointer, message]) => {
    await using sandbox = await createSandbox(frozen);
    sandbox.use({ when: LIST, then: { pass: true } });
    const record = copyOf(sandbox.record());
    change(record);
    await expect(Sandbox.from(record)).rejects.toMatchObject({
      code: "badRecord",
      message: expect.stringContaining(message),
      place: { pointer },
    });
    const { digest } = sandbox.state();
    expect(() => sandbox.worlds.put("other", { record })).toThrow(
      expect.objectContaining({ place: { pointer: `/record${pointer}` } }),
    );
    expect([sandbox.worlds.list().length, sandbox.state().digest]).toEqual([1, digest]);
  });

  test("with its members in another order is the same record", async () => {
    await using sandbox = await createSandbox(frozen);
    const reversed = Object.fromEntries(Object.entries(copyOf(sandbox.record())).reverse());
    await using other = await Sandbox.from(reversed as never);
    expect(other.state()).toEqual(sandbox.state());
  });

  test("keeps the title of the scenario, the origin and the state of each rule, and up to a thousand rules", async () => {
    const rules = Array.from({ length: 999 }, (_, index) => ({
      id: `r${index}`,
      when: LIST,
      then: { pass: true },
    }));
    await using sandbox = await createSandbox({
      ...frozen,
      scenario: { version: 1, title: "Many", rules } as never,
    });
    sandbox.use({
      id: "off",
      when: LIST,
      limit: { per: "user", times: 1 },
      then: { respond: { status: 503 } },
    });
    await sandbox.museum.listSpecialEvents();
    sandbox.rules.update("off", { enabled: false });
    await using other = await Sandbox.from(copyOf(sandbox.record()));
    expect(other.currentScenario()).toEqual(sandbox.currentScenario());
    expect(other.currentScenario()).toMatchObject({ title: "Many" });
    expect(other.rules.list()).toEqual(sandbox.rules.list());
    expect(other.rules.list().slice(0, 2)).toMatchObject([
      { id: "off", enabled: false, origin: "run time", matched: 1, acted: 1 },
      { id: "r0", enabled: true, origin: "scenario" },
    ]);
    other.rules.update("off", { enabled: true });
    expect((await other.museum.listSpecialEvents()).status, "it has acted for this user").toBe(200);
  });

  test("excludes options that it contains itself, such as seed", async () => {
    await using sandbox = await createSandbox(frozen);
    const record = sandbox.record();
    await expect(createSandbox({ record, seed: 1 })).rejects.toThrow(
      "seed is not allowed together with record, which has its own.",
    );
  });
});

describe("over HTTP", () => {
  async function served() {
    const sandbox = await createSandbox(frozen);
    const { url } = await sandbox.listen({ port: 0 });
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${url}/_vitrine${path}`, {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    return { sandbox, url, call };
  }

  test("a world is created under a name, from another world or from a record", async () => {
    const { sandbox, url, call } = await served();
    sandbox.use({ id: "busy", when: LIST, then: { respond: { status: 503 } } });
    expect(await call("PUT", "/worlds/copy", { from: "main" })).toMatchObject({
      status: 201,
      body: { id: "copy" },
    });
    expect(await call("PUT", "/worlds/copy", { from: "main" })).toMatchObject({ status: 409 });
    const record = await connect(url).record();
    expect(await call("PUT", "/worlds/kept", { record })).toMatchObject({
      status: 201,
      body: { id: "kept" },
    });
    const kept = connect(url, { world: "kept" });
    expect((await kept.museum.listSpecialEvents()).status).toBe(503);
    expect(await kept.rules.list()).toMatchObject([{ id: "busy", acted: 1 }]);
    for (const [body, told] of [
      [{}, 'Give either "from"'],
      [{ from: "nowhere" }, 'No world "nowhere"'],
      [{ record: { format: "x" } }, "Not a record of a world: format must be"],
    ] as const)
      expect((await call("PUT", "/worlds/new", body)).body.detail).toContain(told);
    await sandbox.close();
  });

  test("a record replaces a changed world, even the main one, and waiting requests get a 503", async () => {
    const { sandbox, url, call } = await served();
    const { body: record } = await call("GET", "/record");
    await sandbox.museum.createSpecialEvent({ body: EVENT });
    sandbox.use({ when: LIST, then: { hold: "slow" } });
    const waiting = sandbox.museum.listSpecialEvents();
    await sandbox.gates.arrived("slow");
    const undone = await call("PUT", "/worlds/main?replace=true", { record });
    expect(undone).toMatchObject({
      status: 201,
      body: { id: "main", urls: { museum: `${url}/museum/v1.1` } },
    });
    expect((await waiting).status).toBe(503);
    expect(sandbox.rules.list()).toEqual([]);
    expect(sandbox.journal.list().map(({ seq }) => seq)).toEqual([]);
    expect(sandbox.record().present).toEqual(record.present);
    await sandbox.close();
  });
});
