// The same fixtures, seed, clock and requests give the same bytes: in another run, another process, another time zone,
// over the network, after a reset.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "rolldown";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../src/vitrine.ts";
import { STAGE, type Told, tell, tellOnce } from "./support/story.ts";

describe("the same story", () => {
  test("has something to tell of everything", async () => {
    const { answers, journal, mailbox } = await tellOnce();
    const statuses = new Set(answers.map(({ line }) => line.split(" ").at(-1)));
    expect([...statuses].sort()).toEqual(["200", "201", "204", "400", "401", "404", "422", "429"]);
    expect(journal.length).toBe(answers.length);
    expect(mailbox.length).toBeGreaterThan(0);
  });

  test("is told in the same bytes twice", async () => {
    expect(await tellOnce()).toEqual(await tellOnce());
  });

  test("is another one from another seed", async () => {
    const [one, other] = await Promise.all([tellOnce(), tellOnce({ ...STAGE, seed: 8 })]);
    expect(other.answers.map(({ line }) => line.replace(/[0-9a-f-]{36}/, ""))).toEqual(
      one.answers.map(({ line }) => line.replace(/[0-9a-f-]{36}/, "")),
    );
    expect(other.answers[0]?.body).not.toBe(one.answers[0]?.body);
    expect(other.digest).not.toBe(one.digest);
  });

  test("is told again after a reset as by a fresh sandbox", async () => {
    const sandbox = await createSandbox(STAGE);
    const first = await tell(sandbox, sandbox.fetch);
    sandbox.reset();
    expect(await tell(sandbox, sandbox.fetch)).toEqual(first);
    expect(first).toEqual(await tellOnce());
    await sandbox.close();
  });

  test("is told the same over the network as in process", async () => {
    const sandbox = await createSandbox(STAGE);
    await sandbox.listen();
    const network = await tell(sandbox, fetch);
    await sandbox.close();
    const { answers, mailbox } = await tellOnce();
    // The OpenAPI document names the address at which it was asked, which has another length.
    const anywhere = (told: typeof answers) =>
      told.map(({ line, body, headers }) => {
        const isDocument = line.includes("/openapi.json");
        return isDocument
          ? {
              line,
              body: String(body).replaceAll(/http:..localhost(:\d+)?/g, ""),
              headers: { ...headers, "content-length": "" },
            }
          : { line, body, headers };
      });
    expect(anywhere(network.answers)).toEqual(anywhere(answers));
    expect(network.mailbox).toEqual(mailbox);
  });

  test("is told the same in another process, in another time zone", async () => {
    const here = new Date(0).getTimezoneOffset();
    const zone = here > 0 ? "Pacific/Auckland" : "America/Los_Angeles";
    const there = await tellInZone(zone);
    expect(there.offset).not.toBe(here);
    expect(there.told).toEqual(await tellOnce());
  });
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
