// Who may have a folder: one at a time, also when many come at once and when the last one died.

import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** As a kill leaves it: a lock, and a socket on which nobody listens. */
async function leaveSocket(name: string): Promise<void> {
  const script = `require("net").createServer().listen(${JSON.stringify(join(folder, name))}, () => process.kill(process.pid, "SIGKILL"))`;
  await new Promise((resolve) => spawn(process.execPath, ["-e", script]).once("close", resolve));
}

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

  test("is free when nobody listens on the socket of its lock, whoever has that pid now", async () => {
    await leaveSocket(".lock-0a1b2c3d");
    const own = await readFile(`/proc/self/stat`, "utf8").catch(() => "");
    const startedAt = own.slice(own.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    await writeFile(
      join(folder, "state.lock"),
      JSON.stringify({ pid: process.pid, startedAt, socket: ".lock-0a1b2c3d" }),
    );
    expect(await readdir(folder)).toContain(".lock-0a1b2c3d");
    await (await createSandbox({ data: folder })).close();
    expect((await readdir(folder)).sort()).toEqual(["entities-1.jsonl", "log-1.jsonl", "state.json"]);
  });

  test("is refused by its socket alone, though its pid means nothing here", async () => {
    const first = await createSandbox({ data: folder });
    const lock = JSON.parse(await readFile(join(folder, "state.lock"), "utf8"));
    await writeFile(join(folder, "state.lock"), JSON.stringify({ ...lock, pid: 2 ** 30, startedAt: "1" }));
    await expect(createSandbox({ data: folder })).rejects.toMatchObject({ code: "stateLocked" });
    await first.close();
  });
});
