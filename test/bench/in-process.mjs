// One process, one figure, in microseconds of CPU unless said otherwise. usage: node in-process.mjs WHAT ROOT

import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const [what = "", root = ""] = process.argv.slice(2);
const EVENTS = "/museum/v1.1/special-events";
const CLOCK = "2026-03-01T09:00:00Z";
const began = performance.now();

/** CPU per call, the lower quartile of 30 rounds. */
async function perCall(/** @type {() => unknown} */ call, count = 2_000) {
  const rounds = [];
  for (let round = 0; round < 40; round += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < count; index += 1) await call();
    const { user, system } = process.cpuUsage(before);
    if (round >= 10) rounds.push((user + system) / count);
  }
  return rounds.sort((one, other) => one - other)[7] ?? Number.NaN;
}

async function figure() {
  if (what === "hono get") {
    const { Hono } = await import("hono");
    const { EVENT } = await import("./servers/values.mjs");
    const app = new Hono().get(`${EVENTS}/:id`, (context) => context.json(EVENT));
    const headers = { authorization: "Basic Z3VpZGU6c2VjcmV0" };
    return perCall(() => app.request(`${EVENTS}/${EVENT.eventId}`, { headers }));
  }
  if (what === "a test of vitest with a sandbox, wall") {
    const duration = async (/** @type {string} */ of) => {
      const { startVitest } = await import("vitest/node");
      /** @type {import("vitest/node").CliOptions} */
      const config = {
        config: false,
        watch: false,
        include: [join(import.meta.dirname, "fresh-sandboxes.mjs")],
        reporters: [{}],
        env: { ROOT: root, OF: of },
      };
      const vitest = await startVitest("test", [], config);
      const [file] = vitest.state.getFiles();
      await vitest.close();
      if (file?.result?.state !== "pass") throw new Error(`The tests of vitest with ${of} failed.`);
      return file.result.duration ?? Number.NaN;
    };
    return ((await duration("a sandbox")) - (await duration("nothing"))) * 2; // of 500 tests, milliseconds to microseconds
  }
  const { createSandbox } = await import(pathToFileURL(`${root}/dist/index.js`).href);
  if (what === "first answer") {
    const sandbox = await createSandbox({ clock: CLOCK });
    await (await sandbox.fetch(EVENTS, { headers: sandbox.auth.basic() })).text();
    return performance.now() - began; // milliseconds
  }
  if (what === "create and close")
    return perCall(async () => (await createSandbox({ clock: CLOCK })).close(), 500);
  if (what === "listen, get, close") {
    const times = [];
    for (let round = 0; round < 60; round += 1) {
      const sandbox = await createSandbox({ clock: CLOCK });
      const start = performance.now();
      const { urls, close } = await sandbox.listen({ port: 0 });
      await (await fetch(`${urls.museum}/special-events`, { headers: sandbox.auth.basic() })).text();
      await close();
      if (round >= 20) times.push(performance.now() - start);
      await sandbox.close();
    }
    return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN; // milliseconds
  }
  const sandbox = await createSandbox({ clock: CLOCK });
  const headers = sandbox.auth.basic("guide", "secret");
  const [{ eventId }] = await (await sandbox.fetch(EVENTS, { headers })).json();
  if (what === "get") return perCall(() => sandbox.fetch(`${EVENTS}/${eventId}`, { headers }));
  if (what === "fork, snapshot, restore, reset") return perCall(() => verbs(sandbox), 1_000);
  if (what === "report") {
    const authorization = `Bearer ${sandbox.auth.token()}`;
    for (let index = 0; index < 1_000; index += 1)
      await sandbox.fetch("/account/consumptions", { headers: { authorization } });
    const before = process.cpuUsage();
    sandbox.report();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000; // milliseconds
  }
  if (what === "RS256 signature") {
    const { createSign, generateKeyPairSync } = await import("node:crypto");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    return perCall(() => createSign("RSA-SHA256").update("x".repeat(300)).sign(privateKey), 100);
  }
  throw new Error(`There is no figure ${what}.`);
}

/** Each once, on a sandbox that nobody wrote to. */
function verbs(/** @type {any} */ sandbox) {
  const world = sandbox.fork();
  const before = world.snapshot();
  world.restore(before);
  world.reset();
  return world.close();
}

console.log(JSON.stringify(await figure()));
process.exit(0);
