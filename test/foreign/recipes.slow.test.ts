// The recipes for Python, Java and containers, carried out with the packed package.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../support/built.ts";
import { blocksOf } from "../support/manual.ts";

const JUNIT = "/usr/share/java/junit-platform-console-standalone.jar";
const JAVA = `javac -d out -cp ${JUNIT} *.java && exec java -jar ${JUNIT} -cp out --scan-classpath=out`;
const WAIT = { interval: 200, timeout: 60_000 }; // a look starts a process
const run = promisify(execFile);
const container = (await blocksOf("docs/recipes/docker-and-ci.md")).map(({ text }) => text).join("");
const find = (line: RegExp): string => line.exec(container)?.[1] ?? "";

/** A folder where the steps of the Dockerfile are carried out. */
const folder = await mkdtemp(join(tmpdir(), "vitrine-recipes-"));
afterAll(() => rm(folder, { recursive: true }));
const inFolder = (command: string) =>
  ["sh", ["-c", command], { cwd: folder, env: { ...process.env, RECIPES: folder } }] as const;
await run(...inFolder(`mkdir context && npm pack --pack-destination context ${ROOT}/dist/package`));
await run(...inFolder(`cp context/${find(/^COPY (.*)$/m)} && ${find(/^RUN (.*)$/m)}`));

const findProcesses = async (): Promise<string> =>
  (await run("sh", ["-c", `grep -ls RECIPES=${folder} /proc/[0-9]*/environ || :`])).stdout;

test.for([
  ["python", "exec pytest-3", "found[0] if found else "],
  ["java", JAVA, `if (!send("GET", url + "?limit=30", "").contains("\\"Lamps\\"")) `],
] as const)("%s: tests pass, print all requests, and leave no process", async ([name, suite, guard]) => {
  const blocks = await blocksOf(`docs/recipes/${name}.md`);
  const paste = async (removed: string) => {
    for (const { text } of blocks) {
      const [, file] = /^(?:#|\/\/) (\S+)\n/.exec(text) ?? [];
      if (file !== undefined) await writeFile(join(folder, file), text.replace(removed, ""));
    }
  };
  await paste(guard);
  const { stdout, stderr } = await run(...inFolder(suite)).catch((failure) => failure);
  for (const line of blocks.at(-1)?.text.split("\n") ?? []) expect(stdout + stderr).toContain(line);

  await paste("");
  await cp(import.meta.dirname, folder, { recursive: true });
  expect((await run(...inFolder(suite))).stdout).toMatch(/ 8 (passed|tests successful)/);
  expect(await findProcesses()).toBe("");

  const killed = spawn(...inFolder(suite));
  await expect.poll(findProcesses, WAIT).toMatch(/(.+\n){4}/); // the suite, npx, its shell, the server
  killed.kill("SIGKILL");
  await expect.poll(findProcesses, WAIT).toBe("");
});

test("the container asks for its token, reports its health and ends; a CI job finds the services", async () => {
  const job = await run(...inFolder(find(/(npx vitrine exec --env .*) npm test/).concat(" env")));
  expect(job.stdout).toMatch(/^ACCOUNT_URL=http:/m);
  const command = `exec ${JSON.parse(find(/^CMD (.*)$/m)).join(" ")} --port 0 --json --until-stdin-ends`;
  await expect(run(...inFolder(command))).rejects.toThrow("VITRINE_CONTROL_TOKEN");
  const token = find(/VITRINE_CONTROL_TOKEN: (.*)/);
  const server = spawn(...inFolder(`export VITRINE_CONTROL_TOKEN=${token}; ${command}`));
  const [ready] = await once(server.stdout, "data");
  const { port } = new URL(JSON.parse(ready).url);
  const call = (client: string) => run("sh", ["-c", client.replace("4010", port)]);
  const health = find(/^HEALTHCHECK .*CMD (.*)$/m);
  const state = `curl -sf --connect-to ::127.0.0.1: ${find(/VITRINE_URL: (.*)/)}/_vitrine/state`;
  await call(health);
  await call(`${state} -H 'Authorization: Bearer ${token}'`);
  await expect(call(state)).rejects.toThrow();
  server.kill();
  expect(await once(server, "exit")).toEqual([0, null]);
  await expect(call(health)).rejects.toThrow();
});
