// The worker answers as the sandbox does in Node, to the byte; also when each object is thrown out of memory before each
// request.

import { Hono } from "hono";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/open/create-sandbox.ts";
import { type Call, play, type Reply, type Way } from "../../consumers/projects/page/session.ts";
import { type Answer, asked, type Given, HOST, runWorker, TEAM, TOKEN } from "./miniflare.ts";

const NOW = 1_772_355_600_000;
const OPTIONS = { clock: "2026-03-01T09:00:00Z", seed: 7 };
const BASES: Readonly<Record<Way, string>> = {
  museum: "/museum/v1.1",
  account: "/account",
  accountSandbox: "/account-sandbox",
  control: "/_vitrine",
};
/** What belongs to one connection. */
const HOPS = ["connection", "keep-alive", "transfer-encoding"];
const LIMIT = { timeout: 240_000 };

type Ask = (path: string, given: Given) => Promise<Answer>;

/** The calls of the session, below the team's address. */
function callsOf(ask: Ask): Call {
  return async (way, path, init) => {
    const token = way === "control" ? { authorization: `Bearer ${TOKEN}` } : {};
    const { method = "GET", body = "" } = init as { method?: string; body?: string };
    const length = /^P/.test(method) ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const headers = { ...Object.fromEntries(init.headers as Headers), ...token, ...length };
    const { status, ...answer } = await ask(`/${TEAM}${BASES[way]}${path}`, { method, headers, body });
    const kept = answer.headers.filter(([name]) => !HOPS.includes(name)) as [string, string][];
    const bytes = Uint8Array.from(answer.body, (character) => character.charCodeAt(0));
    return new Response(status === 204 ? null : bytes, { status, headers: kept });
  };
}

/** What Node answers where the sandbox is a part of another app, below the team's address. */
async function inNode(): Promise<readonly Reply[]> {
  const wall = { now: () => NOW, pause: async () => {} };
  const sandbox = await createSandbox({ ...OPTIONS, wall, allowedHosts: [HOST], controlToken: TOKEN });
  const app = new Hono().route(`/${TEAM}`, sandbox.app);
  const replies = await play(
    callsOf(async (path, { method = "GET", headers, body }) => {
      const init = { method, headers: { host: HOST, ...headers }, body: body || null };
      const response = await app.fetch(new Request(`http://${HOST}${path}`, init));
      const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
      return { status: response.status, headers: [...response.headers], body: text };
    }),
  );
  await sandbox.close();
  return replies;
}

async function inWorkerd(isThrownOut: boolean): Promise<readonly Reply[]> {
  const { port, behind } = await runWorker(OPTIONS, NOW);
  return play(
    callsOf(async (path, given) => {
      if (isThrownOut) await behind("throw-out", "world=main&world=cart");
      return asked(port, HOST, path, given);
    }),
  );
}

test.for([
  ["as it is", false],
  ["thrown out of memory before each request", true],
] as const)("each response of a session is the same as in Node: %s", LIMIT, async ([, isThrownOut]) => {
  const expected = await inNode();
  const replies = await inWorkerd(isThrownOut);
  expect(expected.length).toBeGreaterThan(60);
  const isOther = (reply: Reply, index: number) => JSON.stringify(reply) !== JSON.stringify(expected[index]);
  expect(replies.filter(isOther).map(({ step }) => step)).toEqual([]);
  expect(replies).toHaveLength(expected.length);
});
