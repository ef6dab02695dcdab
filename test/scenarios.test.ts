// Every preset loads, says what it is, and is played here until each of its rules has acted.

import { describe, expect, test } from "vitest";
import { presetNames } from "../src/node/package-files.ts";
import { readScenario } from "../src/node/scenario-files.ts";
import { createSandbox, services } from "../src/vitrine.ts";

describe.each(presetNames())("the preset %s", (name) => {
  test("has a title and a description, and is all used up by one request for each operation it names", async () => {
    const { title, description } = readScenario(name, services);
    expect(title).toMatch(/\S/);
    expect(description).toMatch(/\.$/);
    await using sandbox = await createSandbox({ scenario: name });
    expect(sandbox.rules.scenario.name).toBe(name);
  });
});
