// What the compiler refuses in a scenario, and the lists that tests go through. `npm run check` reads these lines: an
// unused `@ts-expect-error` is an error.

import { describe, expect, expectTypeOf, test } from "vitest";
import type { ScenarioInput } from "../../src/index.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import type { ProblemOf } from "../../src/open/operation-names.ts";
import {
  defineRule,
  defineScenario,
  documentedOutcomes,
  replyMutations,
} from "../../src/open/typed-scenario.ts";
import { readRule } from "../../src/scenario/read-rule.ts";
import { services } from "../../src/services/index.ts";

const CREATE = "account.createPreSaleAction";

describe("a typed rule", () => {
  test("is the same JSON that a file holds", () => {
    const rule = defineRule({
      when: { operation: CREATE, body: { threshold: { $gt: 100 } } },
      limit: { times: 1 },
      then: { problem: "invalidAction" },
    });
    expect(
      readRule(rule, () => "r", { services, callersOf: () => undefined, settingsOf: () => ({}) }),
    ).toMatchObject({ at: "handler", rule });
  });

  test("does not compile if it can never apply", () => {
    // @ts-expect-error there is no such operation
    defineRule({ when: { operation: "account.createPresaleAction" }, then: { pass: true } });
    // @ts-expect-error the operation does not document this problem
    defineRule({ when: { operation: CREATE }, then: { problem: "loginThrottled" } });
    // @ts-expect-error nor this status
    defineRule({ when: { operation: CREATE }, then: { respond: { status: 418 } } });
    // @ts-expect-error the body has no such field
    defineRule({ when: { operation: CREATE, body: { treshold: 5 } }, then: { pass: true } });
    // @ts-expect-error nor has the path such a parameter
    defineRule({ when: { operation: "account.getPreSale", params: { id: "x" } }, then: { pass: true } });
    // @ts-expect-error there is no such fault
    defineRule({ when: { operation: CREATE }, then: { fault: "rest" } });
    // @ts-expect-error a step of a sequence is checked against the operation as well
    defineRule({ when: { operation: CREATE }, then: { sequence: [{ problem: "loginThrottled" }] } });
    expectTypeOf<"invalidAction">().toExtend<ProblemOf<typeof CREATE>>();
    expectTypeOf<"tokenExpired">().toExtend<ProblemOf<typeof CREATE>>();
    expectTypeOf<"accessDenied">().not.toExtend<ProblemOf<"account.login">>();
  });

  test("may have an undocumented response if it sets undocumented", () => {
    const then = { respond: { status: 418 }, undocumented: true } as const;
    expect(defineRule({ when: { operation: CREATE }, then }).then).toEqual(then);
  });
});

test("a typed scenario accepts rules that were defined separately, even for several operations", async () => {
  const scenario = defineScenario({
    version: 1,
    rules: [
      defineRule({ when: { operation: "museum.getSpecialEvent" }, then: { problem: "eventNotFound" } }),
      defineRule({
        when: { operation: ["museum.getMuseumHours", "museum.listSpecialEvents"] },
        then: { problem: "invalidInput" },
      }),
    ],
  });
  expectTypeOf(scenario).toEqualTypeOf<ScenarioInput>();
  await using sandbox = await createSandbox({ scenario });
  expect((await sandbox.museum.listSpecialEvents()).status).toBe(400);
  expect((await sandbox.museum.getMuseumHours()).status).toBe(400);
});

test("a typed scenario checks each rule against the operation of this rule", async () => {
  const scenario = defineScenario({
    version: 1,
    rules: [
      { id: "a", when: { operation: "account.login" }, then: { problem: "loginThrottled" } },
      {
        id: "b",
        when: { operation: "museum.getSpecialEvent" },
        then: { respond: { status: 503 }, delay: "1ms" },
      },
    ],
  });
  const wrong = { when: { operation: "account.login" }, then: { problem: "eventNotFound" } } as const;
  // @ts-expect-error the problem is that of the other operation
  defineScenario({ version: 1, rules: [wrong] });
  await using sandbox = await createSandbox({ scenario });
  expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["a", "b"]);
});

describe("the documented outcomes of an operation", () => {
  test("are its successes and its problems, each with a rule", () => {
    const outcomes = documentedOutcomes(CREATE);
    expect(outcomes.map(({ status, problem }) => [status, problem])).toContainEqual([422, "invalidAction"]);
    expect(outcomes[0]).toMatchObject({ status: 201, problem: undefined, rule: { then: { pass: true } } });
    expect(() => documentedOutcomes("account.logn" as "account.login")).toThrow(
      'Did you mean "account.login"?',
    );
  });

  test.each(documentedOutcomes("museum.getSpecialEvent"))(
    "occur with their rule: $status $problem",
    async ({ rule, status, problem }) => {
      await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
      const [event] = sandbox.data.museum.specialEvents.all();
      sandbox.use(rule);
      const reply = await sandbox.museum.getSpecialEvent({ params: { eventId: event?.eventId ?? "" } });
      expect(reply.status).toBe(status);
      expect(sandbox.journal.last?.problem).toBe(problem);
      expect(sandbox.core.ruleSet.unused()).toEqual([]);
    },
  );
});

describe("the reply mutations of an operation", () => {
  test("come from the fields of its reply", () => {
    const mutations = replyMutations("account.listPreSaleActions").map(({ mutation }) => mutation);
    expect(mutations.slice(0, 2)).toEqual(["extra", "empty"]);
    expect(mutations).toContain("drop:/threshold");
    expect(mutations).toContain("enum:/action_type");
    expect(mutations).toContain("long:/target");
    expect(replyMutations("museum.deleteSpecialEvent")).toEqual([]);
  });

  test.each(replyMutations("museum.getSpecialEvent"))("change the reply: $mutation", async ({ rule }) => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const [event] = sandbox.data.museum.specialEvents.all();
    sandbox.use(rule);
    const { body } = await sandbox.museum.getSpecialEvent({ params: { eventId: event?.eventId ?? "" } });
    expect(body).not.toEqual(event);
    expect(sandbox.journal.last?.findings).toEqual([]);
  });
});
