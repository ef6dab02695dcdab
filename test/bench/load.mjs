// The load: ten connections from a process on another core, by wrk where there is one, otherwise by autocannon.

import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * @typedef {{ readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string | undefined; readonly limit?: number | undefined }} Call
 * @typedef {{ readonly requests: number; readonly errors: number; readonly p99: number }} Burst
 */

const run = promisify(execFile);
const has = (/** @type {string} */ command) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
export const LOADER = has("wrk") ? "wrk" : "autocannon";
/** The servers have the first core, the load has the second, where the system can pin them. */
export const PINNED = has("taskset");
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));

/** @returns {Promise<Burst>} p99 in milliseconds. */
export async function burst(
  /** @type {string} */ origin,
  /** @type {Call} */ call,
  seconds = 1,
  connections = 10,
) {
  const [command, ...args] =
    LOADER === "wrk"
      ? wrk(origin, call, seconds, connections)
      : autocannon(origin, call, seconds, connections);
  const { stdout } = await run(PINNED ? "taskset" : command, PINNED ? ["-c", "1", command, ...args] : args, {
    maxBuffer: 1e7,
  });
  return LOADER === "wrk" ? readWrk(stdout) : readAutocannon(stdout);
}

/** @returns {[string, ...string[]]} */
function wrk(
  /** @type {string} */ origin,
  /** @type {Call} */ { method, path, headers, body, limit },
  /** @type {number} */ seconds,
  /** @type {number} */ connections,
) {
  const script = join(folder, "call.lua");
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  writeFileSync(
    script,
    [
      `wrk.method = "${method}"`,
      ...lines,
      ...(body === undefined ? [] : [`wrk.body = [[${body}]]`]),
      ...(limit === undefined ? [] : withFreshTokens(limit)),
      "",
    ].join("\n"),
  );
  return ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", script, origin + path];
}

/** A new bearer token for each so many requests. */
function withFreshTokens(/** @type {number} */ limit) {
  return [
    "local sent = 0",
    "request = function()",
    `  if sent % ${limit} == 0 then wrk.headers["authorization"] = "Bearer ${randomUUID()}" .. sent end`,
    "  sent = sent + 1",
    "  return wrk.format()",
    "end",
  ];
}

/** @returns {Burst} */
function readWrk(/** @type {string} */ text) {
  const [, amount = "0", unit = "ms"] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? [];
  const factor = { us: 0.001, ms: 1, s: 1000 }[/** @type {"us" | "ms" | "s"} */ (unit)];
  const [, failed = "0"] = /Non-2xx or 3xx responses: (\d+)/.exec(text) ?? [];
  return {
    requests: Number(/(\d+) requests in/.exec(text)?.[1] ?? 0),
    errors: Number(failed),
    p99: Number(amount) * factor,
  };
}

/** @returns {[string, ...string[]]} */
function autocannon(
  /** @type {string} */ origin,
  /** @type {Call} */ { method, path, headers, body },
  /** @type {number} */ seconds,
  /** @type {number} */ connections,
) {
  const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}=${value}`]);
  const sent = body === undefined ? [] : ["-b", body];
  return [
    process.execPath,
    fileURLToPath(import.meta.resolve("autocannon")),
    "--json",
    "-c",
    String(connections),
    "-d",
    String(seconds),
    "-m",
    method,
    ...fields,
    ...sent,
    origin + path,
  ];
}

/** @returns {Burst} */
function readAutocannon(/** @type {string} */ text) {
  const { requests, latency, non2xx } = JSON.parse(text);
  return { requests: requests.total, errors: non2xx, p99: latency.p99 };
}
