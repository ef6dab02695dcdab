// An agent that follows docs/SKILL.md and /llms.txt: every command of both, each block in a shell of its own.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { blocksOf } from "../support/manual.ts";
import { BIN, startBin } from "./bin.ts";

const run = promisify(execFile);

test("every code block of SKILL.md works", async () => {
  const folder = await mkdtemp(`${tmpdir()}/vitrine-skill-`);
  onTestFinished(() => rm(folder, { recursive: true }));
  const { ready, stop } = await startBin(); // on a port that is free after it
  await stop();
  const port = new URL(ready.url).port;
  const outputs: string[] = [];
  for (const { text } of await blocksOf("docs/SKILL.md")) {
    const local = text.replace("vitrine start", `vitrine start --port ${port}`).replaceAll("4010", port);
    const script = local.replaceAll("npx vitrine", `'${process.execPath}' '${BIN}'`);
    outputs.push((await run("sh", ["-e", "-c", script], { cwd: folder })).stdout);
  }
  const [start, , , token, , , , journal, verdicts, explanation] = outputs;
  expect(outputs.join()).not.toContain("urn:vitrine:"); // an error of the control API
  expect(start).toMatch(/"ready":true.*ada@example\.test/s);
  expect(token).toMatch(/"token":.*\[\{/s);
  expect(journal).toMatch(/^#1 GET \S+ 200\n#2 .* 200\n#3 .* 400 .*\n#4 .* 401/);
  expect(verdicts).toMatch(/"ok":true,"found":1.*"ok":true,"failures":\[\]/s);
  expect(explanation).toMatch(/"status":200.*POST \/login is account\.login/s);
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow("fetch failed"); // the last block ended it
});

test("every command and link of llms.txt works, and pages of other origins cannot read it", async () => {
  const { ready, stop } = await startBin();
  onTestFinished(async () => void (await stop()));
  const page = await (await fetch(`${ready.url}/llms.txt`)).text();
  const token = await connect(ready.url).auth.token();
  const commands = page.match(/^curl .*(?:\n {2}-.*)*/gm) ?? [];
  expect(commands).toHaveLength(5);
  for (const command of commands) {
    const { stdout } = await run("sh", ["-c", `${command.replace("<token>", token)} -sSf`]);
    expect(JSON.parse(stdout)).toBeTruthy();
  }
  const links = page.match(/http\S+(?:openapi\.json|view=brief|_vitrine\/)$/gm) ?? [];
  expect(links).toHaveLength(6);
  for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  const foreign = await fetch(`${ready.url}/llms.txt`, { headers: { origin: "https://elsewhere.example" } });
  expect(foreign.status).toBe(403);
});
