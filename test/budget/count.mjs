// What calls of `sandbox.fetch` cost, counted in a process of its own and told as JSON.
// usage: node count.mjs promises|bytes|files INDEX, where INDEX is the address of a built index.js

import { createHook } from "node:async_hooks";
import { Session } from "node:inspector/promises";

/** @typedef {Record<"get" | "list" | "create", number>} Figures */
/** @typedef {import("node:inspector").HeapProfiler.SamplingHeapProfileNode} HeapNode */

const [what = "", index = ""] = process.argv.slice(2);
const EVENTS = "/museum/v1.1/special-events";
const WARM_UP_CALLS = 3_000; // optimised code, and a full journal
const EVENT = JSON.stringify({
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
});

const { createSandbox } = await import(index);
const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
const headers = sandbox.auth.basic("guide", "secret");
const creation = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: EVENT };
const [{ eventId }] = await (await sandbox.fetch(EVENTS, { headers })).json();
/** The create is the last: what it makes would lengthen the others' way. */
const works = {
  get: () => sandbox.fetch(`${EVENTS}/${eventId}`, { headers }),
  list: () => sandbox.fetch(`${EVENTS}?limit=10`, { headers }),
  create: () => sandbox.fetch(EVENTS, creation),
};
const session = new Session();
session.connect();

const counts = { promises, bytes, files };
console.log(JSON.stringify(await counts[/** @type {keyof typeof counts} */ (what)]()));

/** Promises per call, with that of the client's `await`. */
function promises() {
  let made = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "PROMISE") made += 1;
    },
  });
  return ofEach(async (work) => {
    await repeat(10, work);
    made = 0;
    hook.enable();
    await repeat(200, work);
    hook.disable();
    return made / 200;
  });
}

/** Bytes allocated per call, whether they are collected since or not: the median of five samplings. */
function bytes() {
  const sampling = {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  };
  return ofEach(async (work) => {
    await repeat(WARM_UP_CALLS, work);
    const rounds = [];
    for (let round = 0; round < 5; round += 1) {
      await session.post("HeapProfiler.startSampling", sampling);
      await repeat(400, work);
      const { profile } = await session.post("HeapProfiler.stopSampling");
      rounds.push(sizeOf(profile.head) / 400);
    }
    return rounds.sort((one, other) => one - other)[2] ?? Number.NaN;
  });
}

/** The files beside the index that one GET enters after three others, each with the functions that were called. */
async function files() {
  await repeat(3, works.get);
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await works.get();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const root = new URL("./", index).href;
  return result
    .filter(({ url }) => url.startsWith(root) && !url.includes("/node_modules/"))
    .map(({ url, functions }) => ({
      file: url.slice(root.length),
      functions: functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .filter(({ functionName, ranges }) => functionName !== "" || ranges[0]?.startOffset !== 0) // not the module itself
        .map(({ functionName }) => functionName || "(anonymous)"),
    }))
    .filter(({ functions }) => functions.length > 0)
    .sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function repeat(/** @type {number} */ times, /** @type {() => Promise<Response>} */ work) {
  for (let call = 0; call < times; call += 1) await work();
}

/** Checks that each work is what its name says, then measures it. */
async function ofEach(/** @type {(work: () => Promise<Response>) => Promise<number>} */ measure) {
  const figures = /** @type {Figures} */ ({});
  for (const [name, work] of Object.entries(works)) {
    const body = await (await work()).json();
    const shape = Array.isArray(body) ? `a list of ${body.length}` : `an event, ${body.name}`;
    const expected = { get: /^an event, (?!undefined)/, list: /^a list of 10$/, create: /^an event, Night/ };
    if (!expected[/** @type {keyof Figures} */ (name)].test(shape)) throw new Error(`${name} got ${shape}.`);
    figures[/** @type {keyof Figures} */ (name)] = await measure(work);
  }
  return figures;
}

/** @returns {number} */
function sizeOf(/** @type {HeapNode} */ { selfSize, children }) {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}
