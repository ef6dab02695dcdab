// What the filter line suggests while it is typed, from what is known of the world.

import { expect, test } from "vitest";
import { FILTER_PARTS } from "../../src/dashboard/filter.ts";
import type { WorldData } from "../../src/dashboard/reads.ts";
import { listSuggestions } from "../../src/dashboard/suggest.ts";
import { frozenSandbox } from "../support/test.ts";

async function known(): Promise<WorldData> {
  const sandbox = await frozenSandbox();
  sandbox.use({ id: "my-rule", then: { delay: "1ms" } });
  await sandbox.museum.listSpecialEvents({ headers: sandbox.auth.basic("zoe", "secret") });
  const known = {
    operations: sandbox.catalogue.operations(),
    credentials: sandbox.catalogue.credentials(),
    rules: sandbox.rules.list(),
    exchanges: sandbox.journal.list(),
  };
  await sandbox.close();
  return known;
}

const texts = async (line: string) => listSuggestions(line, await known()).map(({ text }) => text);
const lines = async (line: string) => listSuggestions(line, await known()).map((one) => one.line);

test.each([
  ["", Object.keys(FILTER_PARTS).map((part) => `${part}:`)],
  ["st", ["status:"]],
  ["status:4xx us", ["user:"]],
  ["lamps", []],
  ["museum:", []],
  ["status:fa", ["failed"]],
  ["status:42", ["422", "429"]],
  ["service:", ["museum", "account"]],
  ["operation:delete", ["museum.deleteSpecialEvent", "account.deletePreSaleAction"]],
  ["operation:LOGIN", ["account.login"]],
  ["method:p", ["POST", "PATCH", "PUT"]],
  ["rule:my", ["my-rule"]],
  ["user:z", ["zoe"]],
  ["fault:re", ["reset"]],
  ["problem:weak", ["weakPassword"]],
  ["path:/ticket", ["/tickets", "/tickets/*/qr"]],
  ["toString:", []],
])("the filter %j gets the suggestions %j", async (line, expected) => {
  expect(await texts(line)).toEqual(expected);
});

test("a chosen suggestion replaces the last word of the filter", async () => {
  expect(await lines("status:4xx us")).toEqual(["status:4xx user:"]);
  expect(await lines("status:4xx user:z")).toEqual(["status:4xx user:zoe "]);
});

test("a complete value is not suggested, and of many values the first eight are", async () => {
  expect(await texts("rule:my-rule")).toEqual([]);
  expect(await texts("operation:")).toHaveLength(8);
});
