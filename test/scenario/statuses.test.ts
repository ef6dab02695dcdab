// Which statuses a rule may answer with follows from the settings that will be in force with it.

import { describe, expect } from "vitest";
import { createSandbox, Sandbox } from "../../src/open/create-sandbox.ts";
import type { ScenarioInput } from "../../src/open/typed-scenario.ts";
import { test } from "../support/test.ts";

const CREATE = "museum.createSpecialEvent";
const answering = (status: number, operation = CREATE) => ({
  when: { operation },
  then: { respond: { status } },
});
const STATUS_422 = { museum: { validationStatus: 422 } } as const;
const scenario = (rest: object): ScenarioInput => ({ version: 1, title: "A status", ...rest });
const refused = (status: number) => ({
  code: "badScenario",
  message: expect.stringContaining(`${CREATE} does not document the status ${status}.`),
});

test("the default settings allow only the statuses of the documents", async ({ sandbox }) => {
  expect(() => sandbox.use(answering(422))).toThrow(expect.objectContaining(refused(422)));
  await expect(sandbox.scenario(scenario({ rules: [answering(422)] }))).rejects.toMatchObject(refused(422));
});

describe("with other settings in the options", () => {
  test.override({ options: { settings: STATUS_422 } });

  test("their statuses are allowed in rules and scenarios, also in added ones", async ({ sandbox }) => {
    sandbox.use(answering(422));
    await sandbox.scenario(scenario({ rules: [answering(422)] }));
    await sandbox.addScenario(scenario({ rules: [{ id: "top", ...answering(422) }] }));
    expect(() => sandbox.use(answering(400))).toThrow(expect.objectContaining(refused(400)));
    await expect(sandbox.scenario(scenario({ rules: [answering(400)] }))).rejects.toMatchObject(refused(400));
    await createSandbox({ settings: STATUS_422, scenario: scenario({ rules: [answering(422)] }) });
  });
});

test("the settings of a scenario apply to its rules and to scenarios on top of it", async ({ sandbox }) => {
  const below = scenario({ settings: STATUS_422 });
  const throttled = answering(403, "account.login");
  const settings = { ...STATUS_422, account: { login: { status: 403 } } };
  await sandbox.scenario(scenario({ settings, rules: [answering(422), throttled] }));
  await sandbox.scenario([below, scenario({ rules: [answering(422)] })]);
  await sandbox.addScenario(scenario({ rules: [{ id: "top", ...answering(422) }] }));
  await expect(sandbox.scenario([below, scenario({ rules: [answering(400)] })])).rejects.toMatchObject(
    refused(400),
  );
  // In a file with another mistake too, so that no wrong complaint stands beside the right one.
  const both = scenario({ settings: STATUS_422, rules: [answering(422), { when: {}, than: {} }] });
  await expect(sandbox.scenario(both)).rejects.toThrow(/^(?!.*does not document).*"than"/s);
});

test("a record of a world keeps a rule that its settings no longer allow", async ({ sandbox }) => {
  await sandbox.scenario(scenario({ settings: STATUS_422 }));
  sandbox.use(answering(422));
  await sandbox.scenario("default");
  const record = JSON.parse(JSON.stringify(sandbox.record()));
  const again = await Sandbox.from(record);
  expect(again.rules.list()).toEqual(sandbox.rules.list());
  await again.close();
});
