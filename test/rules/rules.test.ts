// Rules of misbehaviour as a client meets them.

import { describe, expect, test } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import { atOnce } from "../support/test.ts";

const CLOCK = "2026-03-02T09:00:00Z";
const HOURS = { operation: "museum.getMuseumHours" } as const;
const CREATE = { operation: "museum.createSpecialEvent" } as const;
const EVENT = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark.",
  dates: ["2026-03-31"],
  price: 12.5,
};
const open = (options: SandboxOptions = {}) => createSandbox({ clock: CLOCK, ...options });
type Sandbox = Awaited<ReturnType<typeof open>>;
const hours = async (sandbox: Sandbox) => (await sandbox.museum.getMuseumHours()).status;
const respond = <S extends number>(status: S) => ({ respond: { status } });

describe("a rule", () => {
  test("responds with the problem in place of the operation, and has no effect after its limit", async () => {
    await using sandbox = await open();
    const before = sandbox.data.museum.specialEvents.all().length;
    const id = sandbox.use({
      when: CREATE,
      limit: { times: 2 },
      then: { problem: "invalidInput", title: "price is too high." },
    });
    const refused = await sandbox.museum.createSpecialEvent({ body: EVENT });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ type: "urn:museum:problem:invalidInput", title: "price is too high." });
    expect((await sandbox.museum.createSpecialEvent({ body: EVENT })).status).toBe(400);
    expect((await sandbox.museum.createSpecialEvent({ body: EVENT })).status).toBe(201);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(before + 1);
    expect(sandbox.journal.list().map(({ rules }) => rules)).toEqual([
      [{ rule: id, outcome: "applied", why: "match 1" }],
      [{ rule: id, outcome: "applied", why: "match 2" }],
      [{ rule: id, outcome: "skipped", why: "used up after 2" }],
    ]);
  });

  test("applies only to later requests: a fetch in the same tick was already open", async () => {
    await using sandbox = await open();
    const before = hours(sandbox);
    sandbox.use({ when: HOURS, then: { ...respond(418), undocumented: true } });
    expect([await before, await hours(sandbox)]).toEqual([200, 418]);
    expect(sandbox.journal.list().map(({ status }) => status)).toEqual([200, 418]);
  });

  test("at response loses the response but not the work: the retry creates a second event", async () => {
    await using sandbox = await open();
    const before = sandbox.data.museum.specialEvents.all().length;
    sandbox.use({ when: CREATE, limit: { times: 1 }, at: "response", then: { fault: "reset" } });
    const create = () => sandbox.museum.createSpecialEvent({ body: EVENT });
    await expect(create()).rejects.toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { code: "ECONNRESET" },
    });
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(before + 1);
    expect((await create()).status).toBe(201);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(before + 2);
    const [lost, kept] = sandbox.journal.list(CREATE);
    expect(lost).toMatchObject({ fault: "reset", made: 201 });
    expect(lost).not.toHaveProperty("status");
    expect(lost?.changes).toHaveLength(1);
    expect(kept).toMatchObject({ status: 201 });
    expect(kept?.fault).toBeUndefined();
  });

  test("with a problem at response returns the problem although the work is done", async () => {
    await using sandbox = await open();
    const before = sandbox.data.museum.specialEvents.all().length;
    sandbox.use({ when: CREATE, at: "response", then: { problem: "invalidInput" } });
    expect((await sandbox.museum.createSpecialEvent({ body: EVENT })).status).toBe(400);
    expect(sandbox.data.museum.specialEvents.all()).toHaveLength(before + 1);
  });

  test("at edge responds before the credentials are checked", async () => {
    await using sandbox = await open();
    sandbox.use({ when: HOURS, at: "edge", then: respond(503) });
    const reply = await sandbox.fetch(`${sandbox.urls["museum"]}/museum-hours`);
    expect(reply.status).toBe(503);
    expect(sandbox.journal.last).toMatchObject({ findings: [{ key: "undocumentedReply" }] });
  });

  test("for a method and a path responds even if there is no such operation", async () => {
    await using sandbox = await open();
    sandbox.use({
      at: "edge",
      when: { method: "POST", path: "/exhibits/*" },
      then: {
        respond: { status: 202, headers: { "x-queue": "7" }, body: { queued: true } },
        undocumented: true,
      },
    });
    const reply = await sandbox.fetch(`${sandbox.urls["museum"]}/exhibits/12`, { method: "POST" });
    expect([reply.status, reply.headers.get("x-queue"), await reply.json()]).toEqual([
      202,
      "7",
      { queued: true },
    ]);
    expect((await sandbox.fetch(`${sandbox.urls["museum"]}/exhibits`, { method: "POST" })).status).toBe(404);
  });

  test("leaves the control API alone, whatever it is for", async () => {
    await using sandbox = await open();
    sandbox.use({ at: "edge", then: respond(503) });
    expect((await sandbox.fetch("/_vitrine/ready")).status).toBe(200);
    expect(await hours(sandbox)).toBe(503);
  });

  test("that moves the clock moves it before the work", async () => {
    await using sandbox = await open();
    sandbox.use({ when: HOURS, then: { advance: "3d" } });
    expect(await hours(sandbox)).toBe(200);
    expect(new Date(sandbox.clock.now()).toISOString()).toBe("2026-03-05T09:00:00.000Z");
  });
});

describe("a rule without at that only delays", () => {
  const LIST = { operation: "museum.listSpecialEvents" };

  test("and counts per user runs after the credentials check, which names the user", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "once", when: LIST, limit: { per: "user", times: 1 }, then: { delay: "0ms" } });
    for (const user of ["ada", "ada", "bob", "bob"])
      await sandbox.museum.listSpecialEvents({ headers: sandbox.auth.basic(user) });
    expect(sandbox.rules.list()).toMatchObject([{ id: "once", at: "handler", acted: 2 }]);
  });

  test("and has a query condition runs after the credentials check, and one without it runs before", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "second", when: { ...LIST, query: { page: 2 } }, then: { delay: "0ms" } });
    sandbox.use({ id: "every", when: LIST, then: { delay: "0ms" } });
    await sandbox.fetch("/museum/v1.1/special-events?page=2"); // 401
    await sandbox.museum.listSpecialEvents({ query: { page: 2 } });
    expect(sandbox.rules.list()).toMatchObject([
      { id: "every", at: "edge", acted: 2 },
      { id: "second", at: "handler", acted: 1 },
    ]);
  });
});

describe("of several rules", () => {
  test("the newest that was added answers, then the older ones, then the scenario's", async () => {
    await using sandbox = await createSandbox({
      clock: CLOCK,
      scenario: { version: 1, rules: [{ id: "file", when: HOURS, then: respond(500) }] },
    });
    sandbox.use({ id: "older", when: HOURS, limit: { times: 1 }, then: respond(502) });
    sandbox.use({ id: "newer", when: HOURS, limit: { times: 1 }, then: respond(503) });
    expect([await hours(sandbox), await hours(sandbox), await hours(sandbox)]).toEqual([503, 502, 500]);
    expect(sandbox.rules.list().map(({ id, acted }) => [id, acted])).toEqual([
      ["newer", 1],
      ["older", 1],
      ["file", 1],
    ]);
    expect(sandbox.core.ruleSet.unused()).toEqual([]);
  });

  test("a pass rule protects the service from the rules after it", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "outage", at: "edge", when: HOURS, then: { fault: "reset" } });
    sandbox.use({ id: "but-ada", when: { ...HOURS, headers: { "x-who": "ada" } }, then: { pass: true } });
    const ada = await sandbox.museum.getMuseumHours({ headers: { "x-who": "ada" } });
    expect(ada.status).toBe(200);
    await expect(sandbox.museum.getMuseumHours()).rejects.toThrow("fetch failed");
  });

  test("a pass rule affects only the rules after it: a newer rule can still respond when the work is done", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "slow", when: HOURS, at: "response", then: { advance: "1h" } });
    sandbox.use({ id: "shield", when: HOURS, then: { pass: true } });
    sandbox.use({ id: "broken", when: HOURS, at: "response", limit: { times: 1 }, then: respond(500) });
    expect([await hours(sandbox), await hours(sandbox)]).toEqual([500, 200]);
    expect(sandbox.journal.last?.rules).toEqual([
      { rule: "shield", outcome: "applied", why: "match 2" },
      { rule: "broken", outcome: "skipped", why: "used up after 1" },
      { rule: "slow", outcome: "skipped", why: "an earlier rule lets the service respond" },
    ]);
  });

  test("a pass rule is skipped if another rule has already responded", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "shield", at: "response", when: HOURS, then: { pass: true } });
    sandbox.use({ id: "broken", when: HOURS, then: respond(500) });
    expect(await hours(sandbox)).toBe(500);
    expect(sandbox.journal.last?.rules).toEqual([
      { rule: "broken", outcome: "applied", why: "match 1" },
      { rule: "shield", outcome: "skipped", why: "another rule has responded" },
    ]);
  });

  test("the first rule that responds wins over rules at a later phase of the request", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "late", at: "response", when: HOURS, then: respond(500) });
    sandbox.use({ id: "early", when: HOURS, then: respond(503) });
    expect(await hours(sandbox)).toBe(503);
    expect(sandbox.journal.last?.rules.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ["early", "applied"],
      ["late", "skipped"],
    ]);
  });

  test("an id can be there once, and a rule can be taken out again", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "one", when: HOURS, then: respond(503) });
    expect(() => sandbox.use({ id: "one", then: { pass: true } })).toThrow(
      'A rule with id "one" already exists.',
    );
    expect(() => sandbox.rules.remove("onne")).toThrow('Unknown rule "onne". Did you mean "one"?');
    sandbox.rules.remove("one");
    expect(await hours(sandbox)).toBe(200);
    expect(() => sandbox.use({ when: { operation: "museum.getMuseumHour" }, then: { pass: true } })).toThrow(
      'Did you mean "museum.getMuseumHours"?',
    );
  });
});

describe("a scenario that is loaded while rules exist", () => {
  const rules = (...ids: readonly string[]) => ({
    version: 1,
    clock: { at: "2030-01-01" },
    rules: ids.map((id) => ({ id, when: HOURS, then: respond(503) })),
  });

  test("may not reuse the id of an existing rule, and changes nothing in this case", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "outage", when: HOURS, limit: { times: 1 }, then: respond(502) });
    await expect(sandbox.scenario(rules("slow", "outage"))).rejects.toThrow(
      'A rule with id "outage" already exists. Remove it or reset.',
    );
    expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["outage"]);
    expect(new Date(sandbox.clock.now()).toISOString()).toBe("2026-03-02T09:00:00.000Z");
    sandbox.rules.remove("outage");
    await sandbox.scenario(rules("slow", "outage"));
    await sandbox.scenario(rules("outage"));
    expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["outage"]);
  });

  test("does not take the ids that vitrine gives to rules without an id", async () => {
    await using sandbox = await open();
    await sandbox.scenario(rules("use-1"));
    expect(sandbox.use({ when: HOURS, then: respond(502) })).toBe("use-2");
    expect(await hours(sandbox)).toBe(502);
  });

  test("may add rules up to the limit of 1,000 in a world", async () => {
    await using sandbox = await open();
    const many = Array.from({ length: 1_000 }, (_, index) => `r${index}`);
    sandbox.use({ when: HOURS, then: respond(502) });
    await expect(sandbox.scenario(rules(...many))).rejects.toThrow("A world has at most 1000 rules.");
    expect(sandbox.rules.list()).toHaveLength(1);
    await sandbox.scenario(rules(...many.slice(1)));
    expect(() => sandbox.use({ then: { pass: true } })).toThrow("A world has at most 1000 rules.");
    expect(sandbox.rules.list()).toHaveLength(1_000);
  });
});

test("a scenario that is loaded again counts from the start, and so do its rules in the list", async () => {
  await using sandbox = await open();
  const once = { version: 1, rules: [{ id: "once", when: HOURS, limit: { times: 1 }, then: respond(503) }] };
  const met: number[] = [];
  for (const _ of [1, 2]) {
    await sandbox.scenario(once);
    met.push(await hours(sandbox), await hours(sandbox));
  }
  expect(met).toEqual([503, 200, 503, 200]);
  expect(sandbox.rules.list()).toMatchObject([{ id: "once", matched: 1, acted: 1 }]);
});

describe("a sequence", () => {
  test("that has ended has no effect, and the journal says why", async () => {
    await using sandbox = await open();
    const rule = sandbox.use({ when: HOURS, then: { sequence: [respond(503), respond(502)] } });
    for (const _ of Array(4)) await hours(sandbox);
    expect(sandbox.rules.list()).toMatchObject([{ id: rule, matched: 4, acted: 2 }]);
    expect(sandbox.journal.last).toMatchObject({
      status: 200,
      rules: [{ rule, outcome: "skipped", why: "its sequence has ended" }],
    });
    expect(sandbox.journal.count({ rule })).toBe(2);
  });

  test.each([
    ["pass", [503, 502, 200, 200, 200]],
    ["last", [503, 502, 502, 502, 502]],
    ["cycle", [503, 502, 503, 502, 503]],
    ["fail", [503, 502, 500, 500, 500]],
  ] as const)("fails twice, and then %ss", async (after, expected) => {
    await using sandbox = await open();
    sandbox.use({ when: HOURS, then: { sequence: [respond(503), respond(502)], after } });
    const met: number[] = [];
    for (const _ of expected) met.push(await hours(sandbox));
    expect(met).toEqual(expected);
  });

  test("that fails at its end returns an error that names the rule and not the service", async () => {
    await using sandbox = await open();
    sandbox.use({
      id: "twice",
      when: HOURS,
      then: { sequence: [respond(503), respond(502)], after: "fail" },
    });
    for (const _ of Array(2)) await hours(sandbox);
    expect((await sandbox.museum.getMuseumHours()).body).toEqual({
      type: "urn:vitrine:sandbox",
      title: "The sequence has ended",
      detail: 'The sequence of the rule twice has ended after 2 actions, and its "after" is "fail".',
    });
  });
});

describe("a request header", () => {
  const ask = async (headers: Readonly<Record<string, string>>) => {
    await using sandbox = await open();
    const [event] = sandbox.data.museum.specialEvents.all();
    const path = `${sandbox.urls["museum"]}/special-events/${event?.eventId}`;
    const send = (extra: Readonly<Record<string, string>>) =>
      sandbox.fetch(path, { headers: { ...sandbox.auth.basic(), ...extra } });
    const asked = await send(headers);
    const plain = await send({});
    return {
      status: asked.status,
      body: await asked.text(),
      after: plain.status,
      journal: sandbox.journal.list(),
    };
  };

  test.each([
    [{ prefer: "code=404" }, 404, "urn:museum:problem:eventNotFound"],
    [{ prefer: "respond-async,code=404;strict" }, 404, "urn:museum:problem:eventNotFound"],
    [{ prefer: "respond-async, code=401" }, 401, "urn:museum:problem:credentialsRequired"],
    [{ prefer: "problem=invalidInput" }, 400, "urn:museum:problem:invalidInput"],
    [{ prefer: 'respond-async, problem="eventNotFound"' }, 404, "urn:museum:problem:eventNotFound"],
    [{ prefer: "code=502" }, 502, "urn:museum:problem:serverError"],
    [{ prefer: "problem=eventNotFuond" }, 400, 'Did you mean \\"eventNotFound\\"?'],
    [{ prefer: "fault=rest" }, 400, 'Did you mean \\"reset\\"?'],
    [{ "x-vitrine-respond": "status=404" }, 400, "Unknown header X-Vitrine-Respond. Send Prefer: "],
  ] as const)("that asks for a response gets it for one request: %j", async (headers, status, told) => {
    const met = await ask(headers);
    expect([met.status, met.after]).toEqual([status, 200]);
    expect(met.body).toContain(told);
  });

  test.each(["xcode=404", "code=4040", "code=404x", "error-code=404"])(
    "that prefers %s asks for no status, and has no finding",
    async (prefer) => {
      const met = await ask({ prefer });
      expect([met.status, met.journal[0]?.findings]).toEqual([200, []]);
    },
  );

  test("that asks for a fault gets it for one request", async () => {
    await using sandbox = await open();
    const headers = { prefer: "fault=reset" };
    await expect(sandbox.museum.getMuseumHours({ headers })).rejects.toThrow("fetch failed");
    expect(sandbox.journal.last).toMatchObject({ fault: "reset" });
    expect(await hours(sandbox)).toBe(200);
  });

  test.each(["slow-close", "dribble"])("that asks for %s still gets the whole response", async (fault) => {
    await using sandbox = await open({ wall: atOnce });
    const read = async (headers: Readonly<Record<string, string>> = {}) => {
      const all = { ...sandbox.auth.basic(), ...headers };
      return (await sandbox.fetch("/museum/v1.1/museum-hours", { headers: all })).text();
    };
    expect(await read({ prefer: `fault=${fault}` })).toBe(await read());
    expect(sandbox.journal.list()).toMatchObject([
      { status: 200, fault, rules: [{ rule: "request", outcome: "applied" }] },
      { status: 200, rules: [] },
    ]);
  });

  test.each(["truncate", "bad-chunk"])("that asks for %s has the work done, once", async (fault) => {
    await using sandbox = await open();
    const headers = { prefer: `fault=${fault}` };
    sandbox.use({ id: "never", when: { operation: "museum.createSpecialEvent" }, then: respond(503) });
    await expect(sandbox.museum.createSpecialEvent({ body: EVENT, headers })).rejects.toThrow("terminated");
    expect(sandbox.data.museum.specialEvents.all().filter(({ name }) => name === EVENT.name)).toHaveLength(1);
    expect(sandbox.journal.last).toMatchObject({ fault, status: 201 });
    expect(sandbox.rules.list()).toMatchObject([{ id: "never", acted: 0 }]);
  });

  test("that prefers an undocumented status gets the normal response and a finding", async () => {
    const met = await ask({ prefer: "code=418" });
    expect(met.status).toBe(200);
    expect(met.journal[0]?.findings).toMatchObject([{ key: "preferenceNotMet" }]);
  });
});

describe("a new rule with the same id counts from zero:", () => {
  const once = { id: "once", when: HOURS, limit: { times: 1 }, then: respond(503) };

  test.each(["remove", "clear"] as const)("after %s the rule applies again", async (verb) => {
    await using sandbox = await open();
    const met: number[] = [];
    for (const _ of [1, 2]) {
      sandbox.use(once);
      met.push(await hours(sandbox), await hours(sandbox));
      sandbox.rules[verb](once.id);
    }
    expect(met).toEqual([503, 200, 503, 200]);
    expect(sandbox.journal.count({ rule: "once" })).toBe(2);
  });

  test("the window of a replaced rule starts at the time of the replacement", async () => {
    await using sandbox = await open();
    sandbox.use({ id: "window", when: HOURS, then: respond(500) });
    await sandbox.clock.advance("1h");
    sandbox.rules.update("window", { rule: { when: HOURS, limit: { from: "+10m" }, then: respond(503) } });
    expect(await hours(sandbox)).toBe(200);
    await sandbox.clock.advance("10m");
    expect(await hours(sandbox)).toBe(503);
  });
});

test("rules that may end a connection are known until they are used up, switched off or removed", async () => {
  await using sandbox = await open();
  const { ruleSet: rules } = sandbox.core;
  for (const fault of ["slow-close", "dribble"] as const)
    sandbox.use({ when: HOURS, then: { fault }, limit: { times: 1 } });
  expect(rules.canLoseReplies).toBe(false);
  for (const fault of ["reset", "empty", "truncate", "bad-chunk"] as const) {
    const id = sandbox.use({ when: HOURS, then: { sequence: [{ pass: true }, { fault }], after: "last" } });
    expect(rules.canLoseReplies, fault).toBe(true);
    sandbox.rules.update(id, { enabled: false });
    expect(rules.canLoseReplies, fault).toBe(false);
    sandbox.rules.update(id, { enabled: true });
    sandbox.rules.remove(id);
    expect(rules.canLoseReplies, fault).toBe(false);
  }
  sandbox.use({ when: HOURS, then: { fault: "reset" }, limit: { times: 1 } });
  await expect(hours(sandbox)).rejects.toThrow("fetch failed");
  expect(rules.canLoseReplies).toBe(false);
});

test("the newer of two dribble rules sets the pace", async () => {
  const pauses: number[] = [];
  const wall = { now: () => Date.parse(CLOCK), pause: async (ms: number) => void pauses.push(ms) };
  await using sandbox = await createSandbox({ clock: CLOCK, wall });
  sandbox.use({ when: HOURS, then: { delay: { dribble: { chunks: 5, over: "1s" } } } });
  sandbox.use({ when: HOURS, then: { delay: { dribble: { chunks: 2, over: "4s" } } } });
  expect(await hours(sandbox)).toBe(200);
  expect(pauses).toEqual([2_000, 2_000]);
  expect(sandbox.journal.last).toMatchObject({ fault: "dribble", status: 200 });
});

test.each([204, 205, 304])("a response of %i must not have a body", async (status) => {
  await using sandbox = await open();
  const rule = (body?: string) => ({
    when: HOURS,
    then: { respond: { status, ...(body === undefined ? {} : { body }) }, undocumented: true as const },
  });
  expect(() => sandbox.use(rule("x"))).toThrow(`A ${status} has no body. (at /then/respond/body)`);
  sandbox.use(rule());
  const reply = await sandbox.fetch(`${sandbox.urls["museum"]}/museum-hours`, {
    headers: sandbox.auth.basic(),
  });
  expect([reply.status, await reply.text()]).toEqual([status, ""]);
});

test("two headers of one name in an answer reach the client as one", async () => {
  await using sandbox = await open();
  const headers = { Link: "</a>; rel=next", link: "</b>; rel=last" };
  sandbox.use({ when: HOURS, then: { respond: { status: 200, headers } } });
  const reply = await sandbox.museum.getMuseumHours();
  expect(reply.headers.get("link")).toBe("</a>; rel=next, </b>; rel=last");
  expect(sandbox.journal.last?.responseHeaders["link"]).toBe("</a>; rel=next, </b>; rel=last");
});

test("an exchange has traces of at most 50 skipped rules; the rule after them still applies", async () => {
  await using sandbox = await open();
  const when = { operation: "museum.getMuseumHours" } as const;
  sandbox.use({ id: "last", when, then: respond(503) });
  for (let index = 0; index < 60; index += 1)
    sandbox.use({ when: { ...when, query: { page: 9 } }, then: respond(500) });
  sandbox.use({ when: { operation: "museum.buyMuseumTickets" }, then: respond(500) });
  expect(await hours(sandbox)).toBe(503);
  const rules = sandbox.journal.last?.rules ?? [];
  expect(rules.filter(({ outcome }) => outcome === "skipped")).toHaveLength(50);
  expect(rules.at(-1)).toMatchObject({ rule: "last", outcome: "applied" });
});
