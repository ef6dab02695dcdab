// The published JSON Schema: the committed file is the one that the grammar and the services give, and it agrees with
// them on what is right and what is wrong. `npx vitest run test/scenario/json-schema.test.ts -u` writes it anew.

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { library } from "../../src/runtimes/node/library.ts";
import { buildScenarioSchema } from "../../src/scenario/json-schema.ts";
import { services } from "../../src/services/index.ts";

const FILE = "../../scenarios/schema/scenario.json";

test("the committed schema is up to date", async () => {
  const text = `${JSON.stringify(buildScenarioSchema(services), null, 1)}\n`;
  await expect(text).toMatchFileSnapshot(FILE);
});

describe("the schema", () => {
  const schema = buildScenarioSchema(services);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(schema);
  const accepts = (scenario: unknown): boolean => validate(scenario);
  const rule = (rule: object): object => ({ version: 1, rules: [rule] });
  const login = { operation: "account.login" };

  test.each(library.presetNames())("accepts the preset %s", (name) => {
    validate(JSON.parse(library.preset(name).text));
    expect(validate.errors).toBeNull();
  });

  test.each([
    ["a problem of the operation", rule({ when: login, then: { problem: "loginThrottled" } }), true],
    ["a problem of another operation", rule({ when: login, then: { problem: "invalidAction" } }), false],
    ["a documented status", rule({ when: login, then: { respond: { status: 429 } } }), true],
    ["another status", rule({ when: login, then: { respond: { status: 418 } } }), false],
    [
      "another status that is meant",
      rule({ when: login, then: { respond: { status: 418 }, undocumented: true } }),
      true,
    ],
    [
      "a problem within a sequence",
      rule({ when: login, then: { sequence: [{ problem: "invalidAction" }] } }),
      false,
    ],
    ["an unknown operation", rule({ when: { operation: "account.logn" }, then: { pass: true } }), false],
    ["a glob", rule({ when: { operation: "account.*" }, then: { pass: true } }), true],
    [
      "a field of the body",
      rule({ when: { ...login, body: { email: "a@b.test" } }, then: { pass: true } }),
      true,
    ],
    [
      "an unknown field of the body",
      rule({ when: { ...login, body: { mail: "" } }, then: { pass: true } }),
      false,
    ],
    ["an unknown environment", rule({ when: { environment: "acount" }, then: { pass: true } }), false],
    ["an unknown key", { version: 1, ruls: [] }, false],
    ["an unknown setting", { version: 1, settings: { account: { login: { evry: "1h" } } } }, false],
    ["a setting", { version: 1, settings: { account: { login: { every: "1h" } } } }, true],
    ["an unknown collection", { version: 1, data: { museum: { events: {} } } }, false],
    ["an entity that is none", { version: 1, data: { museum: { specialEvents: { upsert: [{}] } } } }, false],
    ["generated entities", { version: 1, data: { accountSandbox: { preSales: { generate: 3 } } } }, true],
  ])("accepts or rejects %s as documented", (_about, scenario, expected) => {
    expect(accepts(scenario)).toBe(expected);
  });
});
