// Two containers that share a folder: neither sees the pid of the other, and still only one may have it.

import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN } from "./bin.ts";

const APART = ["--pid", "--fork", "--mount-proc", "--kill-child"];
const isAllowed = spawnSync("unshare", [...APART, "true"]).status === 0;
if (!isAllowed) console.warn("skipped: this machine does not let us make a namespace of pids");

test.skipIf(!isAllowed)(
  "a second server in another namespace of pids exits 4 and changes nothing",
  async () => {
    const data = await mkdtemp(join(tmpdir(), "vitrine-apart-"));
    const start = () =>
      spawn("unshare", [...APART, process.execPath, BIN, "start", "--port", "0", "--json", "--data", data]);
    const first = start();
    const ended = new Promise((resolve) => first.once("close", resolve));
    await new Promise((resolve) => first.stdout.once("data", resolve));
    const second = start();
    let error = "";
    second.stderr.on("data", (chunk) => {
      error += chunk;
    });
    expect(await new Promise((resolve) => second.once("close", resolve))).toBe(4);
    expect(error).toMatch(/in use by process \d+/);
    first.kill("SIGKILL"); // and with it the server
    await ended;
    const third = start();
    await new Promise((resolve) => third.stdout.once("data", resolve));
    const over = new Promise((resolve) => third.once("close", resolve));
    third.kill("SIGKILL");
    await over;
    await rm(data, { recursive: true, force: true });
  },
);

test.skipIf(!isAllowed)("a server that is process 1 can be ended before it is ready", async () => {
  const args = [...APART, process.execPath, BIN, "--port", "0", "--data", "/proc/nope"]; // mkdir never returns there
  const parent = spawn("unshare", args, { stdio: "ignore" });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const end = async () => {
    const child = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8").catch(() => "");
    if (child !== "") process.kill(Number(child), "SIGTERM");
    return parent.exitCode;
  };
  await expect.poll(end).toBe(128 + 15);
});
