// How good the documents are to read, by somebody else's measure. Slow: starts the command for each.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { control } from "../../src/control/index.ts";
import { services } from "../../src/services/index.ts";
import { test } from "../support/test.ts";

test.for([...services, control].map(({ name, environments: [first] }) => ({ name, base: first?.base })))(
  "redocly gives the documentation of $name at least 90 %",
  async ({ name, base }, { sandbox }) => {
    const folder = await mkdtemp(join(tmpdir(), "score-"));
    try {
      const file = join(folder, `${name}.json`);
      await writeFile(file, await (await sandbox.fetch(`${base}/openapi.json`)).text());
      const bin = join("node_modules", "@redocly", "cli", "bin", "cli.js");
      const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
      const run = promisify(execFile);
      const { stdout } = await run(process.execPath, [bin, "score", file, "--format=json"], { env });
      const { subscores } = JSON.parse(stdout);
      expect(subscores.documentationQuality).toBeGreaterThanOrEqual(0.9);
      expect(subscores.exampleCoverage).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
