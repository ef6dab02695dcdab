// `node test/bench/team.mjs [--rounds 5 --seconds 2]`: a team's sandbox on workerd beside one Node process, in one run: rates,
// what a start costs, what a world and its exchanges weigh. workerd alone on one machine is not what a hosted one does: ratios
// say what the place costs, the weights what fits into an object.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { burst, LOADER } from "./load.mjs";
import { cpuSeconds, quantile, residentMegabytes } from "./measure.mjs";
import { basic, EVENT, json, MUSEUM } from "./peers.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "2" } },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const HERE = import.meta.dirname;
const CONTROL = { ...json, authorization: "Bearer bench" };

/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** @typedef {{ readonly name: string, readonly address: string, readonly pid: number, readonly inspector?: string, readonly stop: () => void }} Server */

const worker = await start("workerd", [join(HERE, "servers/worker.mjs")], "/team-of-the-bench");
const node = await start("Node", [join(HERE, "servers/vitrine.mjs"), join(HERE, "../..")], "");
const servers = [node, worker];

console.log(
  `Node ${process.version}, ${LOADER}, ${rounds} rounds of ${seconds} s, 8 connections, medians.\n`,
);
const calls = [
  { name: "GET, ten events", call: { method: "GET", path: `${MUSEUM}?limit=10`, headers: basic } },
  {
    name: "POST an event",
    call: { method: "POST", path: MUSEUM, headers: { ...basic, ...json }, body: EVENT },
  },
];
for (const { name, call } of calls) {
  const [first = 0, second = 0] = await rates(call);
  console.log(`${name}: Node ${first}/s, workerd ${second}/s, ${(second / first).toFixed(2)}`);
}
for (const server of servers)
  console.log(`${server.name}: a world ${await worldKilobytes(server)} KiB of memory`);
for (const { stop } of servers) stop();
console.log(`1,000 exchanges in a world on workerd: ${await journalMegabytes()} MB of its heap`);
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

/** By which a process grows for a world that nobody has called. */
async function worldKilobytes(/** @type {Server} */ server) {
  const count = 200;
  await makeWorlds(server, 20);
  const before = residentMegabytes(server.pid);
  await makeWorlds(server, count);
  return Math.round(((residentMegabytes(server.pid) - before) * 1024) / count);
}

/** By which the heap of the runtime grows for a full journal of lists, garbage aside; needs the WebSocket of Node 22. */
async function journalMegabytes() {
  const server = await start("workerd", [join(HERE, "servers/worker.mjs")], "/team-of-the-bench");
  if (globalThis.WebSocket === undefined || server.inspector === undefined) return "?";
  const [world = ""] = await makeWorlds(server, 1);
  const before = await heapBytes(server.inspector);
  let left = 1_000;
  const client = async () => {
    while (left-- > 0)
      await (await fetch(`${world}/special-events?limit=10`, { headers: basic })).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 8 }, client));
  const grown = (await heapBytes(server.inspector)) - before;
  server.stop();
  return (grown / 1e6).toFixed(1);
}

/** After a collection, which taking a snapshot begins with. */
async function heapBytes(/** @type {string} */ inspector) {
  const socket = new WebSocket(inspector);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const ask = (/** @type {number} */ id, /** @type {string} */ method) =>
    new Promise((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        if (message.id === id) resolve(message.result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await ask(1, "HeapProfiler.takeHeapSnapshot");
  const { usedSize } = /** @type {{ usedSize: number }} */ (await ask(2, "Runtime.getHeapUsage"));
  socket.close();
  return usedSize;
}

/** Their addresses. */
async function makeWorlds(/** @type {Server} */ { address }, /** @type {number} */ count) {
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
}

/** Milliseconds of CPU until the first answer, less those of a worker that does nothing; the median of five. */
async function startCpu() {
  const costs = [];
  for (let round = 0; round < 5; round += 1) {
    const used = [];
    for (const kind of ["empty", "whole"]) {
      const server = await start(kind, [join(HERE, "servers/worker.mjs"), kind], "/team-of-the-bench");
      await fetch(`${server.address}${MUSEUM}`, { headers: basic });
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
  children.add(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { url, pid = Number(child.pid), inspector } = JSON.parse((await lines.next()).value);
  return { name, address: url + prefix, pid, inspector, stop: () => child.kill() };
}
