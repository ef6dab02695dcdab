// Every copy of a recorded exchange is executed: curl in bash, fetch in Node, the test's body in a fork. Each meets the same
// outcome and sends the same bytes, or states why it cannot. One shell runs all commands.

import { execFile } from "node:child_process";
import { request } from "node:http";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCurl, toFetchCode, toTestCode } from "../../src/dashboard/samples.ts";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import type { RuleInput } from "../../src/rules/grammar.ts";
import { frozenSandbox, type TestSandbox } from "../support/test.ts";

type Kind = "curl" | "fetch" | "test";
type Secrets = Readonly<Record<string, string>>;
type Headers = Readonly<Record<string, string>>;
/** Method and URL as sent; the reason is that of curl, fetch and test. */
type Sent = readonly [line: string, headers?: Headers, body?: string | Buffer];
type Case = {
  readonly sent: Sent;
  readonly rule?: RuleInput;
  readonly reason?: string;
};

const BASIC = { authorization: `Basic ${btoa("guide:secret")}` };
const JSON_TYPE = { "content-type": "application/json" };
const EVENT = { name: "Lamps", location: "Hall", eventDescription: "Dark", dates: ["2026-04-01"], price: 12 };
const EVENTS = "/museum/v1.1/special-events";
const ID = `${EVENTS}/dad4bce8-f5cb-4078-a211-995864315e39`;
const HOURS: Sent = ["GET /museum/v1.1/museum-hours", BASIC];
const CREATE: Sent = [`POST ${EVENTS}`, { ...BASIC, ...JSON_TYPE }, JSON.stringify(EVENT)];
const ORIGIN = { origin: "http://localhost:5173" };
const FAULTS = [
  "reset",
  "empty",
  "garbage",
  "hang",
  "truncate",
  "bad-chunk",
  "slow-close",
  "dribble",
] as const;
const get = (path: string, headers: Headers = BASIC): Sent => [`GET ${path}`, headers];
const post = (body: string | Buffer, more: Headers = JSON_TYPE): Sent => [
  CREATE[0],
  { ...BASIC, ...more },
  body,
];
const login = (password: string, email = "ada@example.test"): Sent => [
  "POST /account/login",
  JSON_TYPE,
  JSON.stringify({ email, password }),
];

function listCases({ auth }: TestSandbox): readonly Case[] {
  const bearer = (kind: "valid" | "expired" | "bad-signature" = "valid") => ({
    authorization: `Bearer ${auth.token({ kind })}`,
  });
  const plain: readonly Sent[] = [
    ...[EVENTS, `${EVENTS}?limit=1&page=2`, ID, `${EVENTS}/nope`, `${EVENTS}/a%2Fb`, "/museum/nothing"].map(
      (path) => get(path),
    ),
    ...["/museum/v1.1/special-event", "/museum/v1.1//museum-hours", `${EVENTS}?startDate=no`].map((path) =>
      get(path),
    ),
    ...["?dates[]=x&x={a,b}&y=[1-3]", "?name=it's&a=%20b&%2F=~", "?token=abc123&key=it%27s"].map((search) =>
      get(EVENTS + search),
    ),
    get(EVENTS, { ...BASIC, accept: "text/html", ...ORIGIN }),
    get(EVENTS, { ...BASIC, cookie: "a=it's; b=2", "x-a": `it's "$(id)" \\`, "x-empty": "" }),
    ...[{}, { authorization: "Basic !!" }, { authorization: "Basic" }].map((headers) => get(EVENTS, headers)),
    ...[`HEAD ${EVENTS}`, `HEAD ${EVENTS}/nope`, `DELETE ${ID}`, `DELETE ${EVENTS}/nope`].map(
      (line): Sent => [line, BASIC],
    ),
    [`PATCH ${EVENTS}`, BASIC],
    ...["{}", "{", "", '{ "price": 1.10, "a": 9007199254740993, "a": 1 }', "@/etc/hostname", "@-"].map(
      (body) => post(body),
    ),
    ...[`it's $(id) \`id\` "x" \\ '; id`, "\n\r\n\ttab", "Él 🎈 \u2028", '!! \\u0041 $x ` + "" + `'].map(
      (name) => post(JSON.stringify({ ...EVENT, name })),
    ),
    CREATE,
    post("<a/>", { "content-type": "application/xml" }),
    post(JSON.stringify(EVENT), {}),
    post("a=b&password=it%27s", { "content-type": "application/x-www-form-urlencoded" }),
    login("Vitrine!2026"),
    login("Vitrine!2026", "grace@example.test"),
    ...["wrong", 'it\'s "$HOME" `id`'].map((password) => login(password)),
    ...["/pre-sales", "/pre-sales?page=2&itemsPerPage[]=1", "/users/nobody"].map((path) =>
      get(`/account${path}`, bearer()),
    ),
    ...[bearer("expired"), bearer("bad-signature"), { authorization: "Bearer not-a-token" }, {}].map(
      (headers) => get("/account/pre-sales", headers),
    ),
    ["POST /account/pre-sale-actions", { ...bearer(), ...JSON_TYPE }, '{"threshold":-1}'],
  ];
  return [
    ...plain.map((sent) => ({ sent })),
    ...FAULTS.map((fault) => ({ sent: HOURS, rule: { then: { fault } } })),
    { sent: HOURS, rule: { then: { respond: { status: 503, body: { title: "Later" } } } } },
    { sent: HOURS, rule: { then: { delay: "1ms" } } },
    { sent: CREATE, rule: { at: "response", then: { fault: "reset" } } },
    {
      sent: CREATE,
      rule: { when: { operation: "museum.createSpecialEvent" }, then: { problem: "invalidInput" } },
    },
    {
      sent: login("wrong"),
      rule: { when: { operation: "account.login" }, then: { problem: "loginThrottled" } },
    },
    { sent: post("x".repeat(9_000)), reason: "The journal does not have the whole body." },
    { sent: post(Buffer.from([0xff, 0, 1])), reason: "The journal does not have the whole body." },
    {
      sent: post(JSON.stringify({ ...EVENT, name: "\0" }).replace("\\u0000", "\0")),
      reason: "curl cannot send these bytes",
    },
    { sent: post("{}", { authorization: "Basic !!" }), reason: "The service did not read the body" },
    { sent: get(`${EVENTS}?name="x"`), reason: "fetch cannot send this request as it was sent." },
    { sent: get("/museum/v1.1/./museum-hours"), reason: "fetch cannot send this request as it was sent." },
  ];
}

let sandbox: TestSandbox;
let origin: string;
beforeAll(async () => {
  sandbox = await frozenSandbox();
  origin = (await sandbox.listen()).url;
});
afterAll(() => sandbox.close());

/** Ends with the response, its failure or, if there is none, with the client's patience. */
function send([line, headers = {}, body]: Sent): Promise<void> {
  const [method, path] = line.split(" ");
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { hostname, port, path, method, headers: { ...headers, ...length }, agent: false };
    const call = request({ ...options, signal: AbortSignal.timeout(1_000) }, (reply) => reply.resume());
    call
      .on("error", () => {})
      .on("close", resolve)
      .end(body);
  });
}

/** The values of the variables of a copy: the parts of the request that the journal redacts. */
function findSecrets(
  { headers, search, requestText = "" }: RecordedExchange,
  [line, sent = {}, body = ""]: Sent,
): Secrets {
  const pairs = Object.entries(headers).map(([name, shown]) => [shown, sent[name] ?? ""] as const);
  const secrets: Record<string, string> = {};
  for (const [shown, whole] of [
    ...pairs,
    [search, line.replace(/^[^?]*/, "")],
    [requestText, String(body)],
  ] as const) {
    const marks = shown.match(/\[redacted #\d+]/g) ?? [];
    const pattern = shown
      .split(/\[redacted #\d+]/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const [, ...values] = new RegExp(`^${pattern.join("(.*)")}$`, "s").exec(whole) ?? [];
    for (const [index, mark] of marks.entries()) secrets[`SECRET_${/\d+/.exec(mark)}`] = values[index] ?? "";
  }
  return secrets;
}

/** Without what each HTTP client writes itself, the number of a secret, and the world. */
function summarize({ headers, base, ...exchange }: RecordedExchange) {
  const own =
    /^(host|connection|content-length|transfer-encoding|accept-(encoding|language)|user-agent|sec-.*)$/;
  const { method, path, search, requestText, status, problem, fault, made, user, operation } = exchange;
  const sent = Object.entries(headers)
    .filter(([name, value]) => !own.test(name) && value !== "*/*")
    .sort();
  const seen = {
    method,
    base: base.replace(/\/~\w+/, ""),
    path,
    search,
    sent,
    requestText,
    status,
    problem,
    fault,
    made,
    user,
    operation,
  };
  return JSON.stringify(seen, undefined, 1).replace(/\[redacted #\d+]/g, "[redacted]");
}

test("a copy of an exchange reproduces it, or states the reason", async () => {
  const expected = new Map<string, string>();
  const met = new Map<string, string>();
  const commands: string[] = [];
  for (const [index, { sent, rule, reason = "No reason" }] of listCases(sandbox).entries()) {
    sandbox.reset();
    const alone = sandbox.fork(`test${index}`);
    if (rule) sandbox.use({ ...rule, limit: { times: 1 } });
    const worlds = { test: alone, fetch: sandbox.fork(`fetch${index}`), curl: sandbox.fork(`curl${index}`) };
    await send(sent);
    await sandbox.journal.idle();
    sandbox.rules.clear();
    const exchange = sandbox.journal.last ?? expect.unreachable(sent[0]);
    const copy = async (
      kind: Kind,
      format: typeof toCurl,
      run: (code: string, secrets: Secrets) => unknown,
    ) => {
      const world = worlds[kind];
      try {
        const code = format(exchange).replaceAll(`${origin}/`, `${origin}/~${world.id}/`);
        expected.set(world.id, summarize(exchange));
        await run(code, findSecrets(exchange, listCases(world)[index]?.sent ?? sent)); // a world has tokens of its own
      } catch (error) {
        expected.set(world.id, reason);
        met.set(
          world.id,
          error instanceof Error && error.message.startsWith(reason) ? reason : String(error),
        );
      }
    };
    await copy("fetch", toFetchCode, (code, secrets) =>
      evaluate(code, { ...secrets, fetch: impatientFetch }).catch(noResponse),
    );
    await copy("test", toTestCode, (code, secrets) => {
      const run = (_name: string, body: (fixtures: object) => unknown) => body({ sandbox: alone });
      return evaluate(code.replace("test(", "await test(").replace("sandbox.journal.clear();", ""), {
        ...secrets,
        test: run,
        expect,
      });
    });
    await copy("curl", toCurl, (code, secrets) => {
      const set = Object.entries(secrets).map(
        ([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`,
      );
      const failed = exchange.fault === undefined ? `echo ${index}` : "true";
      commands.push(`(${set.join("")}${code}\n) > /dev/null || ${failed} &`);
    });
  }
  const shell = ['curl() { command curl --silent --max-time 1 "$@"; }', ...commands, "wait"].join("\n");
  expect((await promisify(execFile)("bash", ["-c", shell])).stdout).toBe("");
  for (const id of expected.keys()) {
    const { journal } = sandbox.worlds.get(id);
    await journal.idle();
    if (!met.has(id)) met.set(id, journal.last === undefined ? "Nothing arrived" : summarize(journal.last));
  }
  expect(expected.size).toBeGreaterThanOrEqual(180);
  const failures = [...expected].filter(([id, outcome]) => outcome !== met.get(id));
  expect(failures.map(([id, outcome]) => `${id}\n${outcome}\n${met.get(id)}`)).toEqual([]);
});

const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>;
const evaluate = (code: string, values: object) =>
  new AsyncFunction(...Object.keys(values), code)(...Object.values(values));
const impatientFetch = (url: string, init: object) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(1_000), redirect: "manual" }).then((reply) =>
    reply.text(),
  );

function noResponse(error: unknown): void {
  if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
}
