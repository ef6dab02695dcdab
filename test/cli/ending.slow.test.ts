// In every state the program ends within 1.5 s of a signal.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Ready, type Run, runBin, startBin } from "./bin.ts";

const SOON_MS = 1_500;
/** Timeout of a test whose program does not end. */
const HANGING = { timeout: 30_000 };
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Sends a request, and leaves the connection open. */
async function send({ url }: Ready, line: string, body = "", length = body.length): Promise<Socket> {
  const head = `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic dTpw\r\n`;
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const request = `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  await new Promise<void>((sent) => socket.write(request, () => sent()));
  // The server answers these after it has read the request above.
  for (let asked = 0; asked < 3; asked += 1) await fetch(`${url}/_vitrine/ready`);
  return socket;
}

async function post(url: string, path: string, body: object): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  await fetch(`${url}/_vitrine${path}`, { ...init, body: JSON.stringify(body) });
}

async function meet(ready: Ready, then: object): Promise<void> {
  await post(ready.url, "/rules", { when: { operation: "museum.getMuseumHours" }, then });
  await send(ready, "GET /museum/v1.1/museum-hours");
}

/** A mail server that accepts connections and never sends a byte. */
async function silentServer(): Promise<string> {
  const server = createServer((socket) => void socket.on("error", () => {}));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has a port
}

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-ending-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function makeFifo(path = join(tempFolder(), "fifo")): string {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  return path;
}

/** Resolves when a process reads the FIFO. The read does not end, because this end stays open. */
async function untilRead(fifo: string): Promise<void> {
  const open = () => openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK); // throws without a reader
  await expect.poll(open).toBeDefined();
}

/** A pipe without room for a byte. */
function fullPipe(): number {
  const pipe = openSync(makeFifo(), constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(pipe, Buffer.alloc(1_048_576)); // writes as much as there is room for
  return pipe;
}

/** The environment of a program in which `mkdir` never returns if the FIFO exists. */
function hangingMkdir(fifo: string) {
  const path = JSON.stringify(fifo);
  const code = `import fs from "node:fs/promises";
    import { existsSync } from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const { mkdir } = fs;
    fs.mkdir = (...given) => (existsSync(${path}) ? fs.readFile(${path}) : mkdir(...given));
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

type State = () => Promise<Run>;

const serving =
  (
    reach: (ready: Ready, run: Run) => Promise<unknown>,
    args: () => Promise<string[]> = async () => [],
  ): State =>
  async () => {
    const { ready, run } = await startBin(...(await args()));
    await reach(ready, run);
    return run;
  };

async function load({ url }: Ready): Promise<void> {
  let answered = 0;
  const client = async (): Promise<never> => {
    for (;;) answered += (await fetch(`${url}/museum/v1.1/museum-hours`)).status === 401 ? 1 : 0;
  };
  for (let clients = 0; clients < 16; clients += 1) client().catch(() => {});
  await expect.poll(() => answered).toBeGreaterThan(100);
}

/** Each makes a line of 8 kB. */
async function ask({ url }: Ready, times: number): Promise<void> {
  for (let asked = 0; asked < times; asked += 1) await fetch(`${url}/museum/v1.1/${"x".repeat(8_000)}`);
}

const DEAF = `for (const signal of ${JSON.stringify(SIGNALS)}) process.on(signal, () => console.log("no"));
  console.log("up"); setInterval(() => {}, 9e5);`;

const exitWith0: Readonly<Record<string, State>> = {
  "is idle": serving(async () => {}),
  "waits for a mail": serving((ready) => send(ready, "POST /_vitrine/mailbox/wait", '{"within":"10m"}')),
  "waits for a mail, with its client gone": serving(async (ready) =>
    (await send(ready, "POST /_vitrine/mailbox/wait", '{"within":"10m"}')).destroy(),
  ),
  "waits to verify": serving((ready) => send(ready, "POST /_vitrine/journal/verify", '{"within":"10m"}')),
  "holds a request at a gate": serving((ready) => meet(ready, { hold: "checkout" })),
  "delays a response": serving((ready) => meet(ready, { delay: "60s" })),
  "lets a request hang": serving((ready) => meet(ready, { fault: "hang" })),
  "dribbles a response": serving((ready) => meet(ready, { delay: { dribble: { chunks: 2, over: "60s" } } })),
  "waits for half a body": serving((ready) => send(ready, "POST /account/login", "{", 9)),
  "sends events": serving((ready) => send(ready, "GET /_vitrine/events")),
  "waits for a mail server that sends nothing": serving(
    ({ url }) => post(url, "/usage", { sent: 4_000 }),
    async () => ["--smtp", await silentServer()],
  ),
  "is under load": serving(load),
  "has unread output": serving(async (ready, { child }) => {
    child.stdout?.pause();
    await ask(ready, 100);
  }),
  async "has unread errors"() {
    const run = runBin(["--port", "0", "--smtp", "smtp://127.0.0.1:1"], {}, fullPipe());
    const [, url = ""] = await run.until(/serves at (\S+)[\s\S]*Ctrl\+C/);
    await post(url, "/usage", { sent: 4_000 });
    await expect.poll(async () => (await fetch(`${url}/_vitrine/state`)).text()).toContain("mailNotSent");
    return run;
  },
};

const endBySignal: Readonly<Record<string, State>> = {
  async "reads its token from a pipe that stays empty"() {
    const fifo = makeFifo();
    const run = runBin(["--port", "0", "--control-token-file", fifo]);
    await untilRead(fifo);
    return run;
  },
  async "makes its folder, and mkdir never returns"() {
    const fifo = makeFifo();
    const run = runBin(["--port", "0", "--data", join(tempFolder(), "data")], hangingMkdir(fifo));
    await untilRead(fifo);
    return run;
  },
};

/** Sends the signal. Resolves with the exit code or the signal that ended the program, and with the time in ms. */
async function timed({ child }: Run, signal: NodeJS.Signals) {
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  const started = performance.now();
  child.kill(signal);
  const [code, by] = await exit;
  return { end: code ?? by, ms: performance.now() - started };
}

test.for(
  SIGNALS.flatMap((signal) => [
    ...Object.entries(exitWith0).map(([state, start]) => [signal, state, start, 0] as const),
    ...Object.entries(endBySignal).map(([state, start]) => [signal, state, start, signal] as const),
    [signal, "runs a command that ignores signals", deafCommand, 128 + 9] as const,
  ]),
)("%s ends a program that %s", HANGING, async ([signal, _state, start, expected]) => {
  const run = await start();
  const { end, ms } = await timed(run, signal);
  expect(end).toBe(expected);
  expect(ms).toBeLessThan(SOON_MS);
  run.child.stdout?.resume();
  await run.ended;
  expect(run.output.err).toBe("");
});

async function deafCommand(): Promise<Run> {
  const run = runBin(["exec", "--", process.execPath, "-e", DEAF]);
  await run.until(/up/);
  return run;
}

test("a second signal immediately ends a program that is already stopping", HANGING, async () => {
  const { ready, run } = await startBin();
  await meet(ready, { fault: "hang" });
  const events = await fetch(`${ready.url}/_vitrine/events`);
  run.child.kill("SIGINT");
  await events.text(); // ends with the stopping
  expect(await timed(run, "SIGINT")).toMatchObject({ end: "SIGINT" });
});

test("a second signal immediately ends exec, and then a command that ignores signals", HANGING, async () => {
  const run = await deafCommand();
  run.child.kill("SIGINT");
  await run.until(/no/);
  expect(await timed(run, "SIGINT")).toMatchObject({ end: "SIGINT" });
  await run.ended; // the command had the same output
});

test("--until-stdin-ends stops the server when standard input ends", HANGING, async () => {
  const { run } = await startBin("--until-stdin-ends");
  run.child.stdin?.end();
  expect(await run.ended).toBe(0);
});

test("beyond 1 MiB of unread output, lines are dropped and counted", HANGING, async () => {
  const { ready, run, stop } = await startBin();
  run.child.stdout?.pause();
  await ask(ready, 300);
  run.child.stdout?.resume();
  await run.until(/"seq":100,/);
  await ask(ready, 1);
  await run.until(/"event":"dropped"/);
  expect(await stop()).toBe(0);
  const events = run.output.out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const counts = events.map(({ event, lines }) =>
    event === "dropped" ? lines : event === "exchange" ? 1 : 0,
  );
  expect(counts.reduce((sum, count) => sum + count)).toBe(301);
  expect(run.output.out.length).toBeLessThan(2 * 1_048_576);
});
