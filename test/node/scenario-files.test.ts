// Scenario files on the disk: what they may extend, what a name may reach, and reading them again when they change.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkScenario, type Reload, readScenario, watchScenarios } from "../../src/node/scenario-files.ts";
import { stageRules } from "../../src/sandbox/stage.ts";
import { createSandbox, services } from "../../src/vitrine.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-"));
  mkdirSync(join(folder, "root", "sub"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pass = (id: string) => ({ id, then: { pass: true } });
function write(path: string, scenario: object | string): string {
  const file = join(folder, path);
  writeFileSync(file, typeof scenario === "string" ? scenario : JSON.stringify(scenario));
  return file;
}
const ids = (path: string) => checkScenario(path, services).rules.map(({ id }) => id);

describe("a scenario file", () => {
  test("extends files beside and below it, and presets", () => {
    write("root/sub/low.json", { version: 1, rules: [pass("low")] });
    write("root/side.json", { version: 1, extends: ["./sub/low.json"], rules: [pass("side")] });
    const top = write("root/top.json", {
      version: 1,
      extends: ["login-throttled", "side.json"],
      rules: [pass("top")],
    });
    expect(ids(top)).toEqual(["top", "side", "throttled", "low"]);
  });

  test("is told by its path when it is wrong, or not there", () => {
    const wrong = write("root/wrong.json", '{ "version": 1, "ruls": [] }');
    expect(() => checkScenario(wrong, services)).toThrow(`${wrong}:1:17: Unknown field "ruls".`);
    const none = join(folder, "none.json");
    expect(() => checkScenario(none, services)).toThrow(`${none}: There is no such file.`);
    expect(() => readScenario(folder, services)).toThrow("This is a folder.");
  });

  test.each([
    "../secret.json",
    "./../secret.json",
    "sub/../../secret.json",
    "sub/../../root/../secret.json",
    "..\\secret.json",
    "%2e%2e/secret.json",
    "..%2fsecret.json",
    "link.json",
    "loop.json",
    "./sub",
    "./",
    ".",
    "..",
    "/etc/passwd",
    "file:///etc/passwd",
    "C:\\secret.json",
    "CON.json",
    "secret.json:stream",
    "../root/../secret.json",
    "sub/\u0000.json",
  ])("reaches nothing outside its folder by %j", (name) => {
    write("secret.json", { version: 1, rules: [pass("secret")] });
    symlinkSync(join(folder, "secret.json"), join(folder, "root", "link.json"));
    symlinkSync(join(folder, "root", "loop.json"), join(folder, "root", "loop.json"));
    const top = write("root/top.json", { version: 1, extends: [name] });
    expect(() => checkScenario(top, services)).toThrow(/Unknown scenario|This is a folder/);
  });
});

describe("over HTTP", () => {
  const put = async (scenario: unknown) => {
    await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
    const reply = await sandbox.fetch("/_vitrine/scenario", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(scenario),
    });
    return [reply.status, sandbox.rules.scenario.name] as const;
  };

  test("a preset is chosen by its name", async () => {
    expect(await put({ name: "login-throttled" })).toEqual([200, "login-throttled"]);
  });

  test.each([
    "../scenarios/login-throttled",
    "./scenarios/login-throttled.json",
    "scenarios/login-throttled.json",
    "login-throttled.json",
    "..%2flogin-throttled",
    "login-throttled\u0000",
    "",
    ".",
    "__proto__",
    "constructor",
    "a".repeat(200),
    "/etc/passwd",
    "CON",
  ])("nothing is read by the name %j", async (name) => {
    const [status, scenario] = await put({ name });
    expect([400, 404]).toContain(status);
    expect(scenario).toBe("default");
  });

  test("a value that looks like a file extends presets alone", async () => {
    const own = write("root/own.json", { version: 1 });
    write("root/other.json", { version: 1 });
    const text = JSON.stringify({ version: 1, extends: ["./other.json"] });
    expect(await put({ file: own, text })).toEqual([400, "default"]);
    expect(await put({ version: 1, extends: ["./other.json"] })).toEqual([400, "default"]);
    expect(await put({ version: 1, extends: [own] })).toEqual([400, "default"]);
    expect((await put({ version: 1, extends: ["login-throttled"] }))[0]).toBe(200);
  });
});

test("a file that changes is read again; while it is wrong the last good rules stay", async () => {
  const file = write("root/watched.json", { version: 1, rules: [pass("one")] });
  await using sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z", scenario: file });
  const reloads: Reload[] = [];
  let arrived = (): void => {};
  const stop = watchScenarios([file], services, (reload) => {
    reloads.push(reload);
    if ("scenario" in reload) stageRules(sandbox, reload.scenario);
    arrived();
  });
  const saved = async (text: string) => {
    const told = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    writeFileSync(file, text);
    await told;
    return reloads.at(-1);
  };
  try {
    sandbox.data.museum.specialEvents.replace([]);
    await saved(JSON.stringify({ version: 1, rules: [pass("two")] }));
    expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["two"]);
    const wrong = await saved('{ "version": 1, "rules": [ }');
    expect(wrong).toMatchObject({ error: { code: "badScenario", place: { file, line: 1, column: 28 } } });
    expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["two"]);
    expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
  } finally {
    stop();
  }
});
