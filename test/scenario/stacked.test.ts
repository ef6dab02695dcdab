// One scenario on top of another: what both say holds, the newer first, and neither starts again what the client has done.

import { expect } from "vitest";
import { connect } from "../../src/connect.ts";
import { test } from "../support/test.ts";

const login = { body: { email: "ada@example.test", password: "Vitrine!2026" } };
const HOURS = { operation: "museum.getMuseumHours" };

test("the rules of an added scenario come first, and existing rules keep their counts, settings and data", async ({
  sandbox,
}) => {
  await sandbox.scenario({
    version: 1,
    title: "Below",
    settings: { museum: { errorDetail: true } },
    data: { museum: { specialEvents: { replace: [] } } },
    rules: [
      { id: "once", when: HOURS, limit: { times: 1 }, then: { respond: { status: 500 } } },
      { id: "busy", when: HOURS, then: { respond: { status: 503 } } },
    ],
  });
  expect((await sandbox.museum.getMuseumHours()).status).toBe(500);
  const body = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-05"], price: 1 };
  await sandbox.museum.createSpecialEvent({ body });

  await sandbox.addScenario("login-refused");
  await sandbox.addScenario({ version: 1, settings: { museum: { strict: true } }, rules: [] });
  expect(sandbox.core.ruleSet.scenario).toMatchObject({ name: "scenario + login-refused + scenario" });
  expect(sandbox.core.ruleSet.scenario.data).toMatchObject([{ collection: "specialEvents" }]);
  expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["refused", "once", "busy"]);
  expect((await sandbox.account.login(login)).status).toBe(401);
  expect((await sandbox.museum.getMuseumHours()).status, "`once` has acted").toBe(503);
  expect((await sandbox.museum.listSpecialEvents()).body).toMatchObject([body]);
  const strange = await sandbox.fetch("/museum/v1.1/special-events?colour=red", {
    headers: sandbox.auth.basic(),
  });
  expect([strange.status, await strange.json()]).toMatchObject([400, { status: 400 }]);
});

test("an added scenario is the only one if there was none, and keeps its name", async ({ sandbox }) => {
  await sandbox.addScenario("museum-empty");
  expect(sandbox.core.ruleSet.scenario).toMatchObject({ name: "museum-empty" });
});

test("an existing rule id or invalid data changes nothing", async ({ sandbox }) => {
  await sandbox.scenario("login-refused");
  const { digest } = sandbox.state();
  await expect(sandbox.addScenario("login-refused")).rejects.toThrow(
    'A rule with id "refused" already exists.',
  );
  const data = { museum: { specialEvents: { remove: ["nobody"] } } };
  await expect(sandbox.addScenario({ version: 1, data })).rejects.toThrow('No entity "nobody"');
  expect(sandbox.state().digest).toBe(digest);
});

test("over HTTP and `connect`, two presets stack, a third replaces both, and DELETE removes all", async ({
  sandbox,
}) => {
  const { url } = await sandbox.listen();
  const remote = await connect(url);
  await remote.scenario("login-refused");
  await remote.addScenario("museum-empty");
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${url}/_vitrine/scenario`, {
    method: "POST",
    headers,
    body: '{"name":"maintenance"}',
  });
  expect(await reply.json()).toMatchObject({ name: "login-refused + museum-empty + maintenance" });
  expect((await sandbox.museum.listSpecialEvents()).status).toBe(503);
  await remote.scenario("login-refused");
  expect(sandbox.core.ruleSet.scenario).toMatchObject({ name: "login-refused", rules: [{ id: "refused" }] });
  await remote.scenario("default");
  expect((await sandbox.account.login(login)).status).toBe(200);
  expect((await sandbox.museum.listSpecialEvents()).body).not.toEqual([]);
});

test("the expectations of the top scenario take precedence", async ({ sandbox }) => {
  await sandbox.scenario({ version: 1, expect: { unmatched: "fail", unusedRules: "ignore" } });
  await sandbox.addScenario({ version: 1, expect: { unmatched: "ignore" } });
  await sandbox.fetch("/nowhere");
  sandbox.use({ when: HOURS, then: { respond: { status: 503 } } });
  expect(sandbox.report()).toMatchObject({ failures: [], warnings: [] });
});
