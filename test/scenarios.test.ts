// Every preset loads, describes itself, and is played here until each of its rules has acted.

import { describe, expect, test } from "vitest";
import { createSandbox, type SandboxOptions } from "../src/open/create-sandbox.ts";
import { toPath } from "../src/operation/client.ts";
import { listOperationNames } from "../src/operation/service.ts";
import { library } from "../src/runtimes/node/library.ts";
import { nodeRuntime } from "../src/runtimes/node/runtime.ts";
import { readScenario } from "../src/scenario/library.ts";
import { listOutcomes } from "../src/scenario/outcomes.ts";
import { services } from "../src/services/index.ts";
import { ADA, call } from "./support/account.ts";
import { atOnce } from "./support/test.ts";

const open = (scenario: SandboxOptions["scenario"]) => createSandbox({ scenario, wall: atOnce });
type Sandbox = Awaited<ReturnType<typeof open>>;

/** One valid request for each operation of both services, as their own examples have it. */
async function playRound(sandbox: Sandbox): Promise<void> {
  for (const service of services) {
    const [environment] = service.environments;
    if (environment === undefined) continue;
    for (const operation of Object.values(service.operations)) {
      const {
        params = {},
        query = {},
        body,
      } = operation.example(sandbox.core.getServiceState(service, environment));
      const token = service.name === "account" ? `Bearer ${sandbox.auth.token()}` : "";
      const reply = sandbox.fetch(environment.base + toPath(operation, { params, query: { ...query } }), {
        method: operation.method.toUpperCase(),
        headers: {
          ...(token === "" ? sandbox.auth.basic() : { authorization: token }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      // A fault may break the reply or its body; the rules and the journal show what it was.
      await reply.then((met) => met.arrayBuffer()).catch(() => {});
    }
  }
}

const MOST_ROUNDS = 20;

describe.each(library.presetNames())("the preset %s", (name) => {
  test("has a title and a description, and plain requests trigger each of its rules", async () => {
    const { title, description } = readScenario(nodeRuntime, name, services);
    expect(title).toMatch(/\S/);
    expect(description).toMatch(/\.$/);
    await using sandbox = await open(name);
    const start = sandbox.core.world.snapshot();
    for (let round = 0; round < MOST_ROUNDS && sandbox.core.ruleSet.unused().length > 0; round += 1) {
      sandbox.core.world.restore(start); // what a round deletes is there again for the next
      await playRound(sandbox);
    }
    expect(sandbox.core.ruleSet.unused()).toEqual([]);
    expect(sandbox.report().failures).toEqual([]);
    expect(
      sandbox.journal.list().flatMap(({ findings }) => findings.filter(({ key }) => key === "defect")),
    ).toEqual([]);
  });
});

test("every-documented-error has one rule for each problem of each operation; `npm run docs` writes it anew", async () => {
  const outcomes = listOperationNames(services).flatMap((name) => listOutcomes(name, services));
  const rules = outcomes
    .filter(({ problem }) => problem !== undefined)
    .map(({ operation, problem, rule }) => ({ id: `${operation}-${problem}`, ...rule }));
  const { $schema, version, title, description } = JSON.parse(library.preset("every-documented-error").text);
  const text = `${JSON.stringify({ $schema, version, title, description, rules }, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../scenarios/every-documented-error.json");
});

describe("what a preset sets up", () => {
  const list = async (sandbox: Sandbox, query = {}) =>
    (await sandbox.museum.listSpecialEvents({ query })).body as readonly { readonly name: string }[];

  test("museum-empty: a museum without events", async () => {
    await using sandbox = await open("museum-empty");
    expect(await list(sandbox)).toEqual([]);
  });

  test("museum-full-week: events on every day, on two pages", async () => {
    await using sandbox = await open("museum-full-week");
    expect([(await list(sandbox)).length, (await list(sandbox, { page: 2 })).length]).toEqual([10, 4]);
    const days = new Set(sandbox.data.museum.specialEvents.all().flatMap(({ dates }) => dates));
    expect(days.size).toBe(7);
  });

  test("many-pages: lists that take many requests", async () => {
    await using sandbox = await open("many-pages");
    expect((await list(sandbox, { limit: 30, page: 2 })).length).toBe(10);
    for (const environment of ["account", "accountSandbox"] as const) {
      for (const path of ["consumptions", "pre-sales", "pre-sale-actions"]) {
        const { body } = await call(sandbox, `GET /${path}`, { environment, accept: "application/ld+json" });
        expect(body["hydra:member"], path).toHaveLength(5);
        expect(body["hydra:totalItems"], path).toBeGreaterThan(10);
        expect(body["hydra:view"], path).toHaveProperty("hydra:next");
      }
    }
  });

  test("login-throttled: no token today, and one when a day has passed", async () => {
    await using sandbox = await open("login-throttled");
    sandbox.clock.freeze();
    const logIn = () => call(sandbox, "POST /login", { body: ADA, token: false });
    const { status, headers } = await logIn();
    expect([status, headers.get("retry-after")]).toEqual([429, "86400"]);
    await sandbox.clock.advance("86399s");
    expect((await logIn()).status).toBe(429);
    await sandbox.clock.advance("1s");
    expect((await logIn()).status).toBe(200);
    expect(sandbox.journal.count({ operation: "account.login", problem: "loginThrottled" })).toBe(2);
  });

  test("token-about-to-expire: a token that is good now, and not in a minute", async () => {
    await using sandbox = await open("token-about-to-expire");
    const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
    const status = async () => (await sandbox.account.getUser({ params: { id: "me" }, headers })).status;
    expect(await status()).toBe(200);
    await sandbox.clock.advance("61s");
    expect(await status()).toBe(401);
  });

  test.each([
    ["presale-healthy", "880.00", 0],
    ["presale-nearly-used-up", "10.00", 1],
    ["presale-expired", "120.00", 0],
  ] as const)(
    "%s: a presale with %s left, whose next invoice sends %i mails",
    async (name, credit, mails) => {
      await using sandbox = await open(name);
      const presales = await sandbox.account.listPreSales();
      expect(presales.body).toMatchObject([{ current_credit_available: credit }]);
      sandbox.usage.record({ sent: 1 });
      expect(sandbox.mailbox.messages()).toHaveLength(mails);
    },
  );

  test("usage-not-covered: no presale, and consumptions with a month of none", async () => {
    await using sandbox = await open("usage-not-covered");
    expect((await sandbox.account.listPreSales()).body).toEqual([]);
    const consumptions = await sandbox.account.listConsumptions();
    expect(consumptions.body).toMatchObject([{ total: "12.50" }, { total: "0.00" }, { total: "75.00" }]);
  });

  test("unicode: texts come back as they are", async () => {
    await using sandbox = await open("unicode");
    const names = (await list(sandbox, { limit: 30 })).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["ليلة المتاحف", "Cafe\u0301 de\u0301compose\u0301", '<b>Bold</b> & "quoted"']),
    );
    expect((await sandbox.account.getUser({ params: { id: "me" } })).body).toMatchObject({
      fullname: "Ada Løvelåce 愛田",
    });
  });

  test.each([
    ["daylight-saving-edge", ["The short day", "All three", "The day after"]],
    ["leap-day", ["Leap day", "The day after"]],
  ] as const)("%s: days counted in UTC", async (name, expected) => {
    await using sandbox = await open(name);
    expect((await list(sandbox)).map((event) => event.name)).toEqual(expected);
  });

  test("reply-lost-after-create: an entity that exists although its response was lost, and a second one after a retry", async () => {
    await using sandbox = await open("reply-lost-after-create");
    const before = sandbox.data.account.preSaleActions.all().length;
    const [preSale] = sandbox.data.account.preSales.all();
    const body = {
      threshold: 5,
      action_type: "alert_mail",
      target: "ops@example.test",
      enabled: true,
      pre_sale_uuid: preSale?.uuid ?? "",
    } as const;
    await expect(sandbox.account.createPreSaleAction({ body })).rejects.toThrow("fetch failed");
    expect((await sandbox.account.createPreSaleAction({ body })).status).toBe(201);
    expect(sandbox.data.account.preSaleActions.all()).toHaveLength(before + 2);
  });
});
