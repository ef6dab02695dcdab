// Suites with vitrine/vitest and vitrine/playwright that fail, each run by its runner in a process of its own: what a
// developer is shown, and what a failed test leaves. Those that pass: projects.slow.test.ts. Slow, as two runners start.

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assertCapsule } from "../../src/journal/describe-capsule.ts";

const UNKNOWN = "/museum/v1.1/nothing-here";
const STAGE = { seed: 7, clock: "2026-03-01T09:00:00Z" };
/** What a runner may take to start on a busy machine. */
const PATIENCE_MS = 150_000;
const ROOT = join(import.meta.dirname, "../..");

let home: string;

beforeAll(async () => {
  // Inside this tree, so that the suites find their runners.
  home = await mkdtemp(join(import.meta.dirname, "project-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe("a project of vitest that keeps capsules", () => {
  const SUITE = `
    import { expect } from "vitest";
    import { test } from "../../../src/testing/vitest.ts";
    test("finds: more than/there is", async ({ sandbox }) => {
      expect((await sandbox.museum.listSpecialEvents()).body).toHaveLength(99);
    });
    test("calls what there is not", async ({ sandbox }) => {
      await sandbox.fetch("${UNKNOWN}");
    });
    test("is content", async ({ sandbox }) => {
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
    });
    let tries = 0;
    test("passes when it is tried again", { retry: 1 }, async ({ sandbox }) => {
      await sandbox.museum.listSpecialEvents();
      expect(++tries).toBe(2);
    });
    test.fails("is meant to fail", async ({ sandbox }) => {
      await sandbox.museum.listSpecialEvents();
      expect(1).toBe(2);
    });
    test("has a rule that never fires", async ({ sandbox }) => {
      sandbox.use({ id: "idle", when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 500 } } });
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
    });
    const strict = test.extend({ sandboxVerify: "strict" });
    strict("is strict with such a rule", async ({ sandbox }) => {
      sandbox.use({ id: "idle", when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 500 } } });
      expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
    });
    test("is skipped on the way", async ({ sandbox, skip }) => {
      await sandbox.fetch("${UNKNOWN}");
      skip();
    });
  `;
  const NIGHT = `
    import { expect } from "vitest";
    import { test } from "../../../src/testing/vitest.ts";
    test.override({ sandboxCapsules: undefined });
    const body = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-31"], price: 1 };
    test("an event is created once, even if the reply is lost", async ({ sandbox }) => {
      await sandbox.scenario("reply-lost-after-create");
      const create = () => sandbox.museum.createSpecialEvent({ body });
      await create().catch(create);
      await expect(sandbox).toHaveReceived({ operation: "museum.createSpecialEvent" }, { times: 1 });
    });
  `;
  let output: string;

  beforeAll(async () => {
    const provide = { sandboxOptions: STAGE, sandboxCapsules: "capsules" };
    await writeFile(
      join(home, "vitest.config.js"),
      `export default { test: ${JSON.stringify({ provide })} };`,
    );
    await writeFile(join(home, "suite.test.ts"), SUITE);
    await writeFile(join(home, "night.test.ts"), NIGHT);
    const reporters = ["--reporter=default", "--reporter=json", "--outputFile.json=vitest.json"];
    output = await run("vitest/vitest.mjs", "run", ...reporters);
  }, PATIENCE_MS);

  test("reports the failures, including those at the end of a test", async () => {
    const { testResults } = JSON.parse(await readFile(join(home, "vitest.json"), "utf8"));
    const suite = testResults.find(({ name }: { name: string }) => name.endsWith("suite.test.ts"));
    const told: readonly VitestResult[] = suite.assertionResults;
    expect(told.map(({ title, status }) => [title, status])).toEqual([
      ["finds: more than/there is", "failed"],
      ["calls what there is not", "failed"],
      ["is content", "passed"],
      ["passes when it is tried again", "passed"],
      ["is meant to fail", "passed"],
      ["has a rule that never fires", "passed"],
      ["is strict with such a rule", "failed"],
      ["is skipped on the way", "skipped"],
    ]);
    expect(told[1]?.failureMessages[0]).toContain("#1 GET /nothing-here matches no operation.");
  });

  test("prints the requests of the client in each failure", async () => {
    expect(output).toContain(`
What the client did:
  #1 GET /museum/v1.1/special-events 200
`);
    expect(output).toContain(`
What the client did:
  #1 GET /museum/v1.1/nothing-here 404 · pathNotFound · Nearest: `);
  });

  test("prints the failure that the README shows", async () => {
    const readme = await readFile(join(ROOT, "README.md"), "utf8");
    const [, block = ""] = /^```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(block).toContain("What the client did:");
    expect(output).toContain(block);
  });

  test("prints warnings, which are failures in strict mode", () => {
    expect(output).toContain(
      'vitrine: suite.test.ts has a rule that never fires: The rule "idle" was never applied.\n',
    );
    expect(output).toContain('UsageError: The rule "idle" was never applied.\n');
  });

  test("stores a capsule of each real failure, and prints the command that shows it", async () => {
    const files = (await readdir(join(home, "capsules"))).sort();
    expect(files).toEqual([
      expect.stringMatching(/^suite-test-ts-calls-what-there-is-not-[0-9a-f]{8}\.json$/),
      expect.stringMatching(/^suite-test-ts-finds-more-than-there-is-[0-9a-f]{8}\.json$/),
      expect.stringMatching(/^suite-test-ts-is-strict-with-such-a-rule-[0-9a-f]{8}\.json$/),
    ]);
    for (const file of files) {
      expect(output).toContain(`vitrine show ${JSON.stringify(join("capsules", file))}`);
      expectCapsule(await readFile(join(home, "capsules", file), "utf8"));
    }
  });
});

describe("a project of Playwright", () => {
  const SUITE = `
    import { expect, test } from "../../../src/testing/playwright.ts";
    const seen = new Set();
    for (const round of [1, 2]) {
      test("has a world of its own " + round, async ({ sandbox, request }) => {
        expect(seen.has(sandbox.urls.museum)).toBe(false);
        seen.add(sandbox.urls.museum);
        const headers = sandbox.auth.basic();
        const events = sandbox.urls.museum + "/special-events";
        expect(await (await request.get(events, { headers })).json()).not.toEqual([]);
        expect(sandbox.journal.count()).toBe(1);
        sandbox.data.museum.specialEvents.replace([]);
        expect(await (await request.get(events, { headers })).json()).toEqual([]);
      });
    }
    test("calls what there is not", async ({ sandbox, request }) => {
      await request.get(sandbox.urls.museum + "/nothing-here");
    });
    test("finds more than there is", async ({ sandbox, request }) => {
      await request.get(sandbox.urls.museum + "/special-events", { headers: sandbox.auth.basic() });
      await expect(sandbox).toHaveReceived({ operation: "museum.listSpecialEvents" }, { times: 99 });
    });
    test("is meant to fail", async ({ sandbox, request }) => {
      test.fail();
      await request.get(sandbox.urls.museum + "/special-events", { headers: sandbox.auth.basic() });
      expect(1).toBe(2);
    });
    test.describe("with sandboxVerify off", () => {
      test.use({ sandboxVerify: false });
      test("may call what there is not", async ({ sandbox, request }) => {
        await request.get(sandbox.urls.museum + "/nothing-here");
      });
    });
  `;
  let told: ReadonlyMap<string, PlaywrightResult>;

  beforeAll(async () => {
    const config = {
      testMatch: "*.spec.ts",
      outputDir: "results",
      use: { sandboxOptions: STAGE },
      reporter: [["json", { outputFile: "playwright.json" }]],
    };
    await writeFile(join(home, "playwright.config.ts"), `export default ${JSON.stringify(config)};`);
    await writeFile(join(home, "suite.spec.ts"), SUITE);
    await run("@playwright/test/cli.js", "test", "--workers=1");
    const { suites } = JSON.parse(await readFile(join(home, "playwright.json"), "utf8"));
    told = new Map(resultsOf(suites));
  }, PATIENCE_MS);

  test("passes and fails the expected tests", () => {
    expect([...told].map(([title, { status }]) => [title, status])).toEqual([
      ["has a world of its own 1", "passed"],
      ["has a world of its own 2", "passed"],
      ["calls what there is not", "failed"],
      ["finds more than there is", "failed"],
      ["is meant to fail", "failed"],
      ["may call what there is not", "passed"],
    ]);
    expect(told.get("finds more than there is")?.errors[0]?.message).toMatch(
      /expected exactly 99, found 1\.\n\nWhat the client did:\n {2}#1 GET \/museum\/v1\.1\/special-events 200\n/,
    );
    const ofItsOwn = told.get("is meant to fail")?.attachments.map(({ name }) => name) ?? ["was not there"];
    expect(ofItsOwn.filter((name) => name !== "error-context")).toEqual([]); // which is Playwright's
    expect(told.get("calls what there is not")?.errors[0]?.message).toContain(
      "#1 GET /nothing-here matches no operation.",
    );
  });

  test.for(["calls what there is not", "finds more than there is"])(
    "attaches a capsule to the test that %s",
    async (title) => {
      const [capsule] =
        told.get(title)?.attachments.filter(({ name }) => name === "vitrine-capsule.json") ?? [];
      expect(capsule?.contentType).toBe("application/json");
      expectCapsule(Buffer.from(capsule?.body ?? "", "base64").toString());
    },
  );

  test("attaches no capsule to a test that passed", () => {
    expect(told.get("may call what there is not")?.attachments).toEqual([]);
  });
});

type VitestResult = {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
};

type PlaywrightResult = {
  readonly status: string;
  readonly errors: readonly { readonly message: string }[];
  readonly attachments: readonly {
    readonly name: string;
    readonly contentType: string;
    readonly body?: string;
  }[];
};

type PlaywrightSuite = {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { readonly results: readonly PlaywrightResult[] }[];
  }[];
};

function resultsOf(suites: readonly PlaywrightSuite[]): (readonly [string, PlaywrightResult])[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests.flatMap(({ results }) => results.map((result) => [title, result] as const)),
    ),
    ...resultsOf(inner),
  ]);
}

/** One exchange from a known initial state. */
function expectCapsule(text: string): void {
  const capsule = JSON.parse(text);
  expect(capsule).toMatchObject({ seed: STAGE.seed, clock: { start: "2026-03-01T09:00:00.000Z" } });
  expect(capsule.journal).toHaveLength(1);
  expect(() => assertCapsule(capsule)).not.toThrow();
}

/** Runs a program of an installed package in the project; resolves with all its output, as it may well fail. */
function run(program: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], NO_COLOR: "1" };
  const command = [join(ROOT, "node_modules", program), ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { cwd: home, env, timeout: PATIENCE_MS },
      (_failure, out, complaints) => resolve(out + complaints),
    );
  });
}
