// A verb that is added in three places, its row, its line in `Controls` and its method, in a copy of the sources: nothing
// else has to be touched for it to be served, documented, called over HTTP and listed in the manual.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const NODE_MODULES = join(ROOT, "node_modules");

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "vitrine-added-verb-"));
  for (const name of ["src", "fixtures", "scenarios", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(NODE_MODULES, join(copy, "node_modules"));
  edit("tsconfig.json", '"include": ["src", "test", ".ci"]', '"include": ["src"]');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("a verb is its row, its line and its method", { timeout: 120_000 }, () => {
  edit(
    "src/sandbox/controls.ts",
    "  currentScenario(): CurrentScenario;\n",
    `  currentScenario(): CurrentScenario;
  /** How many mails have this in their subject. */
  countMails(subject: string): number;
`,
  );
  const without = typeCheck();
  expect(without).toContain("LiveSandbox");
  expect(without).toContain('"has no row": "countMails"');

  edit(
    "src/live-sandbox.ts",
    "  currentScenario(): CurrentScenario {\n",
    `  countMails(subject: string): number {
    return this.mailbox.messages({ subject }).length;
  }

  currentScenario(): CurrentScenario {
`,
  );
  edit(
    "src/control/verbs/data.ts",
    "  clearMails: verb({\n",
    `  countMails: verb({
    route: "GET /mailbox/count",
    summary: "Count the mails with a subject",
    tag: "mailbox",
    query: { subject: z.string().describe("A part of the subject.") },
    answer: z.object({ count: z.int() }),
    run: ({ query, sandbox }) => ({ count: sandbox.countMails(query.subject) }),
    verbs: { countMails: { request: (subject) => ({ query: { subject } }), result: ({ count }) => count } },
    example: () => ({ query: { subject: "Presale" } }),
  }),

  clearMails: verb({
`,
  );
  expect(typeCheck()).toBe("");

  write(
    "test/added.test.ts",
    `import { expect, test } from "vitest";
import { verbsTable } from "../src/control/table.ts";
import { connect, createSandbox } from "../src/index.ts";

test("it is there", async () => {
  await using sandbox = await createSandbox();
  const { url } = await sandbox.listen();
  expect(sandbox.countMails("alert")).toBe(0);
  expect(await connect(url).countMails("alert")).toBe(0);
  const reply = await fetch(url + "/_vitrine/mailbox/count?subject=alert");
  expect([reply.status, await reply.json()]).toEqual([200, { count: 0 }]);
  expect((await fetch(url + "/_vitrine/mailbox/count?subjekt=alert")).status).toBe(400);
  const { paths } = await (await fetch(url + "/_vitrine/openapi.json")).json();
  const { get } = paths["/mailbox/count"];
  expect(get).toMatchObject({ operationId: "countMails", "x-codeSamples": [{ lang: "Shell" }] });
  expect(get["x-codeSamples"][0].source).toContain("/_vitrine/mailbox/count?subject=Presale");
  expect(verbsTable()).toContain("| \`GET /mailbox/count\` | \`countMails\` | Count the mails with a subject |");
});
`,
  );
  const vitest = join(NODE_MODULES, "vitest/vitest.mjs");
  const output = execFileSync(process.execPath, [vitest, "run", "--root", copy, "test/added.test.ts"], {
    encoding: "utf8",
    env: { ...process.env, VITEST: undefined, NO_COLOR: "1" },
  });
  expect(output).toMatch(/Tests\s+1 passed/);
});

/** What the compiler complains of. */
function typeCheck(): string {
  const compiler = join(NODE_MODULES, "typescript/bin/tsc");
  try {
    return execFileSync(process.execPath, [compiler, "--noEmit", "-p", copy], { encoding: "utf8" });
  } catch (error) {
    return String((error as { readonly stdout: string }).stdout);
  }
}

function edit(file: string, old: string, text: string): void {
  const before = readFileSync(join(copy, file), "utf8");
  expect(before.split(old), `${file} has this once: ${old}`).toHaveLength(2);
  write(
    file,
    before.replace(old, () => text),
  );
}

function write(file: string, text: string): void {
  mkdirSync(join(copy, file, ".."), { recursive: true });
  writeFileSync(join(copy, file), text);
}
