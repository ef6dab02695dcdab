// A folder whose path is too long for the socket of a lock: whoever comes looks for a second whether its holder lives.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

test("a folder whose path has no room for a socket is locked by a lock that is touched", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-lock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const deep = join(folder, "d".repeat(120));
  await mkdir(deep);
  const first = await createSandbox({ data: deep });
  const file = join(deep, "state.lock");
  const lock = JSON.parse(await readFile(file, "utf8"));
  expect(lock).toMatchObject({ beats: true });
  await writeFile(file, JSON.stringify({ ...lock, pid: 2 ** 30, startedAt: "1" }));
  await expect(createSandbox({ data: deep })).rejects.toMatchObject({ code: "stateLocked" });
  await first.close();
});
