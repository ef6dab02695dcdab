// Servers with random settings: calibrate finds those that have a probe, or says which points it could not ask.

import { expect, test } from "vitest";
import { listSettings } from "../../src/operation/settings.ts";
import { services } from "../../src/services/index.ts";
import { parseDuration } from "../../src/world/time.ts";
import { runCommand } from "../support/command.ts";
import { listen, makeFolder, PAIR } from "../support/evidence.ts";
import type { Json } from "../support/request.ts";

const COMBINATIONS = 200;
/** Settings that no probe decides. */
const UNPROBED = [
  "login",
  "unknownPreSale",
  "profilePut",
  "usage",
  "actionDuration",
  "fireOnCreate",
  "strictDomain",
];
/** Values of settings that are no choices. The first is the default. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  tokenLifetime: ["24h", "90m", "45s", "7d"],
  pageSize: [30, 1, 3, 7, 39, 40, 1000],
  credentials: [undefined, [PAIR]],
};
const choices = services
  .flatMap(listSettings)
  .map(({ path: [service = "", name = ""], schema }) => ({
    service,
    name,
    values: (VALUES[name] ?? schema["enum"] ?? [schema["default"], !schema["default"]]) as readonly unknown[],
  }))
  .filter(({ name }) => !UNPROBED.includes(name));

test(`calibrate finds ${COMBINATIONS} combinations of settings`, { timeout: 600_000 }, async () => {
  let state = 38;
  const draw = (values: readonly unknown[]): unknown => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return values[Math.floor((state / 2 ** 31) * values.length)];
  };
  const counts = { found: 0, open: 0 };
  for (let round = 0; round < COMBINATIONS; round += 1) {
    const settings: Json = { museum: {}, account: {} };
    for (const { service, name, values } of choices) settings[service][name] = draw(values);
    using folder = makeFolder();
    await using server = await listen({ settings });
    const urls = ["--account", server.urls.account, "--museum", server.urls.museum];
    const { code, out } = await runCommand("calibrate", ...urls, ...folder.flags("login", "basic", "out"));
    expect([0, 6], out).toContain(code);
    expect(out).not.toContain("no setting"); // The sandbox with the scenario answered every probe in the same way.
    expect(server.sandbox.journal.list().length).toBeLessThanOrEqual(60);
    for (const { service, name, values } of choices) {
      const wanted = settings[service][name];
      const seen = folder.read("out").settings[service][name] ?? values[0];
      const isOpen = name === "strictTokens" && settings.account.protectDocs;
      if (isOpen) expect(out).toMatch(/^account: .* not checked: .*strictTokens/m);
      else if (name === "credentials") expect(seen === undefined).toBe(wanted === undefined);
      else if (name === "tokenLifetime") expect(parseDuration(seen)).toBe(parseDuration(wanted));
      else if (name !== "pageSize" || wanted < 40)
        expect([name, seen, settings]).toEqual([name, wanted, settings]);
      counts[isOpen ? "open" : "found"] += 1;
    }
  }
  expect(counts.found).toBeGreaterThan(counts.open);
});
