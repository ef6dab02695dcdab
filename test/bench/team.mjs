// `node test/bench/team.mjs [--rounds 5 --seconds 2]`: a team's sandbox on workerd beside one Node process, in one run: rates,
// what a start costs, what a world and its exchanges weigh. workerd alone on one machine is not what a hosted one does: ratios
// say what the place costs, the weights what fits into an object.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { burst, LOADER } from "./load.mjs";
import { cpuSeconds, quantile, residentMegabytes } from "./measure.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "2" } },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const HERE = import.meta.dirname;
const EVENTS = "/museum/v1.1/special-events";
const BASIC = { authorization: `Basic ${btoa("guide:secret")}` };
const JSON_TYPE = { "content-type": "application/json" };
const CONTROL = { ...JSON_TYPE, authorization: "Bearer bench" };
const EVENT = JSON.stringify({
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
});

/** @typedef {{ readonly name: string, readonly address: string, readonly pid: number, readonly stop: () => void }} Server */

const worker = await start("workerd", [join(HERE, "servers/worker.mjs")], "/team-of-the-bench");
const node = await start("Node", [join(HERE, "servers/vitrine.mjs"), join(HERE, "../..")], "");
const servers = [node, worker];

console.log(
  `Node ${process.version}, ${LOADER}, ${rounds} rounds of ${seconds} s, 8 connections, medians.\n`,
);
const calls = [
  { name: "GET, ten events", call: { method: "GET", path: `${EVENTS}?limit=10`, headers: BASIC } },
  {
    name: "POST an event",
    call: { method: "POST", path: EVENTS, headers: { ...BASIC, ...JSON_TYPE }, body: EVENT },
  },
];
for (const { name, call } of calls) {
  const [first = 0, second = 0] = await rates(call);
  console.log(`${name}: Node ${first}/s, workerd ${second}/s, ${(second / first).toFixed(2)}`);
}
for (const server of servers) {
  const [world, exchange] = await weights(server);
  console.log(`${server.name}: a world ${world} KiB, one with 1,000 exchanges ${exchange} MiB`);
}
for (const { stop } of servers) stop();
console.log(`start: ${await startCpu()} ms of CPU above an empty worker, first answer included`);
process.exit(0);

/** Requests a second of each, in turns. */
async function rates(/** @type {import("./load.mjs").Call} */ call) {
  /** @type {Map<Server, number[]>} */
  const counts = new Map(servers.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) {
      await fetch(`${server.address}/_vitrine/reset`, { method: "POST", headers: CONTROL, body: "{}" });
      const { origin, pathname } = new URL(server.address);
      const path = (pathname === "/" ? "" : pathname) + call.path;
      const { requests } = await burst(origin, { ...call, path }, seconds, 8);
      counts.get(server)?.push(requests / seconds);
    }
  }
  return servers.map((server) => Math.round(quantile(counts.get(server) ?? [], 0.5)));
}

/** KiB of an idle world, and MiB of one with a full journal, as the process grows. */
async function weights(/** @type {Server} */ { address, pid }) {
  const make = async (/** @type {number} */ count) => {
    const worlds = [];
    for (let index = 0; index < count; index += 1) {
      const response = await fetch(`${address}/_vitrine/worlds`, {
        method: "POST",
        headers: CONTROL,
        body: "{}",
      });
      const { urls } = /** @type {{ urls: { museum: string } }} */ (await response.json());
      worlds.push(urls.museum);
    }
    return worlds;
  };
  await make(20);
  const before = residentMegabytes(pid);
  const [many, few] = [200, 10];
  await make(many);
  const between = residentMegabytes(pid);
  const full = await make(few);
  for (const url of full)
    for (let index = 0; index < 1_000; index += 1)
      await (await fetch(`${url}/special-events?limit=10`, { headers: BASIC })).arrayBuffer();
  const after = residentMegabytes(pid);
  return [Math.round(((between - before) * 1024) / many), ((after - between) / few).toFixed(1)];
}

/** Milliseconds of CPU until the first answer, less those of a worker that does nothing; the median of five. */
async function startCpu() {
  const costs = [];
  for (let round = 0; round < 5; round += 1) {
    const used = [];
    for (const kind of ["empty", "whole"]) {
      const server = await start(kind, [join(HERE, "servers/worker.mjs"), kind], "/team-of-the-bench");
      await fetch(`${server.address}${EVENTS}`, { headers: BASIC });
      used.push(cpuSeconds(server.pid) * 1000);
      server.stop();
    }
    costs.push((used[1] ?? 0) - (used[0] ?? 0));
  }
  return Math.round(quantile(costs, 0.5));
}

/** @returns {Promise<Server>} */
async function start(
  /** @type {string} */ name,
  /** @type {readonly string[]} */ command,
  /** @type {string} */ prefix,
) {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { url, pid = Number(child.pid) } = JSON.parse((await lines.next()).value);
  return { name, address: url + prefix, pid, stop: () => child.kill() };
}
