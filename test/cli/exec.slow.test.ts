// `vitrine exec`: the command sees a sandbox that is ready, its end is ours, and nothing stays behind.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBin } from "./bin.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-exec-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A command that runs a script in this same Node. */
function node(script: string): string[] {
  return ["exec", "--", process.execPath, "-e", script];
}

/** Whether a process runs. A zombie does not: it waits for a parent that, in a container, may never ask. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) Z /.test(stat);
}

async function aliveOf(file: string): Promise<number[]> {
  const pids = (await readFile(file, "utf8")).split(" ").map(Number);
  const alive = await Promise.all(pids.map(isAlive));
  return pids.filter((_, index) => alive[index]);
}

/** Writes the pids of the command and of a child it starts, and waits for both. */
function sleepers(file: string): string {
  return `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "ignore" });
    require("node:fs").writeFileSync(${JSON.stringify(file)}, process.pid + " " + child.pid);
    console.log("sleeping");
    setTimeout(() => {}, 60000);`;
}

describe("vitrine exec", () => {
  test("gives the command the URLs, which respond from its first line on", async () => {
    const run = runBin(
      node(`(async () => {
        const { VITRINE_URL, VITRINE_MUSEUM_URL, VITRINE_ACCOUNT_URL, VITRINE_ACCOUNT_SANDBOX_URL, VITRINE_CONTROL_URL } = process.env;
        const events = await fetch(VITRINE_MUSEUM_URL + "/special-events", { headers: { authorization: "Basic dTpw" } });
        const ready = await fetch(VITRINE_CONTROL_URL + "/ready");
        console.log(JSON.stringify([VITRINE_URL, VITRINE_ACCOUNT_URL, VITRINE_ACCOUNT_SANDBOX_URL, events.status, ready.status]));
      })()`),
    );
    expect(await run.ended).toBe(0);
    const [url, account, accountSandbox, ...statuses] = JSON.parse(run.output.out);
    expect([account, accountSandbox]).toEqual([`${url}/account`, `${url}/account-sandbox`]);
    expect(statuses).toEqual([200, 200]);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("gives a front end the URLs under the names in --env", async () => {
    const [, ...command] = node("console.log(process.env.VITE_MUSEUM_URL, process.env.VITE_LOGIN)");
    const run = runBin([
      "exec",
      "--env",
      "VITE_MUSEUM_URL=museum",
      "--env=VITE_LOGIN=accountSandbox",
      ...command,
    ]);
    expect(await run.ended).toBe(0);
    expect(run.output.out).toMatch(
      /^http:\/\/localhost:(\d+)\/museum\/v1\.1 http:\/\/localhost:\1\/account-sandbox\n$/,
    );
  });

  test.for([
    [
      "VITE_MUSEUM_URL=musem",
      /^vitrine: VITE_MUSEUM_URL: Unknown URL "musem"\. Did you mean "museum"\? Known: museum, account, accountSandbox, control\.\n$/,
    ],
    [
      "VITE_MUSEUM_URL",
      /^vitrine: --env must be a variable and the name of a URL, .* not "VITE_MUSEUM_URL"\.\n$/,
    ],
    ["A B=museum", /^vitrine: --env must be .* not "A B=museum"\.\n$/],
  ] as const)("--env %s is refused, and the command never runs", async ([given, message]) => {
    const [, ...command] = node('console.log("ran")');
    const run = runBin(["exec", "--env", given, ...command]);
    expect(await run.ended).toBe(1);
    expect([run.output.out, run.output.err]).toEqual(["", expect.stringMatching(message)]);
  });

  test("exits with 128 + n if signal n ends the command", async () => {
    expect(await runBin(node('process.kill(process.pid, "SIGKILL")')).ended).toBe(128 + 9);
  });

  test("arguments and standard input reach the command as they are, and its exit code comes back", async () => {
    const run = runBin([
      ...node(
        'process.stdin.on("data", (text) => { console.log(process.argv.at(-1), String(text)); process.exit(7); })',
      ),
      "--",
      "--port=x y",
    ]);
    run.child.stdin?.write("hello");
    expect(await run.ended).toBe(7);
    expect(run.output.out).toBe("--port=x y hello\n");
  });

  test("ends the processes that the command left running", async () => {
    const file = join(folder, "left");
    const run = runBin(node(`${sleepers(file)} setTimeout(() => process.exit(3), 50);`));
    expect(await run.ended).toBe(3);
    await expect.poll(() => aliveOf(file)).toEqual([]);
  });

  test.for<[NodeJS.Signals, number | string]>([
    ["SIGTERM", 128 + 15],
    ["SIGINT", 128 + 2],
    ["SIGHUP", 128 + 1],
    ["SIGKILL", "SIGKILL"],
  ])("ends the command and its children after %s", async ([signal, end]) => {
    const file = join(folder, signal);
    const run = runBin(node(sleepers(file)));
    await run.until(/sleeping/);
    run.child.kill(signal);
    // Its streams stay open until the last of the command's processes is gone.
    expect(await run.ended).toBe(end);
    await expect.poll(() => aliveOf(file)).toEqual([]);
  });
});
