import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeCapsule } from "../../src/runtimes/node/environment.ts";
import { frozenSandbox } from "../support/test.ts";

test("each capsule file is named after its test, and the output shows its command", async () => {
  const told = vi.spyOn(console, "error").mockReturnValue();
  const home = await mkdtemp(join(tmpdir(), "vitrine-capsules-"));
  onTestFinished(async () => {
    told.mockRestore();
    await rm(home, { recursive: true, force: true });
  });
  await using sandbox = await frozenSandbox();
  const folder = join(home, "not", "there yet");
  const long = "展示".repeat(200);
  for (const name of [
    "../cart > pays: once?",
    "../cart > pays: once?",
    "../cart > pays once",
    `one ${long}`,
    `two ${long}`,
  ])
    await writeCapsule(folder, name, sandbox.capsule());

  const files = await readdir(folder);
  expect(files).toHaveLength(4);
  expect(files).toContainEqual(expect.stringMatching(/^-cart-pays-once-[0-9a-f]{8}\.json$/));
  for (const file of files) {
    expect(JSON.parse(await readFile(join(folder, file), "utf8"))).toEqual(sandbox.capsule());
    expect(told).toHaveBeenCalledWith(`vitrine show ${JSON.stringify(join(folder, file))}`);
  }
});
