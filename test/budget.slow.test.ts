// A budget that counts instead of timing: the same on a busy machine as on an idle one. Slow: `npm run test:slow`.
// When a figure gets worse, spend less; when one gets better, the record below is updated.

import { createHook } from "node:async_hooks";
import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type EventEmitter, getEventListeners, once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { Agent, type IncomingMessage, request, type Server } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../src/index.ts";
import { ROOT } from "./support/built.ts";

type Work = "get" | "list" | "create";
type Figures = Readonly<Record<Work, number>>;
type Entered = { readonly file: string; readonly functions: readonly string[] };

/** By major version of Node. Promises include that of the client's `await`. */
const RECORDED: Readonly<Record<string, { readonly promises: Figures; readonly bytes: Figures }>> = {
  20: {
    promises: { get: 5, list: 5, create: 5 },
    bytes: { get: 19_200, list: 21_200, create: 25_900 },
  },
  22: {
    promises: { get: 5, list: 5, create: 5 },
    bytes: { get: 16_200, list: 17_300, create: 21_400 },
  },
  24: {
    promises: { get: 3, list: 3, create: 3 },
    bytes: { get: 20_400, list: 20_500, create: 23_300 },
  },
  26: {
    promises: { get: 3, list: 3, create: 3 },
    bytes: { get: 19_800, list: 19_700, create: 23_700 },
  },
};
const MOST_FILES = 25;

const COUNT = join(ROOT, "test", "budget", "count.mjs");
const WORKS = ["get", "list", "create"] as const;
const EVENTS = "/museum/v1.1/special-events";
const EVENT = JSON.stringify({
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
});
const JSON_TYPE = { "content-type": "application/json" };

/** What the script counts of a built index.js, in a process of its own that compiles and collects in one thread. */
async function count<T>(what: "promises" | "bytes" | "files", index: string): Promise<T> {
  const args = ["--single-threaded", COUNT, what, pathToFileURL(index).href];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

function recorded(): { readonly promises: Figures; readonly bytes: Figures } {
  const [major = ""] = process.versions.node.split(".");
  return RECORDED[major] ?? expect.fail(`There is no record for Node ${major}; add one.`);
}

describe("a museum request in process", () => {
  const dist = join(ROOT, "dist", "index.js");
  let promises: Figures;
  let bytes: Figures;
  beforeAll(async () => {
    promises = await count("promises", dist);
    bytes = await count("bytes", dist);
  });

  test.for(WORKS)("%s makes no more promises than recorded", (work) => {
    expect(promises[work]).toBeLessThanOrEqual(recorded().promises[work] + 0.1);
  });

  test.for(WORKS)("%s allocates at most a tenth more than recorded", (work) => {
    expect(bytes[work]).toBeLessThanOrEqual(recorded().bytes[work] * 1.1);
  });

  test.for(WORKS)("%s allocates at least 80 % of the recorded bytes, so the record is up to date", (work) => {
    expect(bytes[work], "better than recorded: update the record").toBeGreaterThan(
      recorded().bytes[work] * 0.8,
    );
  });
});

describe("a reader who follows one GET", () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "vitrine-budget-"));
    for (const name of ["package.json", "fixtures", "scenarios", "node_modules"])
      await symlink(join(ROOT, name), join(home, name));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  test(`opens at most ${MOST_FILES} files of ours`, async () => {
    const build = await rolldown({
      input: join(ROOT, "src", "index.ts"),
      platform: "node",
      external: /^[^./]/, // packages
    });
    const dir = join(home, "src");
    await build.write({ dir, format: "esm", preserveModules: true, preserveModulesRoot: join(ROOT, "src") });
    await build.close();

    const entered = await count<Entered[]>("files", join(dir, "index.js"));
    const names = entered.map(({ file }) => file);
    // The way is known to lead from the one to the other.
    expect(names).toEqual(
      expect.arrayContaining(["pipeline/pipeline.js", "services/museum/operations/special-events.js"]),
    );
    const list = entered.map(({ file, functions }) => `${file}: ${functions.join(", ")}`).join("\n");
    expect(names.length, `${names.length} files were entered:\n${list}`).toBeLessThanOrEqual(MOST_FILES);
  });
});

describe("the resources that requests leave behind", () => {
  test("the fiftieth request of a connection finds no more listeners than the second left", async () => {
    const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
    const { urls, close } = await sandbox.listen({ port: 0 });
    const seen = watchServer(urls.museum);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = sandbox.auth.basic();
    try {
      // A read and a write in turn, and one more to look at what the fiftieth left.
      for (let sent = 0; sent <= 50; sent += 1) {
        const body = sent % 2 === 1 ? EVENT : undefined;
        const reply = await ask(`${urls.museum}/special-events`, agent, { headers, body });
        expect(reply.status).toBe(body === undefined ? 200 : 201);
      }
    } finally {
      agent.destroy();
      seen.stop();
      await close();
      await sandbox.close();
    }
    expect(seen.sockets.size).toBe(1);
    expect(seen.counts).toHaveLength(51);
    expect(grown(seen.counts[2], seen.counts[50])).toEqual([]);
  });

  test("a server that has closed leaves no timer, no socket and no listener of the process", async () => {
    const timers = watchTimers();
    const before = leftovers();
    const sandbox = await createSandbox();
    const { urls, close } = await sandbox.listen({ port: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = sandbox.auth.basic();
    const sockets = new Set<Socket>();
    for (let sent = 0; sent < 10; sent += 1)
      sockets.add((await ask(`${urls.museum}/special-events`, agent, { headers })).socket);
    expect(timers.count()).toBeGreaterThan(0); // such as Node's own, which looks for slow clients
    const gone = [...sockets].map((socket) => once(socket, "close"));
    await close();
    await Promise.all(gone);
    agent.destroy();
    await sandbox.close();
    expect(await timers.left()).toEqual([]);
    expect(grown(before, leftovers())).toEqual([]);
  });

  test("a hundred calls of sandbox.fetch leave no timer, and no listener on the client's signal", async () => {
    const timers = watchTimers();
    const before = leftovers();
    const sandbox = await createSandbox();
    const headers = sandbox.auth.basic();
    const { signal } = new AbortController();
    for (let sent = 0; sent < 100; sent += 1) {
      const creation = { method: "POST", headers: { ...headers, ...JSON_TYPE }, body: EVENT };
      const reply = await sandbox.fetch(EVENTS, { ...(sent % 2 === 1 ? creation : { headers }), signal });
      await reply.text();
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(await timers.left()).toEqual([]);
    expect(grown(before, leftovers())).toEqual([]);
    await sandbox.close();
  });

  test("a hundred clients that give up on a delayed answer leave no timer and no listener", async () => {
    const timers = watchTimers();
    const before = leftovers();
    const sandbox = await createSandbox();
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { delay: "60s" } });
    const clients = Array.from({ length: 100 }, () => new AbortController());
    const replies = clients.map(({ signal }) =>
      sandbox.fetch(EVENTS, { headers: sandbox.auth.basic(), signal }),
    );
    expect(timers.count()).toBeGreaterThanOrEqual(100);
    for (const client of clients) client.abort();
    await Promise.allSettled(replies);
    expect(clients.flatMap(({ signal }) => getEventListeners(signal, "abort"))).toEqual([]);
    expect(await timers.left()).toEqual([]);
    expect(grown(before, leftovers())).toEqual([]);
    await sandbox.close();
  });
});

type Counts = Readonly<Record<string, number>>;

/** Counts the listeners of the server and of its socket as each request begins. */
function watchServer(origin: string) {
  const { host } = new URL(origin);
  const counts: Counts[] = [];
  const sockets = new Set<Socket>();
  const look = (message: unknown): void => {
    // As Node documents the channel.
    const { request, socket, server } = message as {
      request: IncomingMessage;
      socket: Socket;
      server: Server;
    };
    if (request.headers.host !== host) return;
    sockets.add(socket);
    counts.push({ ...listeners("socket", socket), ...listeners("server", server) });
  };
  subscribe("http.server.request.start", look);
  return { counts, sockets, stop: () => unsubscribe("http.server.request.start", look) };
}

function listeners(owner: string, emitter: EventEmitter): Counts {
  return Object.fromEntries(
    emitter.eventNames().map((event) => [`${owner} ${String(event)}`, emitter.listenerCount(event)]),
  );
}

/** What keeps the process busy by kind, and the listeners of the process itself. */
function leftovers(): Counts {
  const counts: Record<string, number> = { ...listeners("process", process) };
  for (const kind of process.getActiveResourcesInfo())
    if (/^(Timeout|Immediate|TCP|HTTP|TLS|FS|DNS|GetAddrInfo)/.test(kind))
      counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** `socket end: 1 -> 49` of each that has become more. */
function grown(before: Counts = {}, after: Counts = {}): readonly string[] {
  return Object.entries(after)
    .filter(([name, number]) => number > (before[name] ?? 0))
    .map(([name, number]) => `${name}: ${before[name] ?? 0} -> ${number}`);
}

/** Timers from now on, also those that keep no process: how many run, and which are left at the end. */
function watchTimers() {
  const running = new Map<number, string>();
  let ended = false;
  const hook = createHook({
    init(id, type) {
      if (ended || (type !== "Timeout" && type !== "Immediate")) return;
      const stack = new Error(type).stack ?? "";
      if (!/[\\/]@?vitest[\\/]/.test(stack)) running.set(id, stack);
    },
    destroy: (id) => void running.delete(id),
  }).enable();
  return {
    count: () => running.size,
    /** The places that started those which have neither fired nor been cleared. */
    async left(): Promise<readonly string[]> {
      ended = true;
      await setImmediate(); // Node tells a turn later of what has ended
      hook.disable();
      return [...new Set(running.values())];
    },
  };
}

/** One request over the agent's connection, once its answer has been read. */
function ask(
  url: string,
  agent: Agent,
  {
    headers,
    body,
  }: { readonly headers: Readonly<Record<string, string>>; readonly body?: string | undefined },
): Promise<{ readonly status: number | undefined; readonly socket: Socket }> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    request(url, { agent, method, headers: { ...headers, ...JSON_TYPE } }, (reply) => {
      const { socket, statusCode: status } = reply;
      reply.once("end", () => resolve({ status, socket })).once("error", reject);
      reply.resume();
    })
      .once("error", reject)
      .end(body);
  });
}
