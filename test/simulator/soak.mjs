// The long run of the simulator: `npm run soak -- --seeds 1000 --steps 200`, from the first seed on; `--seed 17` plays that
// one alone, or as the first of `--seeds`. Failing seeds of before come first. The last line has the figures.

import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { browserFiles, bundledForBrowsers } from "../../.ci/browser.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Every so many seeds one is played twice, for the same bytes. */
const TWICE_ONE_IN = 10;
const MOST_FAILURES = 5;
/** After which a seed does not end. */
const PATIENCE_MS = 300_000;

const { seeds, steps, first } = readOptions();
const folder = await bundle();
process.once("exit", () => rmSync(folder, { recursive: true }));

const started = performance.now();
const { kept } = await import(pathToFileURL(join(folder, "kept.js")).href);
const jobs = [
  ...(first === undefined ? kept.map((/** @type {object} */ one) => ({ kept: one })) : []),
  ...Array.from({ length: seeds }, (_, index) => {
    const seed = (first ?? 1) + index;
    return { seed, steps, twice: first !== undefined || seed % TWICE_ONE_IN === 0 };
  }),
];
let [requests, failures, next] = [0, 0, 0];
await Promise.all(Array.from({ length: Math.min(jobs.length, availableParallelism()) }, work));
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `soak: ${seeds} seeds x ${steps} operations, ${failures} failures, ${requests} requests, ${seconds} s`,
);
process.exitCode = failures === 0 ? 0 : 1;

/** Feeds one process with seeds until there are none. */
async function work() {
  const worker = fork(join(folder, "soak-worker.js"), { execArgv: [] });
  while (next < jobs.length && failures < MOST_FAILURES && worker.connected) {
    const job = jobs[next];
    next += 1;
    const done = await playIn(worker, job);
    requests += done.requests;
    if (done.failure === undefined) continue;
    failures += 1;
    console.error(`${done.failure}\n`);
  }
  worker.removeAllListeners();
  if (worker.connected) worker.disconnect();
}

/**
 * What came of one job. One that does not end, or that ends its process, has failed.
 * @returns {Promise<{ requests: number, failure: string | undefined }>}
 */
function playIn(
  /** @type {import("node:child_process").ChildProcess} */ worker,
  /** @type {{ seed?: number, steps?: number }} */ job,
) {
  return new Promise((resolve) => {
    const lost = (/** @type {string} */ how) => {
      const again = `again: npm run soak -- --seed ${job.seed} --steps ${job.steps}`;
      resolve({ requests: 0, failure: `seed ${job.seed} ${how}\n${again}` });
    };
    const timer = setTimeout(() => {
      worker.disconnect();
      worker.kill("SIGKILL");
      lost("does not end");
    }, PATIENCE_MS);
    worker.removeAllListeners();
    worker.once("exit", (code) => lost(`ends its process with ${code}`));
    worker.once("message", (/** @type {any} */ done) => {
      clearTimeout(timer);
      resolve(done);
    });
    worker.send(job);
  });
}

function readOptions() {
  const number = { type: /** @type {const} */ ("string") };
  const { values } = parseArgs({ options: { seeds: number, steps: number, seed: number } });
  for (const [name, value] of Object.entries(values))
    if (!/^\d{1,9}$/.test(value ?? "")) throw new Error(`--${name} is a whole number, not ${value}`);
  return {
    first: values.seed === undefined ? undefined : Number(values.seed),
    seeds: Number(values.seeds ?? (values.seed === undefined ? 1_000 : 1)),
    steps: Number(values.steps ?? 200),
  };
}

/** The simulator and the sources as programs that every Node runs, in a folder from which the package is found. */
async function bundle() {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const into = mkdtempSync(join(cache, "vitrine-soak-"));
  const names = ["soak-worker", "kept"];
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(names.map((name) => [name, join(ROOT, "test/simulator", `${name}.ts`)])),
    platform: "node",
    plugins: [bundledForBrowsers(await browserFiles())],
    // Other packages stay where they are; the bundler's own parts stand nowhere else.
    external: /^(?!@oxc-project\/|[A-Za-z]:)[^./\\\0]/,
  });
  await build.write({ dir: into, format: "esm" });
  await build.close();
  return into;
}
