// Whatever state it is in, the program ends when it is told to: soon, with its exit code, and without a word.

import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ready, type Run, runBin, startBin } from "./bin.ts";

/** Milliseconds; a second and a half is promised, and this machine may be busy. Without an end it would be far more. */
const SOON = 4_000;
const AUTH = "Authorization: Basic dTpw";
const JSON_TYPE = "Content-Type: application/json";

/** Sends a request, and leaves the connection open. */
async function send({ url }: Ready, line: string, body = "", ...fields: readonly string[]): Promise<void> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const head = [
    `${line} HTTP/1.1`,
    "Host: localhost",
    AUTH,
    JSON_TYPE,
    ...(fields.length > 0 ? fields : [length]),
  ];
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((sent) => socket.write(`${head.join("\r\n")}\r\n\r\n${body}`, () => sent()));
  // The server answers these after it has read the request above.
  for (let asked = 0; asked < 3; asked += 1) await fetch(`${url}/_vitrine/ready`);
}

async function addRule({ urls }: Ready, then: object): Promise<void> {
  const rule = { when: { operation: "museum.getMuseumHours" }, then };
  const headers = { "content-type": "application/json" };
  await fetch(`${urls["control"]}/rules`, { method: "POST", headers, body: JSON.stringify(rule) });
}

async function meet(ready: Ready, then: object): Promise<void> {
  await addRule(ready, then);
  await send(ready, "GET /museum/v1.1/museum-hours");
}

/** A mail server that accepts and never says a word. */
async function silentServer(): Promise<string> {
  const server = createServer((socket) => void socket.on("error", () => {}));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
}

const states: readonly [state: string, reach: (ready: Ready) => Promise<void>][] = [
  ["is idle", async () => {}],
  ["waits for a mail", (ready) => send(ready, "POST /_vitrine/mailbox/wait", '{"within":"10m"}')],
  ["waits to verify", (ready) => send(ready, "POST /_vitrine/journal/verify", '{"within":"10m"}')],
  ["holds a request at a gate", (ready) => meet(ready, { hold: "checkout" })],
  ["delays an answer", (ready) => meet(ready, { delay: "60s" })],
  ["lets a request hang", (ready) => meet(ready, { fault: "hang" })],
  ["dribbles an answer", (ready) => meet(ready, { delay: { dribble: { chunks: 2, over: "60s" } } })],
  ["waits for half a body", (ready) => send(ready, "POST /account/login", "{", "Content-Length: 9")],
  ["sends events", (ready) => send(ready, "GET /_vitrine/events")],
];

/** Sends the signal; how long the program took to end, and with what. */
async function timed({ child, ended }: Run, signal: NodeJS.Signals) {
  const started = performance.now();
  child.kill(signal);
  const code = await ended;
  return { code, ms: performance.now() - started };
}

describe("told to stop while it", () => {
  test.each(states)("%s, it exits with 0", async (_state, reach) => {
    const { ready, run } = await startBin();
    await reach(ready);
    const { code, ms } = await timed(run, "SIGTERM");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(SOON);
    expect(run.output.err).toBe("");
  });

  test("waits for a mail whose reader has gone, it exits with 0", async () => {
    const { ready, run } = await startBin();
    const reader = new AbortController();
    const mail = fetch(`${ready.url}/_vitrine/mailbox/wait`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"within":"10m"}',
      signal: reader.signal,
    });
    await fetch(`${ready.url}/_vitrine/ready`);
    reader.abort();
    await expect(mail).rejects.toThrow();
    const { code, ms } = await timed(run, "SIGINT");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(SOON);
  });

  test("talks to a mail server that says nothing, it exits with 0 and tells which mail stayed", async () => {
    const { ready, run } = await startBin("--smtp", await silentServer());
    const headers = { "content-type": "application/json" };
    await fetch(`${ready.url}/_vitrine/usage`, { method: "POST", headers, body: '{"sent":4000}' });
    const { code, ms } = await timed(run, "SIGTERM");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(SOON);
    expect(run.output.out).toMatch(/"key":"mailNotSent".*It stays in the mailbox\./);
  });

  test("is already stopping, it exits at once with 130", async () => {
    const { ready, run } = await startBin();
    await meet(ready, { fault: "hang" });
    const events = await fetch(`${ready.url}/_vitrine/events`);
    run.child.kill("SIGINT");
    await events.text(); // ends with the stopping
    const { code } = await timed(run, "SIGINT");
    expect(code).toBe(130);
  });
});

test("a command that ignores its signal is killed with it by a second Ctrl+C", async () => {
  const command =
    "process.on('SIGINT', () => console.log('no')); console.log(process.pid); setInterval(() => {}, 9e5)";
  const run = runBin(["exec", "--", process.execPath, "-e", command]);
  const [pid] = await run.until(/^\d+/);
  run.child.kill("SIGINT");
  await run.until(/no/);
  const { code } = await timed(run, "SIGINT");
  expect(code).toBe(130);
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
