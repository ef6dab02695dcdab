// The largest bodies that the control API reads, with nothing right in them, for each operation that takes one: refused
// before it costs much, in a message that a person can read. What ends the check of a list is in hostile-bodies.test.ts.

import { describe } from "vitest";
import { controlOperations } from "../../src/control/table.ts";
import { frozenSandbox, test } from "../support/test.ts";
import { expectRefused, filled, members, SIZE } from "./hostile-bodies.ts";

const LONG = "x".repeat(SIZE - 100);

const takers = Object.values(controlOperations)
  .filter(({ request }) => request.body !== undefined)
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`);

describe.each(takers)("%s refuses", (line) => {
  test("millions of wrong items before any is read", async ({ sandbox }) => {
    await expectRefused(sandbox, line, filled("[", "0", "]"), /: it has more than (50000|250000) members\.$/);
    await expectRefused(
      sandbox,
      line,
      filled('{"name":[', "{}", "]}"),
      /: it has more than (50000|250000) members\.$/,
    );
  });

  test("a million fields before any is read", async ({ sandbox }) => {
    await expectRefused(
      sandbox,
      line,
      `{${members(1_000_000)}}`,
      /: it has more than (50000|250000) members\.$/,
    );
  });

  test("the largest readable number of invalid items, and names at most twenty", async ({ sandbox }) => {
    await expectRefused(sandbox, line, filled("[", "0", "]", 99_000), /./);
    await expectRefused(sandbox, line, `{${members(49_000)}}`, /./);
  });

  test("a key or a string as long as the body, and shows 200 characters of it", async ({ sandbox }) => {
    await expectRefused(
      sandbox,
      line,
      `{"${LONG}":1}`,
      /the key "x{200}…" is longer than 1000 characters\.$/,
    );
    await expectRefused(sandbox, line, `"${LONG}"`, /^body must be /);
  });

  test("brackets without end", async ({ sandbox }) => {
    await expectRefused(sandbox, line, "[".repeat(SIZE), /nested deeper than 64 levels/);
    await expectRefused(sandbox, line, "]".repeat(SIZE), /not valid JSON at line 1, column 1\./);
  });
});

test.each([
  ["POST /worlds", "name", /^"x{200}…" is not a valid world name\./],
  ["PUT /clock", "at", /^"x{200}…" is not a time\./],
  ["POST /clock/advance", "by", /^"x{200}…" is not a duration\./],
  ["PUT /scenario", "name", /^Unknown preset "x{200}…"\./],
  ["POST /journal/verify", "operation", /^Unknown operation "x{200}…"\./],
  ["POST /journal/verify", "within", /^"x{200}…" is not a duration\./],
  ["POST /snapshots", "name", /^name must have at most 100 characters, not \d+\.$/],
  ["POST /tokens", "user", /^Unknown user of account "x{200}…"\./],
  ["POST /usage", "environment", /^Unknown environment "x{200}…"\./],
])("%s shows 200 characters of a wrong %s", async (line, field, detail) => {
  await using sandbox = await frozenSandbox();
  await expectRefused(sandbox, line, `{"${field}":"${LONG}"}`, detail);
});
