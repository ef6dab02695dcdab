// One request at a time over HTTP and in process, next to a bare Hono that sends the same bytes. Only ratios inside one
// run mean anything: machines differ, and the same machine differs from day to day.

import { Agent, request } from "node:http";
import { Hono } from "hono";
import { bench, describe } from "vitest";
import { listen } from "../../src/places/node/http-server.ts";
import { createSandbox } from "../../src/vitrine.ts";

const EVENTS = "/museum/v1.1/special-events";
const options = { time: 1_500, warmupTime: 300 };
const EVENT = JSON.stringify({
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 0,
});

const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
const headers = { ...sandbox.auth.basic("guide", "secret"), "content-type": "application/json" };
const list = await (await sandbox.fetch(`${EVENTS}?limit=10`, { headers })).text();
const [{ eventId }] = JSON.parse(list);
const one = await (await sandbox.fetch(`${EVENTS}/${eventId}`, { headers })).text();

const bare = new Hono();
const json = { "content-type": "application/json" };
bare.get(EVENTS, (context) => context.body(list, 200, json));
bare.get(`${EVENTS}/:id`, (context) => context.body(one, 200, json));
bare.post(EVENTS, async (context) =>
  context.body(JSON.stringify({ ...(await context.req.json()), eventId }), 201, json),
);

const agent = new Agent({ keepAlive: true });
const ours = new URL((await sandbox.listen()).url);
const theirs = new URL((await listen((incoming) => bare.fetch(incoming))).origin);

/** One exchange on a connection that stays open. */
function call(server: URL, method: string, path: string): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(
        { agent, host: "127.0.0.1", port: server.port, method, path, headers },
        (reply) => {
          reply.resume();
          reply.on("end", resolve);
        },
      );
      sent.on("error", reject);
      sent.end(method === "POST" ? EVENT : undefined);
    });
}

for (const [what, method, path] of [
  ["get one", "GET", `${EVENTS}/${eventId}`],
  ["list ten", "GET", `${EVENTS}?limit=10`],
  ["create", "POST", EVENTS],
] as const) {
  describe(`${what} over HTTP`, () => {
    bench("bare Hono", call(theirs, method, path), options);
    bench("vitrine", call(ours, method, path), options);
  });
}

describe("get one in process", () => {
  bench("bare Hono", async () => void (await bare.request(`${EVENTS}/${eventId}`, { headers })), options);
  bench("vitrine", async () => void (await sandbox.fetch(`${EVENTS}/${eventId}`, { headers })), options);
});
