// What a tool of others finds in the documents: mistakes, and how good they are to read. Slow: starts the command for each.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { control } from "../../src/control/index.ts";
import { services } from "../../src/services/index.ts";
import { frozenSandbox } from "../support/test.ts";

const run = promisify(execFile);
const documents = [...services, control].map(({ name, environments: [first] }) => ({
  name,
  base: first?.base,
}));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "redocly-"));
  await using sandbox = await frozenSandbox();
  for (const { name, base } of documents)
    await writeFile(fileOf(name), await (await sandbox.fetch(`${base}/openapi.json`)).text());
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(documents)("redocly", ({ name }) => {
  test(`gives the documentation of ${name} at least 90 %`, async () => {
    const { subscores } = JSON.parse(await redocly("score", fileOf(name), "--format=json"));
    expect(subscores.documentationQuality).toBeGreaterThanOrEqual(0.9);
    expect(subscores.exampleCoverage).toBe(1);
  });
});

test("redocly finds nothing to say against the documents of both services", async () => {
  const files = services.map(({ name }) => fileOf(name));
  const found = await redocly("lint", "--format=json", "--skip-rule=no-server-example.com", ...files);
  // One JSON object a file, with nothing between them.
  const reports: { problems: unknown[] }[] = JSON.parse(
    `[${found.trim().replaceAll(/\}\s*\{(?=\s*"totals")/g, "},{")}]`,
  );
  expect(reports.map(({ problems }) => problems)).toEqual(files.map(() => []));
});

function fileOf(name: string): string {
  return join(folder, `${name}.json`);
}

async function redocly(...args: readonly string[]): Promise<string> {
  const bin = "test/node_modules/@redocly/cli/bin/cli.js";
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return (await run(process.execPath, [bin, ...args], { env })).stdout;
}
