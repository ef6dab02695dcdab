// Every copy of a recorded exchange is executed: curl in bash, fetch in Node, the test's body in a fork. Each meets the same
// outcome and sends the same bytes, or states why it cannot. One shell runs all commands.

import { execFile } from "node:child_process";
import { request } from "node:http";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCurl, toFetchCode, toTestCode } from "../../src/dashboard/samples.ts";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { FAULTS } from "../../src/rules/effect.ts";
import type { RuleInput } from "../../src/rules/grammar.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

type Run = (code: string, secrets: Values) => unknown;
type Values = Readonly<Record<string, string>>;
/** Method and URL as sent. */
type Sent = readonly [line: string, headers: Values, body?: string | Buffer | undefined];
/** A request and a rule, or the reason why some of its copies cannot be made. */
type Case = readonly [sent: Sent, about: RuleInput | string];

const BASIC = { authorization: `Basic ${btoa("guide:secret")}` };
const JSON_TYPE = { "content-type": "application/json" };
const TEXTS = [`it's $(id) \`id\` "x" \\ '; id`, "\n\r\n\ttab", "Él 🎈 \u2028", '!! \\u0041 $x ` + "" + `'];
const BODIES = ["{}", "{", "", '{"price":1.10,"a":9007199254740993,"a":1}', "@/etc/hostname", "@-"];
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-04-01"], price: 12 };
const EVENTS = "/museum/v1.1/special-events";
const ID = `${EVENTS}/dad4bce8-f5cb-4078-a211-995864315e39`;
const HOURS: Sent = ["GET /museum/v1.1/museum-hours", BASIC];

function send(lines: string, headers: Values = BASIC, body?: string | Buffer): Sent[] {
  return lines.split(", ").map((line) => [line, headers, body]);
}
const post = (body: string | Buffer, more: Values = JSON_TYPE) =>
  send(`POST ${EVENTS}`, { ...BASIC, ...more }, body);
const login = (password: string, email = "ada@example.test") =>
  send("POST /account/login", JSON_TYPE, JSON.stringify({ email, password }));
const [CREATE = HOURS] = post(JSON.stringify(EVENT));
const [WRONG = HOURS] = login("wrong");

function listCases({ auth }: TestSandbox): readonly Case[] {
  const bearer = (token = auth.token()) => ({ authorization: `Bearer ${token}` });
  const plain = [
    ...send(`GET ${EVENTS}, GET ${ID}, GET ${EVENTS}/nope, GET ${EVENTS}/a%2Fb, GET /museum/nothing`),
    ...send(
      `GET /museum/v1.1//museum-hours, GET ${EVENTS}?startDate=no&limit=1, GET ${EVENTS}?token=ab&key=it%27s`,
    ),
    ...send(`GET ${EVENTS}?dates[]=x&x={a.b}&y=[1-3]&z={c,d}, GET ${EVENTS}?name=it's&a=%20b&%2F=~`),
    ...send(`HEAD ${EVENTS}, HEAD ${EVENTS}/nope, DELETE ${ID}, DELETE ${EVENTS}/nope, PATCH ${EVENTS}`),
    ...send(`GET ${EVENTS}`, { ...BASIC, accept: "text/html", origin: "http://localhost:5173" }),
    ...send(`GET ${EVENTS}`, { ...BASIC, cookie: "a=it's; b=2", "x-a": `it's "$(id)" \\`, "x-empty": "" }),
    ...[{}, { authorization: "Basic !!" }].flatMap((own) => send(`GET ${EVENTS}`, own)),
    ...[JSON.stringify(EVENT), ...BODIES].flatMap((body) => post(body)),
    ...TEXTS.flatMap((name) => post(JSON.stringify({ ...EVENT, name }))),
    ...post("<a/>", { "content-type": "application/xml" }),
    ...post(JSON.stringify(EVENT), {}),
    ...post("a=b&password=it%27s", { "content-type": "application/x-www-form-urlencoded" }),
    ...["Vitrine!2026", "wrong", 'it\'s "$HOME" `id`'].flatMap((password) => login(password)),
    ...login("Vitrine!2026", "grace@example.test"),
    ...send("GET /account/pre-sales, GET /account/pre-sales?a[]=1, GET /account/users/no", bearer()),
    ...send("GET /account/pre-sales", bearer(auth.token({ kind: "expired" }))),
    ...send("GET /account/pre-sales", bearer(auth.token({ kind: "bad-signature" }))),
    ...send("GET /account/pre-sales", bearer("not-a-token")),
    ...send("POST /account/pre-sale-actions", { ...bearer(), ...JSON_TYPE }, '{"threshold":-1}'),
  ];
  const about = (reason: string, sent: Sent[]) => sent.map((one): Case => [one, reason]);
  return [
    ...about("No reason", plain),
    ...FAULTS.map((fault): Case => [HOURS, { then: { fault } }]),
    [HOURS, { then: { respond: { status: 503, body: { title: "Later" } } } }],
    [HOURS, { then: { delay: "1ms" } }],
    [CREATE, { at: "response", then: { fault: "reset" } }],
    [CREATE, { when: { operation: "museum.createSpecialEvent" }, then: { problem: "invalidInput" } }],
    [WRONG, { when: { operation: "account.login" }, then: { problem: "loginThrottled" } }],
    ...about("The journal does not have the whole body.", post("x".repeat(9_000))),
    ...about("The journal does not have the whole body.", post(Buffer.from([0xff, 0, 1]))),
    ...about("curl cannot send these bytes", post('{"a":"\0"}')),
    ...about("The service did not read the body", post("{}", { authorization: "Basic !!" })),
    ...about("fetch cannot send this request", send(`GET ${EVENTS}?a="x", GET /museum/v1.1/./nope`)),
  ];
}

let sandbox: TestSandbox;
let origin: string;
beforeAll(async () => {
  sandbox = await frozenSandbox();
  origin = (await sandbox.listen()).url;
});
afterAll(() => sandbox.close());

/** Ends with the response, its failure or, if the connection hangs, with the client's patience. */
function deliver([line, headers, body]: Sent, patienceMs: number): Promise<void> {
  const [method, path] = line.split(" ");
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { hostname, port, path, method, headers: { ...headers, ...length }, agent: false };
    const call = request({ ...options, signal: AbortSignal.timeout(patienceMs) }, (reply) => reply.resume());
    call.on("error", () => {});
    call.on("close", resolve).end(body);
  });
}

/** The values of the variables of a copy: the parts of the request that the journal redacts. */
function findSecrets(
  { headers, search, requestText = "" }: RecordedExchange,
  [line, sent, body = ""]: Sent,
): Values {
  const pairs = Object.entries(headers).map(([name, shown]) => [shown, sent[name] ?? ""] as const);
  const secrets: Record<string, string> = {};
  for (const [shown, whole] of [
    ...pairs,
    [search, line.replace(/^[^?]*/, "")],
    [requestText, String(body)],
  ] as const) {
    const marks = shown.match(/\[redacted #\d+]/g) ?? [];
    const parts = shown.split(/\[redacted #\d+]/).map((part) => part.replace(/\W/gu, "\\$&"));
    const [, ...values] = new RegExp(`^${parts.join("(.*)")}$`, "s").exec(whole) ?? [];
    for (const [index, mark] of marks.entries()) secrets[`SECRET_${/\d+/.exec(mark)}`] = values[index] ?? "";
  }
  return secrets;
}

const OWN = /^(host|connection|content-length|transfer-encoding|accept-.*|user-agent|sec-.*)$/;
const SEEN = "method path search requestText status problem fault made user operation".split(" ");

/** Without what each HTTP client writes itself, the number of a secret, and the world. */
function summarize({ headers, base, ...exchange }: RecordedExchange) {
  const sent = Object.entries(headers).filter(([name, value]) => !OWN.test(name) && value !== "*/*");
  const seen = SEEN.map((name) => [name, (exchange as Readonly<Record<string, unknown>>)[name]]);
  const all = [base.replace(/\/~\w+/, ""), ...sent.sort(), ...seen];
  return JSON.stringify(all, undefined, 1).replace(/\[redacted #\d+]/g, "[redacted]");
}

test("a copy of an exchange reproduces it, or states the reason", async () => {
  const expected = new Map<string, string>();
  const met = new Map<string, string>();
  const commands: string[] = [];
  for (const [index, [sent, about]] of listCases(sandbox).entries()) {
    const patienceMs = JSON.stringify(about).includes("hang") ? 500 : 60_000;
    sandbox.reset();
    const alone = sandbox.fork(`test${index}`);
    const reason = typeof about === "string" ? about : "No reason";
    if (typeof about !== "string") sandbox.use({ ...about, limit: { times: 1 } });
    const worlds = { test: alone, fetch: sandbox.fork(`fetch${index}`), curl: sandbox.fork(`curl${index}`) };
    await deliver(sent, patienceMs);
    await sandbox.journal.idle();
    sandbox.rules.clear();
    const exchange = sandbox.journal.last ?? expect.unreachable(sent[0]);
    const impatient = (url: string, init: object) =>
      fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs), redirect: "manual" });
    const copy = async (kind: keyof typeof worlds, format: typeof toCurl, run: Run) => {
      const world = worlds[kind];
      try {
        const code = format(exchange).replaceAll(`${origin}/`, `${origin}/~${world.id}/`);
        expected.set(world.id, summarize(exchange));
        await run(code, findSecrets(exchange, listCases(world)[index]?.[0] ?? sent)); // a world has tokens of its own
      } catch (error) {
        expected.set(world.id, reason);
        met.set(world.id, String(error).startsWith(`Error: ${reason}`) ? reason : String(error));
      }
    };
    await copy("fetch", toFetchCode, (code, secrets) =>
      evaluate(code, { ...secrets, fetch: impatient }).catch(noResponse),
    );
    const test = (_name: string, body: (fixtures: object) => unknown) => body({ sandbox: alone });
    await copy("test", toTestCode, (code, secrets) => {
      const kept = code.replace("test(", "await test(").replace("sandbox.journal.clear();", "");
      return evaluate(kept, { ...secrets, test, expect });
    });
    await copy("curl", toCurl, (code, secrets) => {
      const quote = (value: string) => value.replaceAll("'", "'\\''");
      const set = Object.entries(secrets).map(([name, value]) => `${name}='${quote(value)}'\n`);
      const failed = exchange.fault === undefined ? `echo ${index}` : "true";
      commands.push(`(MAX=${patienceMs / 1_000}; ${set.join("")}${code}\n) > /dev/null || ${failed} &`);
    });
  }
  const shell = ['curl() { command curl --silent --max-time $MAX "$@"; }', ...commands, "wait"].join("\n");
  expect((await promisify(execFile)("bash", ["-c", shell])).stdout).toBe("");
  for (const id of expected.keys()) {
    const { journal } = sandbox.worlds.get(id);
    await journal.idle();
    if (!met.has(id)) met.set(id, journal.last === undefined ? "Nothing arrived" : summarize(journal.last));
  }
  expect(expected.size).toBeGreaterThanOrEqual(180); // 60 exchanges
  const failures = [...expected].filter(([id, outcome]) => outcome !== met.get(id));
  expect(failures.map(([id, outcome]) => `${id}\n${outcome}\n${met.get(id)}`)).toEqual([]);
});

test("a test that was copied in another world, or from a separate port, passes in a new sandbox", async () => {
  await using recorded = await frozenSandbox();
  const cart = recorded.fork("cart");
  await cart.museum.getMuseumHours();
  const { urls } = await recorded.listen({ ownPorts: true });
  await fetch(`${urls.museum}/museum-hours`, { headers: BASIC });
  for (const { journal } of [cart, recorded]) {
    await using other = await frozenSandbox();
    const test = (_name: string, body: (fixtures: object) => unknown) => body({ sandbox: other });
    const code = toTestCode(journal.last ?? expect.unreachable());
    await evaluate(code.replace("test(", "await test("), { test, expect });
    expect(other.journal.last).toMatchObject({ operation: "museum.getMuseumHours", status: 200 });
  }
});

const evaluate = (code: string, values: object): Promise<void> =>
  new Function(...Object.keys(values), `return (async () => {${code}\n})()`)(...Object.values(values));

function noResponse(error: unknown): void {
  if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
}
