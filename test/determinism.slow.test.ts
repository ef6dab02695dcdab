// The same fixtures, seed, clock and requests give the same bytes in another process.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { type Told, tellOnce } from "./support/story.ts";

test("the same requests return the same bytes in another process and in another time zone", async () => {
  const here = new Date(0).getTimezoneOffset();
  const zone = here > 0 ? "Pacific/Auckland" : "America/Los_Angeles";
  const there = await tellInZone(zone);
  expect(there.offset).not.toBe(here);
  expect(there.told).toEqual(await tellOnce());
});

/** Another process runs the same sources, made one file beside the package's own. */
async function tellInZone(zone: string): Promise<{ readonly offset: number; readonly told: Told }> {
  const folder = await mkdtemp("node_modules/.story-");
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "story.mjs");
  await build({
    input: "test/support/story.ts",
    platform: "node",
    output: { file, codeSplitting: false },
    logLevel: "silent",
  });
  const script = `
    const { tellOnce } = await import(${JSON.stringify(pathToFileURL(file).href)});
    const offset = new Date(0).getTimezoneOffset();
    process.stdout.write(JSON.stringify({ offset, told: await tellOnce() }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, TZ: zone },
    maxBuffer: 16 * 1_024 * 1_024,
  });
  return JSON.parse(stdout);
}
