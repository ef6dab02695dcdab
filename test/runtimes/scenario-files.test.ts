// Scenario files on the disk: what they may extend, what a name may reach, and reading them again when they change.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import type { GivenScenario } from "../../src/open/typed-scenario.ts";
import { nodeRuntime } from "../../src/runtimes/node/runtime.ts";
import { checkScenario, type Reload, watchScenarios } from "../../src/runtimes/node/scenario-files.ts";
import { applyRules } from "../../src/sandbox/apply-scenario.ts";
import { readScenario } from "../../src/scenario/library.ts";
import { services } from "../../src/services/index.ts";

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

/** Names that would lead out of the folder, or to no file, for somebody who reads them carelessly. */
const SPELLINGS = [
  "../secret.json",
  "./../secret.json",
  "././../secret.json",
  ".././secret.json",
  "..//secret.json",
  "sub/../../secret.json",
  "sub/../../root/../secret.json",
  "sub/../../../../../../../../etc/passwd",
  "../root/../secret.json",
  "../../secret.json",
  "../secret.json/",
  "../secret.json/.",
  "../secret.json\u0000",
  "../secret.json\u0000.json",
  "sub/\u0000.json",
  "../secret.json ",
  " ../secret.json",
  "../secret.json.",
  "../secret.json?x",
  "../secret.json#x",
  "..\\secret.json",
  ".\\..\\secret.json",
  "sub\\..\\..\\secret.json",
  "..\\/secret.json",
  "%2e%2e/secret.json",
  "%2e%2e%2fsecret.json",
  "..%2fsecret.json",
  "..%2Fsecret.json",
  "..%5csecret.json",
  "..%5Csecret.json",
  "%252e%252e%252fsecret.json",
  "..%252fsecret.json",
  "..%255csecret.json",
  "..%c0%afsecret.json",
  "..%u2215secret.json",
  "\uff0e\uff0e/secret.json",
  "..\u2215secret.json",
  "..\u2044secret.json",
  "....//secret.json",
  "..;/secret.json",
  "~/secret.json",
  "$HOME/secret.json",
  `$${"{HOME}"}/secret.json`,
  "link.json",
  "./link.json",
  "sub/../link.json",
  "LINK.JSON",
  "loop.json",
  "out/secret.json",
  "out/../secret.json",
  "./sub",
  "./",
  ".",
  "..",
  "/",
  "/etc/passwd",
  "//etc/passwd",
  "/proc/self/environ",
  "file:///etc/passwd",
  "file://../secret.json",
  "C:\\secret.json",
  "C:/secret.json",
  "\\\\server\\share\\secret.json",
  "\\\\?\\C:\\secret.json",
  "CON.json",
  "NUL.json",
  "sub/aux.json",
  "secret.json:stream",
  "secret.json::$DATA",
  "*.json",
];

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

  test("is named by its path in the error if it is invalid or missing", () => {
    const wrong = write("root/wrong.json", '{ "version": 1, "ruls": [] }');
    expect(() => checkScenario(wrong, services)).toThrow(`${wrong}:1:17: Unknown field "ruls".`);
    const none = join(folder, "none.json");
    expect(() => checkScenario(none, services)).toThrow(`${none}: No such file.`);
    expect(() => readScenario(nodeRuntime, folder, services)).toThrow("This is a folder.");
  });

  test("cannot read files outside its folder, in any spelling", () => {
    write("secret.json", { version: 1, rules: [pass("secret")] });
    symlinkSync(join(folder, "secret.json"), join(folder, "root", "link.json"));
    symlinkSync(join(folder, "root", "loop.json"), join(folder, "root", "loop.json"));
    symlinkSync(folder, join(folder, "root", "out"));
    for (const name of SPELLINGS) {
      const top = write("root/top.json", { version: 1, extends: [name] });
      expect(() => checkScenario(top, services), name).toThrow(/Unknown scenario|This is a folder/);
    }
  });
});

describe("over HTTP", () => {
  let sandbox: Awaited<ReturnType<typeof createSandbox>>;
  beforeAll(async () => {
    sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
  });
  beforeEach(() => sandbox.reset());
  afterAll(() => sandbox.close());

  const put = async (scenario: unknown) => {
    const reply = await sandbox.fetch("/_vitrine/scenario", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(scenario),
    });
    return [reply.status, sandbox.core.ruleSet.scenario.name] as const;
  };

  test("a preset is chosen by its name", async () => {
    expect(await put({ name: "login-throttled" })).toEqual([200, "login-throttled"]);
  });

  test.each([
    "../scenarios/login-throttled",
    "./login-throttled",
    "./scenarios/login-throttled.json",
    "scenarios/login-throttled.json",
    "scenarios/../scenarios/login-throttled",
    "login-throttled.json",
    "login-throttled/",
    "login-throttled/.",
    "/login-throttled",
    "\\login-throttled",
    "..%2flogin-throttled",
    "%2e%2e%2fscenarios%2flogin-throttled",
    "login%2dthrottled",
    "login%252dthrottled",
    "..%5clogin-throttled",
    "login-throttled\u0000",
    "login-throttled\u0000.json",
    "login-throttled\n",
    " login-throttled",
    "login-throttled ",
    "login-throttled.",
    "LOGIN-THROTTLED",
    "login\u2010throttled",
    "login-throttled:stream",
    "login-throttled::$DATA",
    "",
    ".",
    "..",
    "-",
    "*",
    "login-*",
    "__proto__",
    "constructor",
    "toString",
    "a".repeat(200),
    "/etc/passwd",
    "../package",
    "C:\\login-throttled",
    "file:login-throttled",
    "CON",
    "NUL",
    "COM1",
    "~",
  ])("nothing is read by the name %j", async (name) => {
    const [status, scenario] = await put({ name });
    expect([400, 404]).toContain(status);
    expect(scenario).toBe("default");
  });

  test("a value that looks like a file extends only presets", async () => {
    const own = write("root/own.json", { version: 1 });
    write("root/other.json", { version: 1 });
    const text = JSON.stringify({ version: 1, extends: ["./other.json"] });
    expect(await put({ file: own, text })).toEqual([400, "default"]);
    expect(await put({ version: 1, extends: ["./other.json"] })).toEqual([400, "default"]);
    expect(await put({ version: 1, extends: [own] })).toEqual([400, "default"]);
    expect((await put({ version: 1, extends: ["login-throttled"] }))[0]).toBe(200);
  });
});

describe("a file that changes", () => {
  /** Saves files one after another, each time until it has been read again; ends with what the last one gave. */
  async function save(file: string, ...saves: readonly (() => void)[]): Promise<readonly Reload[]> {
    const reloads: Reload[] = [];
    let arrived = (): void => {};
    const stop = watchScenarios([file], services, [], (reload) => {
      reloads.push(reload);
      arrived();
    });
    try {
      for (const saved of saves) {
        const told = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        saved();
        await told;
      }
    } finally {
      stop();
    }
    return reloads;
  }
  const idsOf = (reload: Reload | undefined) =>
    reload !== undefined && "scenario" in reload ? reload.scenario?.rules.map(({ id }) => id) : reload;

  test("is read again, and an error in it is reported with its position", async () => {
    const file = write("root/watched.json", { version: 1, rules: [pass("one")] });
    const [right, wrong] = await save(
      file,
      () => write("root/watched.json", { version: 1, rules: [pass("two")] }),
      () => write("root/watched.json", '{ "version": 1, "rules": [ }'),
    );
    expect(idsOf(right)).toEqual(["two"]);
    expect(wrong).toMatchObject({ error: { code: "badScenario", place: { file, line: 1, column: 28 } } });
  });

  test("is read again if the scenario extends it, even if only since a later change", async () => {
    write("root/sub/low.json", { version: 1, rules: [pass("low")] });
    write("root/side.json", { version: 1, rules: [pass("side")] });
    const top = write("root/top.json", { version: 1, extends: ["side.json"] });
    const reloads = await save(
      top,
      () => write("root/side.json", { version: 1, extends: ["sub/low.json"] }),
      () => write("root/sub/low.json", { version: 1, rules: [pass("lower")] }),
    );
    expect(reloads.map(idsOf)).toEqual([["low"], ["lower"]]);
  });

  test("applies its new rules to the existing state", async () => {
    const file = write("root/top.json", { version: 1, rules: [pass("one")] });
    await using sandbox = await createSandbox({
      clock: "2026-03-02T09:00:00Z",
      scenario: file as GivenScenario,
    });
    sandbox.data.museum.specialEvents.replace([]);
    write("root/top.json", { version: 1, rules: [pass("two")] });
    applyRules(sandbox.core, readScenario(nodeRuntime, file, services));
    expect(sandbox.rules.list().map(({ id }) => id)).toEqual(["two"]);
    expect(sandbox.data.museum.specialEvents.all()).toEqual([]);
  });
});
