// The real command as a process: it is ready when it reports so, and it ends as it should.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBin, startBin } from "./bin.ts";

const AUTH = { authorization: "Basic dTpw" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("vitrine start", () => {
  test("prints its URLs in the first line, and listens there", async () => {
    const { ready, run, stop } = await startBin("--clock", "2026-03-01T09:00:00Z");
    expect(ready).toMatchObject({
      event: "ready",
      pid: run.child.pid,
      urls: { museum: `${ready.url}/museum/v1.1` },
    });
    const events = await fetch(`${ready.urls["museum"]}/special-events`, { headers: AUTH });
    expect(events.status).toBe(200);
    await run.until(
      /"event":"exchange","world":"main".*"operation":"museum\.listSpecialEvents","status":200/,
    );
    const json = { "content-type": "application/json" };
    await fetch(`${ready.urls["control"]}/worlds`, {
      method: "POST",
      headers: json,
      body: '{"name":"shop"}',
    });
    await fetch(`${ready.url}/~shop/museum/v1.1/special-events`, { headers: AUTH });
    await run.until(/"event":"exchange","world":"shop".*"operation":"museum\.listSpecialEvents"/);
    await fetch(`${ready.urls["control"]}/rules`, {
      method: "POST",
      headers: json,
      body: '{"when":{"operation":"museum.getMuseumHours"},"at":"response","then":{"fault":"reset"}}',
    });
    const hours = { headers: { authorization: "Basic dTpw" } };
    await expect(fetch(`${ready.urls["museum"]}/museum-hours`, hours)).rejects.toThrow("fetch failed");
    await run.until(/"operation":"museum\.getMuseumHours","made":200,"fault":"reset"}/);
    expect(await stop()).toBe(0);
    for (const line of run.output.out.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("event");
    expect(run.output.err).toBe("");
  });

  test("prints the URLs and login commands that a person can paste", async () => {
    const run = runBin(["--port", "0"]);
    const [, origin] = await run.until(/serves at (\S+)[\s\S]*Ctrl\+C/);
    for (const base of ["/museum/v1.1", "/account", "/account-sandbox", "/_vitrine/"])
      expect(run.output.out).toContain(`${origin}${base}`);
    const logins = [...run.output.out.matchAll(/\/login (\{.+\})/g)].map(([, body]) => String(body));
    expect(logins).toHaveLength(2);
    const [production = ""] = logins;
    const login = await fetch(`${origin}/account/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: production,
    });
    expect(login.status).toBe(200);
    run.child.kill("SIGINT");
    expect(await run.ended).toBe(0);
  });

  test("reports a mail that cannot be sent immediately, as text and as JSON", async () => {
    const relay = ["--smtp", "smtp://127.0.0.1:1"];
    const told = /could not be sent to 127\.0\.0\.1:1: .*It stays in the mailbox\./;
    const alert = async (control: string): Promise<void> => {
      const post = { method: "POST", headers: { "content-type": "application/json" } };
      const body = JSON.stringify({ sent: 1_000 });
      const reply = await fetch(`${control}/usage`, { ...post, body });
      expect(await reply.json()).toMatchObject({ mails: [expect.anything()] });
    };
    const { ready, run, stop } = await startBin("--quiet", "--clock", "2026-03-01T09:00:00Z", ...relay);
    await fetch(`${ready.urls["museum"]}/museum-hours`);
    await alert(String(ready.urls["control"]));
    const [line] = await run.until(/^.*"event":"notice".*$/m);
    expect(JSON.parse(line)).toMatchObject({ key: "mailNotSent", message: expect.stringMatching(told) });
    expect(await stop()).toBe(0);
    expect(run.output.err).toBe("");
    expect(run.output.out).not.toContain('"event":"exchange"');

    const human = runBin(["--port", "0", "--clock", "2026-03-01T09:00:00Z", ...relay]);
    const [, origin] = await human.until(/serves at (\S+)[\s\S]*Ctrl\+C/);
    await alert(`${origin}/_vitrine`);
    await expect.poll(() => human.output.err).toMatch(/^vitrine: Mail .* could not be sent to .*\n$/);
    human.child.kill("SIGTERM");
    expect(await human.ended).toBe(0);
  });

  test("exits with 2 if the port is in use", async () => {
    const { ready, stop } = await startBin();
    const second = runBin(["--port", new URL(ready.url).port]);
    expect(await second.ended).toBe(2);
    await stop();
  });

  test("exits with 4 if the state folder is in use, with 3 if it is unreadable, and takes over the folder of a dead server", async () => {
    const data = join(folder, "state");
    const { run } = await startBin("--data", data);
    const second = runBin(["--port", "0", "--data", data]);
    expect(await second.ended).toBe(4);
    expect(second.output.err).toContain(`process ${run.child.pid}`);
    run.child.kill("SIGKILL");
    expect(await run.ended).toBe("SIGKILL");
    const third = await startBin("--data", data);
    expect(await third.stop()).toBe(0);
    await writeFile(join(data, "main.json"), "null");
    const fourth = runBin(["--port", "0", "--data", data]);
    expect(await fourth.ended).toBe(3);
    expect(fourth.output.err).toContain(join(data, "main.json"));
  });

  test("reports that a scenario does not apply to stored state, and applies it at a reset", async () => {
    const data = join(folder, "scenarios");
    const args = ["--data", data, "--scenario", "museum-empty"];
    for (const expected of [
      /^$/,
      /^vitrine: Using the stored state in .*scenarios\..*apply at the next reset\.\n$/,
    ]) {
      const { run, stop } = await startBin(...args);
      expect(await stop()).toBe(0);
      expect(run.output.err).toMatch(expected);
    }
    const { run, stop } = await startBin(...args, "--state-reset");
    expect(await stop()).toBe(0);
    expect(run.output.err).toMatch(/^vitrine: The files of the earlier state are now in .*\n$/);
    for (const [flags, message] of [
      [["--base", data, "--seed", "2"], "base (--base) is not allowed together with generate (--seed)"],
      [["--state-reset"], "stateReset (--state-reset) has no effect without data (--data)."],
      [["--no-watch"], "--no-watch has no effect without --scenario, --base or --data."],
    ] as const) {
      const wrong = runBin(["--port", "0", ...flags]);
      expect(await wrong.ended).toBe(1);
      expect(wrong.output.err).toContain(message);
    }
  });

  test("reads a changed scenario file again, and keeps the last valid version", async () => {
    const file = join(folder, "watched.json");
    const write = (problem: string): Promise<void> =>
      writeFile(
        file,
        JSON.stringify({
          version: 1,
          rules: [{ when: { operation: "museum.listSpecialEvents" }, then: { problem } }],
        }),
      );
    await write("invalidInput");
    const { ready, run, stop } = await startBin("--scenario", file);
    const status = async (): Promise<number> =>
      (await fetch(`${ready.urls["museum"]}/special-events`, { headers: AUTH })).status;
    expect(await status()).toBe(400);
    await write("noSuchProblem");
    await expect
      .poll(() => run.output.err)
      .toMatch(/The last valid files stay active\. .*watched\.json:1:\d+/);
    expect(await status()).toBe(400);
    await writeFile(file, JSON.stringify({ version: 1, rules: [] }));
    await expect.poll(() => run.output.err).toMatch(/Reloaded /);
    expect(await status()).toBe(200);
    expect(await stop()).toBe(0);
  });

  test("resets to an edited base file and scenario, and applies edited rules immediately", async () => {
    const [base, file] = [join(folder, "own", "base.json"), join(folder, "story.json")];
    expect(await runBin(["seed", "--events", "3", "--out", join(folder, "own")]).ended).toBe(0);
    const again = runBin(["seed", "--out", join(folder, "own")]);
    expect(await again.ended).toBe(1);
    expect(again.output.err).toContain("The file exists");
    const rules = (problem: string) => [{ when: { operation: "museum.getMuseumHours" }, then: { problem } }];
    await writeFile(file, JSON.stringify({ version: 1, rules: rules("invalidInput") }));
    const { ready, run, stop } = await startBin("--base", join(folder, "own"), "--scenario", file);
    const names = async (): Promise<readonly string[]> => {
      const reply = await fetch(`${ready.url}/_vitrine/data/museum/specialEvents`);
      return ((await reply.json()) as readonly { name: string }[]).map(({ name }) => name);
    };
    const hours = async () => (await fetch(`${ready.urls["museum"]}/museum-hours`, { headers: AUTH })).status;
    const before = await names();
    expect([before.length, await hours()]).toEqual([3, 400]);
    const text = JSON.parse(await readFile(base, "utf8"));
    text.museum.specialEvents[0].name = "Edited";
    await writeFile(base, JSON.stringify(text));
    await expect.poll(() => run.output.err).toMatch(/Reloaded .*own\. .*data and clock at the next reset/);
    const data = { museum: { specialEvents: { remove: [text.museum.specialEvents[1].eventId] } } };
    await writeFile(file, JSON.stringify({ version: 1, data, rules: rules("credentialsRequired") }));
    await expect.poll(hours).toBe(401);
    expect(await names()).toEqual(before);
    for (let round = 0; round < 2; round += 1) {
      const headers = { "content-type": "application/json" };
      await expect
        .poll(async () => {
          await fetch(`${ready.url}/_vitrine/reset`, { method: "POST", headers, body: "{}" });
          return names();
        })
        .toEqual(["Edited", before[2]]);
      expect(await hours()).toBe(401);
    }
    expect(await stop()).toBe(0);
  });

  test("requires the control token if it listens beyond the loopback", async () => {
    const run = runBin(["--port", "0", "--host", "0.0.0.0", "--json"], {
      VITRINE_CONTROL_TOKEN: "only-for-us",
    });
    const [line] = await run.until(/^.*\n/);
    const { port } = new URL(JSON.parse(line).url);
    const clock = `http://127.0.0.1:${port}/_vitrine/clock`;
    expect((await fetch(clock)).status).toBe(401);
    expect((await fetch(clock, { headers: { authorization: "Bearer only-for-us" } })).status).toBe(200);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });
});
