// Who may have a folder: one at a time, also when many come at once and when the last one died.

import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/vitrine.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("a folder that another has", () => {
  test("is refused while its holder lives, and free after", async () => {
    const first = await createSandbox({ data: folder });
    try {
      await expect(createSandbox({ data: folder })).rejects.toMatchObject({
        code: "stateLocked",
        message: expect.stringContaining(`process ${process.pid}`),
      });
    } finally {
      await first.close();
    }
    await (await createSandbox({ data: folder })).close();
  });

  test("is taken over when its holder is dead, by exactly one", async () => {
    await writeFile(join(folder, "state.lock"), JSON.stringify({ pid: process.pid, startedAt: "1" }));
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => createSandbox({ data: folder })));
    const won = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(won).toHaveLength(1);
    for (const result of opened)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "stateLocked" });
    await won[0]?.close();
    expect((await readdir(folder)).sort()).toEqual(["entities-1.jsonl", "log-1.jsonl", "state.json"]);
  });
});
