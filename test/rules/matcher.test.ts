// Which requests a rule matches: each operator, in each place.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import {
  checkCondition,
  findDifferences,
  JSON_MODE,
  matchesCondition as matchesIn,
  TEXT_MODE,
} from "../../src/rules/condition.ts";
import type { Matcher } from "../../src/rules/grammar.ts";
import { matchesGlob } from "../../src/rules/pattern.ts";

const matches = (value: unknown, condition: unknown, mode = JSON_MODE): boolean =>
  matchesIn(value, condition, mode);

describe("a condition", () => {
  const event = { name: "Night", price: 12.5, dates: ["2026-03-31"], place: { hall: 2, floor: null } };

  test.each<[matcher: unknown, expected: boolean]>([
    [{ name: "Night" }, true],
    [{ name: "night" }, false],
    [{ place: { hall: 2 } }, true],
    [{ place: { hall: 2, floor: null } }, true],
    [{ place: { hall: "2" } }, false],
    [{ absent: null }, false],
    [{ dates: ["2026-03-31"] }, true],
    [{ dates: [] }, false],
    [{ place: { $eq: { hall: 2 } } }, false],
    [{ place: { $eq: { floor: null, hall: 2 } } }, true],
    [{ name: { $ne: "Day" } }, true],
    [{ name: { $in: ["Day", "Night"] } }, true],
    [{ price: { $gt: 12, $lt: 13 } }, true],
    [{ price: { $gte: 12.5, $lte: 12.5 } }, true],
    [{ price: { $gt: "12" } }, false],
    [{ name: { $gt: 1 } }, false],
    [{ name: { $gte: "N" } }, true],
    [{ name: { $regex: "^n(?i)" } }, false],
    [{ name: { $regex: "(?i)^n" } }, true],
    [{ price: { $regex: "12" } }, false],
    [{ name: { $contains: "igh" } }, true],
    [{ dates: { $contains: { $regex: "^2026" } } }, true],
    [{ absent: { $exists: false } }, true],
    [{ name: { $exists: false } }, false],
    [{ dates: { $empty: false } }, true],
    [{ place: { floor: { $empty: true } } }, true],
    [{ price: { $type: "number" } }, true],
    [{ price: { $type: "integer" } }, false],
    [{ place: { hall: { $type: "integer" }, floor: { $type: "null" } } }, true],
    [{ dates: { $type: "array" } }, true],
    [{ absent: { $type: "string" } }, false],
    [{ name: { $not: { $contains: "x" } } }, true],
    [{ name: { $all: [{ $contains: "N" }, { $contains: "t" }] } }, true],
    [{ name: { $any: ["Day", { $regex: "ght$" }] } }, true],
    [{ constructor: { $exists: true } }, false],
    [{ toString: { $exists: true } }, false],
    ["Night", false],
  ])("%j on an event: %s", (matcher, expected) => {
    expect(matches(event, matcher)).toBe(expected);
  });

  test("on strings compares numbers and booleans in their written form", () => {
    expect(matches("2026", 2026, TEXT_MODE)).toBe(true);
    expect(matches("true", true, TEXT_MODE)).toBe(true);
    expect(matches("31", { $gt: 4 }, TEXT_MODE)).toBe(true);
    expect(matches("", { $lt: 4 }, TEXT_MODE)).toBe(false);
    expect(matches("2026", 2026)).toBe(false);
  });

  test("tells every field that does not match", () => {
    const wanted = { price: { $gt: 100 }, name: "Day", dates: ["2026-03-31"] };
    expect(findDifferences({ ...event, price: 5 }, wanted, "body", JSON_MODE)).toEqual([
      "body.price is 5, not $gt 100",
      'body.name is "Night", not "Day"',
    ]);
    expect(findDifferences(undefined, "ada", "user", TEXT_MODE)).toEqual(['user is absent, not "ada"']);
  });

  test.each([
    "^(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    "^(a?){40}a{40}$",
    "(x+x+)+y",
    "(.*a){20}b$",
    "([a-z]+)*-",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a|a)*b",
    "(a|b|ab)*c",
    "^(\\w+\\s?)*$",
    "^(a|a?)+$",
    "(.*)*x",
    "^([a-z0-9])(([.-]|_+)?([a-z0-9]+))*@[a-z0-9]+$",
  ])("with the pattern %s on the longest subject is decided despite possible backtracking", ($regex) => {
    expect(matches(`${"a".repeat(8_191)}!`, { $regex })).toBe(false);
  });

  test.each(["([a-z]?[a-z]?){400}[0-9]", "((a?){100}){10}b", "a".repeat(257), "(", "(?<=a)b", "(a)\\1"])(
    "with the pattern %s is rejected before it is used",
    ($regex) => {
      expect(checkCondition({ name: { $regex } })).toMatchObject([{ path: ["name", "$regex"] }]);
    },
  );

  test.each([
    ["account.list*", "account.listPreSales", true],
    ["account.list*", "account.getPreSale", false],
    ["*Sale*", "account.createPreSaleAction", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "acb", false],
    ["*", "", true],
    ["ab*ba", "aba", false],
    ["a.c", "abc", false],
  ])("glob %s on %s: %s", (glob, text, expected) => {
    expect(matchesGlob(text, glob)).toBe(expected);
  });
});

describe("a rule matches the requests", () => {
  const cases = [
    ["of an operation", { operation: "museum.listSpecialEvents" }, true],
    ["of one of several operations", { operation: ["museum.getMuseumHours", "museum.list*"] }, true],
    ["of another operation", { operation: "museum.getMuseumHours" }, false],
    ["to a path", { method: "GET", path: "/special-events" }, true],
    ["to another method", { method: "POST", path: "/special-events" }, false],
    ["with one of several methods", { method: ["POST", "GET"] }, true],
    ["with a method by a condition", { method: { $in: ["GET", "HEAD"] } }, true],
    ["to a path by a glob", { path: "/special-*" }, true],
    ["of an operation with its method", { operation: "museum.*", method: "GET" }, true],
    ["of a service", { service: "museum" }, true],
    ["of another service", { service: ["account"] }, false],
    ["to an environment", { environment: "museum" }, true],
    ["to another environment", { environment: "account*" }, false],
    ["with a query", { operation: "museum.list*", query: { page: { $gte: 2 }, limit: 5 } }, true],
    ["with a number as it reads in the query", { query: { page: 2.0, limit: { $in: [5, 6] } } }, true],
    ["without a query", { operation: "museum.list*", query: { startDate: { $exists: true } } }, false],
    ["with a header", { headers: { "X-Client": { $regex: "^shop/" } } }, true],
    ["with another header", { headers: { "x-client": "shop" } }, false],
    ["of a user", { user: "ada" }, true],
    ["of another user", { user: { $not: "ada" } }, false],
    ["that accept a form", { accept: { $contains: "json" } }, true],
    ["that accept another form", { accept: { $contains: "html" } }, false],
  ] as const;

  test.each(cases)("%s", async (_about, when, expected) => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    sandbox.use({ when: when as object, then: { respond: { status: 503 } } });
    const reply = await sandbox.museum.listSpecialEvents({
      query: { page: 2, limit: 5 },
      headers: { ...sandbox.auth.basic("ada", "x"), "x-client": "shop/1" },
    });
    expect(reply.status).toBe(expected ? 503 : 200);
  });

  test.each([
    { operation: "museum.getMuseumHours" },
    { method: "POST" },
    { path: "/museum-hours" },
    { service: "account" },
    { environment: "accountSandbox" },
  ])("other than %j, and is not listed in the journal for them", async (when) => {
    await using sandbox = await createSandbox();
    sandbox.use({ when: when as object, then: { pass: true } });
    await sandbox.museum.listSpecialEvents();
    expect(sandbox.journal.last?.rules).toEqual([]);
  });

  test("with a parameter of the path, and with a body", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const [one, other] = sandbox.data.museum.specialEvents.all().map(({ eventId }) => eventId);
    sandbox.use({
      when: {
        operation: "museum.updateSpecialEvent",
        params: { eventId: one ?? "" },
        body: { price: { $gt: 100 } },
      },
      then: { problem: "invalidInput" },
    });
    const update = async (eventId = "", price = 0) =>
      (await sandbox.museum.updateSpecialEvent({ params: { eventId }, body: { price } })).status;
    expect([await update(one, 101), await update(one, 100), await update(other, 101)]).toEqual([
      400, 200, 200,
    ]);
  });

  test("over a socket, whatever the case of a header's name", async () => {
    await using sandbox = await createSandbox();
    sandbox.use({ when: { headers: { "X-Client": "shop" } }, then: { respond: { status: 503 } } });
    const { urls } = await sandbox.listen({ port: 0 });
    const headers = { ...sandbox.auth.basic(), "x-CLIENT": "shop" };
    expect((await fetch(`${urls.museum}/museum-hours`, { headers })).status).toBe(503);
    expect(sandbox.journal.last?.rules).toMatchObject([{ outcome: "applied" }]);
  });
});

describe("a rule that can never match is rejected:", () => {
  const ada = "ada@example.test";

  test.each([
    [
      "a user that the account does not know",
      { operation: "account.*", user: "ada@exmple.test" },
      `Did you mean "${ada}"`,
    ],
    ["a user of the other environment", { environment: "accountSandbox", user: ada }, "Unknown user"],
    [
      "a condition that no user fits",
      { service: "account", user: { $regex: "@museum" } },
      "No user matches this condition. Known users: ada@",
    ],
    ["a service", { service: "muesum" }, 'Unknown service "muesum". Did you mean "museum"'],
    [
      "a method that the operation does not have",
      { operation: "account.login", method: "PUT" },
      "None of these operations has that method.",
    ],
    [
      "a path that the operation does not have",
      { operation: "museum.getSpecialEvent", path: "/special-events" },
      "None of these operations has that path.",
    ],
    [
      "a path by a glob that the operation does not have",
      { operation: "museum.getMuseumHours", path: "/special-*" },
      "None of these operations has that path.",
    ],
    [
      "an environment that the operation is not served in",
      { operation: "museum.getMuseumHours", environment: "account" },
      "None of these operations is served in that environment.",
    ],
    [
      "a service that the operation is not of",
      { operation: "museum.getMuseumHours", service: "account" },
      "None of these operations is of that service.",
    ],
    [
      "two parts that the operation does not have",
      { operation: "museum.getMuseumHours", method: "PUT", path: "/tickets" },
      "No request can match all of these parts.",
    ],
    [
      "a field of the query with brackets in the middle",
      { operation: "museum.listSpecialEvents", query: { "pa[]ge": "1" } },
      'Unknown field of the query "pa[]ge"',
    ],
    [
      "a condition that none of two users fits",
      { environment: "accountSandbox", user: { $regex: "@museum" } },
      "Known users: ada@sandbox.example.test, contabilita@sandbox.example.test, ex-",
    ],
    ["a part that is not known yet", { status: 404 }, "status is not known when a rule runs"],
  ])("%s", async (_about, when, told) => {
    await using sandbox = await createSandbox();
    expect(() => sandbox.use({ when: when as object, then: { pass: true } })).toThrow(told);
    expect(sandbox.rules.list()).toEqual([]);
  });

  test.each([
    [
      "a path pattern with a part of an id",
      { operation: "museum.getSpecialEvent", path: "/special-events/2*" },
    ],
    [
      "a path that its operation's template takes",
      { operation: "museum.getSpecialEvent", path: "/special-events/1" },
    ],
    [
      "a path by a glob that fits its operation",
      { operation: "museum.listSpecialEvents", path: "/special-*" },
    ],
    ["requests without an operation, by a method", { operation: { $exists: false }, method: "PUT" }],
    ["HEAD of what can be read", { operation: "museum.listSpecialEvents", method: "HEAD" }],
    ["a list in the query", { operation: "museum.listSpecialEvents", query: { "page[]": "1" } }],
  ])("but not for %s", async (_about, when) => {
    await using sandbox = await createSandbox();
    expect(sandbox.use({ when: when as object, then: { pass: true } })).toBe("use-1");
  });

  test("with all its errors at once: in conditions, spelling and effect", async () => {
    await using sandbox = await createSandbox();
    const when = {
      operation: "museum.createSpecialEvent",
      body: { prise: 5, name: { $regx: "x" } },
      environment: "museun",
    };
    const then = { problem: "eventNotFound" };
    const refused = (rule: object): string => {
      try {
        sandbox.use(rule as never);
      } catch (error) {
        return (error as Error).message;
      }
      return "accepted";
    };
    expect(refused({ when, then, titel: "x" }).split("\n")).toEqual([
      expect.stringMatching(/^Unknown operator "\$regx"\. Did you mean "\$regex"/),
      expect.stringMatching(/^Unknown field "titel"\. Did you mean "title"/),
      expect.stringMatching(/^Unknown environment "museun"\. Did you mean "museum"/),
    ]);
    expect(
      refused({ when: { ...when, body: { prise: 5 }, environment: "museum" }, then }).split("\n"),
    ).toEqual([
      expect.stringMatching(/^Unknown field of the body "prise"\. Did you mean "price"/),
      expect.stringMatching(/^Unknown problem of museum\.createSpecialEvent "eventNotFound"/),
    ]);
  });

  test("its effect is checked if its conditions are valid, whatever else is invalid", async () => {
    await using sandbox = await createSandbox();
    const rule = {
      when: { operation: "museum.createSpecialEvent" },
      then: { problem: "eventNotFound" },
      titel: "x",
    };
    expect(() => sandbox.use(rule as never)).toThrow(
      /^Unknown field "titel"\..*\nUnknown problem of museum\.createSpecialEvent "eventNotFound"/,
    );
  });

  test("the museum takes any user, until its settings name some", async () => {
    const rule = { when: { operation: "museum.*", user: "adda" }, then: { pass: true } } as const;
    await using sandbox = await createSandbox();
    expect(sandbox.use(rule)).toBe("use-1");
    await using strict = await createSandbox({
      settings: { museum: { credentials: [{ user: "ada", password: "secret" }] } },
    });
    expect(() => strict.use(rule)).toThrow('Unknown user "adda". Did you mean "ada"');
  });

  test("a scenario may use users from its own data, and changes nothing if it fails", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
    const eve = { name: "eve@example.test", password: "Secret!2026", uid: 77, roles: { x: ["ROLE_WRITER"] } };
    const data = { account: { identities: { upsert: [eve] } } };
    const rules = [{ when: { operation: "account.*", user: eve.name }, then: { pass: true } }];
    await expect(sandbox.scenario({ version: 1, rules })).rejects.toThrow(
      /Unknown user "eve@example\.test"\..*\(at \/rules\/0\/when\/user\)/,
    );
    await sandbox.scenario({ version: 1, rules, data });
    const before = sandbox.state();
    const others = [{ when: { user: "nobody@example.test", service: "account" }, then: { pass: true } }];
    const removal = { account: { identities: { remove: [eve.name] } } };
    await expect(sandbox.scenario({ version: 1, rules: others, data: removal })).rejects.toThrow(
      /Unknown user/,
    );
    expect(sandbox.state()).toEqual(before);
  });
});

test("a journal query rejects unknown problems, findings and faults", async () => {
  await using sandbox = await createSandbox();
  for (const [matcher, told] of [
    [{ problem: "invalidInptu" }, 'Unknown problem "invalidInptu". Did you mean "invalidInput"?'],
    [{ finding: "unknownFeild" }, 'Unknown finding "unknownFeild". Did you mean "unknownField"?'],
    [{ fault: ["reset", "emtpy"] }, 'Unknown fault "emtpy". Did you mean "empty"?'],
  ] as const)
    expect(() => sandbox.journal.count(matcher)).toThrow(told);
});

describe("a difference", () => {
  const wanted: readonly (readonly [part: string, wanted: Matcher, told: string])[] = [
    [
      "operation",
      { operation: "museum.get*" },
      'operation is "museum.createSpecialEvent", not "museum.get*"',
    ],
    ["service", { service: "account" }, 'service is "museum", not "account"'],
    ["environment", { environment: ["account"] }, 'environment is "museum", not ["account"]'],
    ["method", { method: "PUT" }, 'method is "POST", not "PUT"'],
    ["path", { path: "/tickets" }, 'path is "/special-events", not "/tickets"'],
    ["header", { headers: { "X-Shop": "9" } }, 'header X-Shop is "7", not "9"'],
    ["parameter", { params: { eventId: "1" } }, 'parameter eventId is absent, not "1"'],
    ["query", { query: { page: 3 } }, 'query page is "2", not 3'],
    ["accept", { accept: "text/html" }, 'accept is "application/json", not "text/html"'],
    ["user", { method: "POST", user: "bob" }, 'user is "ada", not "bob"'],
    ["body", { body: { price: 5 } }, "body.price is absent, not 5"],
    ["status", { status: [200, 201] }, "status is 400, not $in [200,201]"],
    ["problem", { problem: "eventNotFound" }, 'problem is "invalidInput", not "eventNotFound"'],
    ["rule", { rule: "other" }, 'rule is ["slow"], not "other"'],
    ["finding", { finding: "unknownField" }, 'finding is ["unknownQuery"], not "unknownField"'],
    ["fault", { fault: "reset" }, 'fault is absent, not "reset"'],
    ["gone", { gone: true }, "gone is false, not true"],
    ["text", { text: "lamps" }, 'text "lamps" does not occur'],
    ["after", { after: 1 }, "after is 1, not above 1"],
    ["since", { since: "2026-03-03" }, 'since is 2026-03-02T09:00:00.000Z, not "2026-03-03"'],
    [
      "until",
      { until: "2026-03-02T09:00:00Z" },
      'until is 2026-03-02T09:00:00.000Z, not "2026-03-02T09:00:00Z"',
    ],
  ];

  test.each(wanted)("of %s is reported with both values", async (_part, matcher, told) => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    sandbox.use({ id: "slow", when: { method: "POST" }, at: "edge", then: { advance: "0s" } });
    await sandbox.fetch(`${sandbox.urls.museum}/special-events?page=2`, {
      method: "POST",
      headers: {
        ...sandbox.auth.basic("ada"),
        "content-type": "application/json",
        accept: "application/json",
        "x-shop": "7",
      },
      body: '{"name":"Night"}',
    });
    const verdict = await sandbox.journal.verify({ user: "ada", ...matcher, times: 1 });
    expect(verdict.message).toContain(told);
  });
});
