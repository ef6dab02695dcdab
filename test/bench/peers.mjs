// Who is measured, how each is started, and the same work for each: one event, a list of ten, a create, and for those
// that have one a JSON-LD collection of thirty.

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LOADER, PINNED } from "./load.mjs";

/** @typedef {import("./load.mjs").Call} Call */
/** @typedef {"get" | "list" | "create" | "json-ld" | "login"} Work */
/**
 * @typedef {{
 *   readonly name: string;
 *   readonly command: readonly string[];
 *   readonly program?: { readonly command: readonly string[]; readonly port: number } | undefined;
 *   readonly environment?: Readonly<Record<string, string>> | undefined;
 *   readonly port?: number | undefined;
 *   readonly calls: (origin: string) => Promise<Readonly<Partial<Record<Work, Call>>>>;
 * }} Peer
 * @typedef {{ readonly peer: Peer; readonly pid: number; readonly origin: string; readonly readyMs: number; readonly delays: string; readonly stop: () => void }} Running
 */

const HERE = import.meta.dirname;
export const MUSEUM = "/museum/v1.1/special-events";
export const basic = { authorization: `Basic ${Buffer.from("guide:secret").toString("base64")}` };
export const json = { "content-type": "application/json" };
export const EVENT = JSON.stringify({
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
});

/** @returns {Readonly<Record<string, Call>>} */
const museumCalls = (/** @type {string} */ id) => ({
  get: { method: "GET", path: `${MUSEUM}/${id}`, headers: basic },
  list: { method: "GET", path: `${MUSEUM}?limit=10`, headers: basic },
  create: { method: "POST", path: MUSEUM, headers: { ...basic, ...json }, body: EVENT },
});

/** @returns {Peer} */
export const bare = (/** @type {string} */ name, /** @type {readonly string[]} */ command) => ({
  name,
  command,
  calls: async () => ({
    ...museumCalls("0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11"),
    "json-ld": { method: "GET", path: "/account/consumptions", headers: { authorization: "Bearer x" } },
  }),
});

/** Ours, of this tree or of another that is built. @returns {Peer} */
export const vitrine = (/** @type {string} */ name, /** @type {string} */ root) => ({
  name,
  // As users start it: with a log line for each request.
  command: [join(root, "dist/cli.js"), "start", "--json", "--port", "0", "--clock", "2026-03-01T09:00:00Z"],
  program: {
    command: [join(root, "dist/cli.js"), "start", "--port", "4641", "--clock", "2026-03-01T09:00:00Z"],
    port: 4641, // they start one after the other
  },
  async calls(origin) {
    const headers = { ...basic };
    const [{ eventId }] = await jsonOf(fetch(`${origin}${MUSEUM}?limit=10`, { headers }));
    const body = JSON.stringify({ email: "ada@example.test", password: "Vitrine!2026" });
    const settings = { version: 1, settings: { account: { login: { onRepeat: "allow" } } } };
    await fetch(`${origin}/_vitrine/scenario`, {
      method: "PUT",
      headers: json,
      body: JSON.stringify(settings),
    });
    const { token } = await jsonOf(fetch(`${origin}/account/login`, { method: "POST", headers: json, body }));
    return {
      ...museumCalls(eventId),
      "json-ld": {
        method: "GET",
        path: "/account/consumptions",
        headers: { authorization: `Bearer ${token}`, accept: "application/ld+json" },
      },
      login: { method: "POST", path: "/account/login", headers: json, body },
    };
  },
});

/** What emulate grants a token in an hour, less a few. */
const LIMIT = 4_900;

/** @returns {Peer | undefined} Undefined where it cannot run: it needs Node 22.15, and a load that can change tokens. */
export function emulate() {
  if (LOADER !== "wrk") return undefined;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 15)) return undefined;
  const folder = dirname(fileURLToPath(import.meta.resolve("emulate")));
  const port = 4640;
  const headers = { authorization: "Bearer sk_test_x" };
  return {
    name: "emulate 0.12.2",
    command: [join(folder, "index.js"), "start", "-p", String(port), "--service", "stripe"],
    port,
    async calls(origin) {
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      const body = "name=Night+of+the+lamps&email=ada%40example.test&description=After+dark";
      let id = "";
      for (let count = 0; count < 10; count += 1)
        ({ id } = await jsonOf(fetch(`${origin}/v1/customers`, { method: "POST", headers: form, body })));
      return {
        get: { method: "GET", path: `/v1/customers/${id}`, headers, limit: LIMIT },
        list: { method: "GET", path: "/v1/customers?limit=10", headers, limit: LIMIT },
        create: { method: "POST", path: "/v1/customers", headers: form, body, limit: LIMIT },
      };
    },
  };
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts one and waits for its first answer: with `delays`, a file for these; without, as its users start it. */
export async function start(/** @type {Peer} */ peer, /** @type {string} */ delays = "") {
  const { command: script, port } = delays === "" ? (peer.program ?? peer) : peer;
  const preload = delays === "" ? [] : ["--import", join(HERE, "servers/loop-delay.mjs")];
  const args = [process.execPath, ...preload, ...script];
  const { NODE_EXTRA_CA_CERTS: _slow, ...inherited } = process.env; // where set, it adds 30 ms to each start of Node 20
  const env = { ...inherited, ...peer.environment, BENCH_LOOP_DELAYS: delays };
  const began = performance.now();
  const [command = "", ...rest] = PINNED ? ["taskset", "-c", "0", ...args] : args;
  const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const origin = port === undefined ? await readyLine(child) : `http://localhost:${port}`;
  await firstAnswer(origin);
  const readyMs = performance.now() - began;
  child.stdout.resume();
  /** @type {Running} */
  const running = {
    peer,
    pid: Number(child.pid),
    origin,
    readyMs,
    delays,
    stop: () => void child.kill("SIGKILL"),
  };
  return running;
}

/** @returns {Promise<string>} */
async function readyLine(
  /** @type {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, null>} */ child,
) {
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const { event, url } = JSON.parse(line);
    if (event === "ready") return url;
  }
  throw new Error("It ended before it was ready.");
}

/** @returns {Promise<any>} */
async function jsonOf(/** @type {Promise<Response>} */ answer) {
  return (await answer).json();
}

async function firstAnswer(/** @type {string} */ origin) {
  for (let tries = 0; tries < 2_000; tries += 1) {
    try {
      return void (await (await fetch(origin)).arrayBuffer());
    } catch {
      await setTimeout(1); // not listening yet
    }
  }
  throw new Error(`Nothing answers at ${origin}.`);
}
