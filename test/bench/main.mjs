// `npm run bench [-- --rounds 5 --seconds 1 --json FILE --also NAME=ROOT --only get,list]`: CPU, rates, memory and starts
// of a built vitrine next to bare node:http, bare Hono and emulate. Each server is a process of its own, the load comes
// from another core in bursts that take turns, and only ratios and differences within one run mean anything.

import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { burst, LOADER } from "./load.mjs";
import { cpuSeconds, longestDelay, quantile, residentMegabytes } from "./measure.mjs";
import { bare, emulate, start, vitrine } from "./peers.mjs";
import { sizes } from "./sizes.mjs";

/** @typedef {import("./peers.mjs").Work} Work */
/** @typedef {import("./peers.mjs").Running} Running */

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "1" },
    json: { type: "string" },
    only: { type: "string", default: "get,list,create,json-ld,login,start,memory,process,sizes" },
    also: { type: "string", multiple: true, default: [] },
  },
});
const HERE = import.meta.dirname;
const ROOT = resolve(HERE, "../..");
const [rounds, seconds] = [Number(flags.rounds), Number(flags.seconds)];
const only = flags.only.split(",");
const WARM_UP_REQUESTS = 20_000;
const BASELINE = "bare Hono";

const peers = [
  bare("node:http", [join(HERE, "servers/node-http.mjs")]),
  bare(BASELINE, [join(HERE, "servers/hono.mjs")]),
  bare("bare Hono, fixed bytes", [join(HERE, "servers/hono.mjs"), "fixed"]),
  emulate(),
  vitrine("vitrine", ROOT),
  ...flags.also.map((text) => vitrine(text.split("=")[0] ?? text, resolve(text.split("=")[1] ?? text))),
].filter((peer) => peer !== undefined);

/** @type {{ environment: object, rows: object[] }} */
const result = { environment: { node: process.version, loader: LOADER, rounds, seconds }, rows: [] };
console.log(
  `Node ${process.version}, ${LOADER}, ${rounds} rounds of ${seconds} s, lower quartiles of the main thread's CPU.\n`,
);

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
if (only.includes("start")) await starts();
await works();
if (only.includes("memory")) await memory();
if (only.includes("process")) inProcess();
if (only.includes("sizes")) show("large worlds, and many", sizes(ROOT));
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(result, undefined, 2)}\n`);
process.exit(0);

async function works() {
  const running = [];
  for (const [index, peer] of peers.entries())
    running.push(await start(peer, join(folder, `delays-${index}`)));
  const calls = new Map();
  for (const one of running) calls.set(one, await one.peer.calls(one.origin));
  for (const work of /** @type {Work[]} */ (["get", "list", "create", "json-ld", "login"]).filter((name) =>
    only.includes(name),
  )) {
    const able = running.filter((one) => calls.get(one)[work] !== undefined);
    /** @type {Map<Running, { cpu: number[], rate: number[], p99: number[], delay: number[] }>} */
    const figures = new Map(able.map((one) => [one, { cpu: [], rate: [], p99: [], delay: [] }]));
    for (const one of able) {
      for (let sent = 0; sent < WARM_UP_REQUESTS; )
        sent += (await burst(one.origin, calls.get(one)[work])).requests || WARM_UP_REQUESTS;
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const one of able) {
        await longestDelay(one.pid, one.delays);
        const before = cpuSeconds(one.pid);
        const { requests, errors, p99 } = await burst(one.origin, calls.get(one)[work], seconds);
        const used = cpuSeconds(one.pid) - before;
        if (errors > 0) throw new Error(`${one.peer.name}: ${errors} of ${requests} were refused at ${work}`);
        const figure = figures.get(one);
        figure?.cpu.push((used / requests) * 1e6);
        figure?.rate.push(requests / seconds);
        figure?.p99.push(p99);
        figure?.delay.push(await longestDelay(one.pid, one.delays));
      }
    }
    report(work, able, figures);
  }
  for (const one of running) one.stop();
}

/** Of the programs that users start, after three seconds each of two works. */
async function memory() {
  const rows = [];
  for (const peer of peers) {
    const one = await start(peer);
    const { get, list } = await peer.calls(one.origin);
    const ready = residentMegabytes(one.pid);
    for (const call of [get, list]) if (call !== undefined) await burst(one.origin, call, 3);
    rows.push({
      server: peer.name,
      "RSS before load, MB": fixed(ready, 0),
      "RSS after load, MB": fixed(residentMegabytes(one.pid), 0),
    });
    one.stop();
  }
  show("memory", rows);
}

function report(
  /** @type {Work} */ work,
  /** @type {readonly Running[]} */ able,
  /** @type {Map<Running, { cpu: number[], rate: number[], p99: number[], delay: number[] }>} */ figures,
) {
  const of = (/** @type {Running | undefined} */ one) =>
    one === undefined ? Number.NaN : quantile(figures.get(one)?.cpu ?? [], 0.25);
  const baseline = of(able.find(({ peer }) => peer.name === BASELINE));
  const sibling = of(able.find(({ peer }) => peer.name.startsWith("emulate")));
  const rows = able.map((one) => {
    const { cpu = [], rate = [], p99 = [], delay = [] } = figures.get(one) ?? {};
    const own = quantile(cpu, 0.25);
    return {
      server: one.peer.name,
      "CPU µs": fixed(own),
      "median (spread)": `${fixed(quantile(cpu, 0.5))} (${fixed(quantile(cpu, 0))}–${fixed(quantile(cpu, 1))})`,
      "above bare Hono": fixed(own - baseline),
      "÷ bare Hono": fixed(own / baseline, 2),
      "emulate ÷": fixed(sibling / own, 2),
      "requests/s": fixed(quantile(rate, 0.75), 0),
      "p99 ms": fixed(quantile(p99, 0.5), 2),
      "longest loop delay ms": fixed(quantile(delay, 0.5), 1),
    };
  });
  show(work, rows);
}

async function starts() {
  /** @type {Map<string, { ready: number[], memory: number[] }>} */
  const figures = new Map(peers.map(({ name }) => [name, { ready: [], memory: [] }]));
  for (let round = 0; round < Math.max(rounds, 5); round += 1) {
    for (const peer of peers) {
      const one = await start(peer);
      figures.get(peer.name)?.ready.push(one.readyMs);
      figures.get(peer.name)?.memory.push(residentMegabytes(one.pid));
      one.stop();
    }
  }
  const baseline = quantile(figures.get(BASELINE)?.ready ?? [], 0.25);
  const rows = [...figures].map(([server, { ready, memory }]) => ({
    server,
    "ready ms": fixed(quantile(ready, 0.25)),
    "÷ bare Hono": fixed(quantile(ready, 0.25) / baseline, 2),
    "RSS ready, MB": fixed(quantile(memory, 0.5)),
  }));
  show("start", rows);
}

function inProcess() {
  const trees = [["vitrine", ROOT], ...flags.also.map((text) => text.split("="))];
  const names = [
    "get",
    "first answer",
    "create and close",
    "a test of vitest with a sandbox, wall",
    "fork, snapshot, restore, reset",
    "listen, get, close",
    "report",
    "RS256 signature",
  ];
  const measure = (/** @type {string} */ what, /** @type {string} */ root) => {
    const figures = Array.from({ length: 5 }, () =>
      Number(
        JSON.parse(
          execFileSync(process.execPath, [join(HERE, "in-process.mjs"), what, resolve(root)], {
            encoding: "utf8",
          }),
        ),
      ),
    );
    return fixed(quantile(figures, 0.25));
  };
  const rows = [
    {
      figure: "bare Hono's app.request",
      ...Object.fromEntries(trees.map(([name = ""]) => [name, measure("hono get", ROOT)])),
    },
  ];
  for (const what of names)
    rows.push({
      figure: what,
      ...Object.fromEntries(trees.map(([name = "", root = ""]) => [name, measure(what, root)])),
    });
  show("in process: µs of CPU; first answer, listen and report in ms", rows);
}

function show(/** @type {string} */ title, /** @type {readonly Record<string, string>[]} */ rows) {
  const heads = Object.keys(rows[0] ?? {});
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  console.log(
    [
      `## ${title}`,
      "",
      line(heads),
      `|${heads.map(() => "---").join("|")}|`,
      ...rows.map((row) => line(heads.map((head) => row[head] ?? ""))),
      "",
    ].join("\n"),
  );
  result.rows.push({ title, rows });
}

function fixed(/** @type {number} */ value, digits = 1) {
  return Number.isFinite(value) ? value.toFixed(digits) : "–";
}
