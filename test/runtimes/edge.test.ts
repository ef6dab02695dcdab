// What a hostile or broken client gets, byte by byte, over a real socket. Cases about one thing share an id.

import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { exchangeRaw, type RawAnswer } from "./raw-client.ts";

const EVENTS = "/museum/v1.1/special-events";
const AUTH = "Authorization: Basic dTpw";
const HOST = "Host: localhost";
const EVENT = JSON.stringify({
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 0,
});

const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
let port = 0;
beforeAll(async () => {
  port = Number(new URL((await sandbox.listen()).url).port);
});
afterAll(() => sandbox.close());
afterEach(() => vi.restoreAllMocks());

/** A request from its line and header lines, ended properly. */
function head(line: string, ...fields: readonly string[]): string {
  return [line, ...fields, "", ""].join("\r\n");
}
function get(target: string, ...fields: readonly string[]): string {
  return head(`GET ${target} HTTP/1.1`, HOST, AUTH, ...fields);
}
function post(body: string | Buffer, ...fields: readonly string[]): (string | Buffer)[] {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, length, ...fields), body];
}
function postJson(body: string | Buffer): (string | Buffer)[] {
  return post(body, "Content-Type: application/json");
}
function bytes(...values: number[]): Buffer {
  return Buffer.from(values);
}

type Case = readonly [id: string, what: string, sent: string | readonly (string | Buffer)[], status: number];

const manyHeaders = (count: number): string[] => Array.from({ length: count }, (_, n) => `X-${n}: 1`);
const chunked = "Transfer-Encoding: chunked";
const JSON_TYPE = "Content-Type: application/json";

const cases: readonly Case[] = [
  ["HTTP-01", "a garbage line", "garbage\r\n\r\n", 400],
  ["HTTP-01", "a NUL in the target", get("/a\0b"), 400],
  ["HTTP-01", "a space in the target", get("/a b"), 400],
  ["HTTP-01", "raw UTF-8 in the target", [Buffer.from(get("/é"), "utf8")], 400],
  ["HTTP-01", "an unknown method", head(`FOO ${EVENTS} HTTP/1.1`, HOST), 400],
  ["HTTP-01", "a method in lower case", head(`get ${EVENTS} HTTP/1.1`, HOST), 400],
  ["HTTP-01", "bare LFs", `GET ${EVENTS} HTTP/1.1\n${HOST}\n${AUTH}\n\n`, 400],
  ["HTTP-01", "a bare CR in a header", get("/", "X-A: b\rX-C: d"), 400],
  ["HTTP-01", "a folded header", get("/", "X-A: b\r\n c"), 400],
  ["HTTP-01", "a space before the colon", get("/", "X-A : b"), 400],
  ["HTTP-01", "a TLS hello", [bytes(0x16, 3, 1, 0, 0xa5, 1, 0, 0, 0xa1, 3, 3), "\r\n\r\n"], 400],
  ["HTTP-01", "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["HTTP-02", "a line without a version", "GET /\r\n\r\n", 505],
  ["HTTP-02", "version 2.0", head("GET / HTTP/2.0", HOST), 505],
  ["HTTP-02", "version 1.9", head("GET / HTTP/1.9", HOST), 505],
  ["HTTP-03", "no Host", head(`GET ${EVENTS} HTTP/1.1`, AUTH), 400],
  ["HTTP-04", "two Hosts", get(EVENTS, HOST), 400],
  ["HTTP-04", "two different Hosts", get(EVENTS, "Host: evil.example"), 400],
  ["HTTP-04", "an empty Host", head(`GET ${EVENTS} HTTP/1.1`, "Host: ", AUTH), 400],
  ...["localhost/x", "u@localhost", "local host", "local|host", "localhost:99999"].map(
    (host): Case => [
      "HTTP-05",
      `the Host ${host}`,
      head(`GET ${EVENTS} HTTP/1.1`, `Host: ${host}`, AUTH),
      400,
    ],
  ),
  ["HTTP-06", "a whole address of another authority", get(`http://evil.example${EVENTS}`), 403],
  ["HTTP-06", "a whole address of this server", get(`http://localhost${EVENTS}`), 200],
  ["HTTP-06", "a whole address with a user", get(`http://ada@localhost${EVENTS}`), 400],
  ["HTTP-06", "a whole address with a password", get(`http://ada:pw@localhost${EVENTS}`), 400],
  ["HTTP-06", "a whole address with an at in its query", get(`http://localhost${EVENTS}?page=1&a=b@c`), 200],
  ["HTTP-06", "a Host of another name", head(`GET ${EVENTS} HTTP/1.1`, "Host: evil.example", AUTH), 403],
  ["HTTP-07", "a fragment", get(`${EVENTS}#top`), 400],
  ["HTTP-07", "a backslash in the path", get("/museum\\v1.1"), 400],
  ["HTTP-07", "a target without a slash", get("museum"), 400],
  ["HTTP-08", "two slashes", get(`/${EVENTS}`), 404],
  ["HTTP-08", "dot segments", get(`/museum/x/../v1.1/special-events`), 200],
  ["HTTP-08", "encoded dot segments", get(`/museum/x/%2e%2e/v1.1/special-events`), 200],
  [
    "HTTP-09",
    "a known path with another method",
    head(`PUT ${EVENTS} HTTP/1.1`, HOST, AUTH, "Content-Length: 0"),
    405,
  ],
  ["HTTP-09", "TRACE", head(`TRACE ${EVENTS} HTTP/1.1`, HOST, AUTH), 405],
  ["HTTP-09", "PROPFIND", head(`PROPFIND ${EVENTS} HTTP/1.1`, HOST, AUTH), 405],
  ["HTTP-09", "TRACE of the control API", head("TRACE /_vitrine/clock HTTP/1.1", HOST), 405],
  ["HTTP-09", "PROPFIND of the control API", head("PROPFIND /_vitrine/clock HTTP/1.1", HOST), 405],
  ["HTTP-10", "CONNECT", head("CONNECT example.test:443 HTTP/1.1", "Host: example.test:443"), 405],
  ["HTTP-11", "OPTIONS of the server", head("OPTIONS * HTTP/1.1", HOST), 204],
  [
    "HTTP-11",
    "OPTIONS of a path",
    head(`OPTIONS ${EVENTS} HTTP/1.1`, HOST, "Origin: http://localhost:3000"),
    204,
  ],
  [
    "HTTP-13",
    "length and chunks",
    [head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, "Content-Length: 4", chunked), "0\r\n\r\n"],
    400,
  ],
  [
    "HTTP-13",
    "two lengths",
    head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, "Content-Length: 4", "Content-Length: 5"),
    400,
  ],
  [
    "HTTP-13",
    "a negative length",
    head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, "Content-Length: -1"),
    400,
  ],
  [
    "HTTP-13",
    "a signed length",
    head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, "Content-Length: +5"),
    400,
  ],
  [
    "HTTP-13",
    "a bad chunk",
    [head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, chunked), "xyz\r\n"],
    400,
  ],
  [
    "HTTP-13",
    "the coding identity",
    head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, "Transfer-Encoding: identity"),
    400,
  ],
  [
    "HTTP-14",
    "gzip before chunked",
    [head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, "Transfer-Encoding: gzip, chunked"), "0\r\n\r\n"],
    501,
  ],
  [
    "HTTP-15",
    "chunk extensions and trailers",
    [
      head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, chunked),
      `${EVENT.length.toString(16)};a=b\r\n${EVENT}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
    ],
    201,
  ],
  ["HTTP-16", "Expect: 100-continue", post(EVENT, JSON_TYPE, "Expect: 100-continue"), 201],
  ["HTTP-16", "another Expect", post(EVENT, JSON_TYPE, "Expect: 200-ok"), 417],
  ["HTTP-17", "a head of 20 KiB", get(EVENTS, `X-A: ${"a".repeat(20_000)}`), 431],
  ["HTTP-17", "a target of 9,000 characters", get(`${EVENTS}?a=${"a".repeat(9_000)}`), 414],
  ["HTTP-17", "a target of 20,000 characters", get(`${EVENTS}?a=${"a".repeat(20_000)}`), 414],
  ["HTTP-18", "100 headers", head(`GET ${EVENTS} HTTP/1.1`, HOST, ...manyHeaders(98), AUTH), 200],
  ["HTTP-18", "101 headers", head(`GET ${EVENTS} HTTP/1.1`, HOST, ...manyHeaders(99), AUTH), 431],
  ["HTTP-18", "1,100 headers", head(`GET ${EVENTS} HTTP/1.1`, HOST, ...manyHeaders(1_100), AUTH), 431],
  ["HTTP-20", "an upgrade to WebSocket", get(EVENTS, "Connection: Upgrade", "Upgrade: websocket"), 200],
  ["HTTP-20", "an upgrade to h2c", get(EVENTS, "Connection: Upgrade", "Upgrade: h2c"), 200],
  [
    "limits",
    "200 query parameters",
    get(`${EVENTS}?${Array.from({ length: 200 }, (_, n) => `a${n}=1`).join("&")}`),
    200,
  ],
  [
    "limits",
    "201 query parameters",
    get(`${EVENTS}?${Array.from({ length: 201 }, (_, n) => `a${n}=1`).join("&")}`),
    400,
  ],
  ["HTTP-23", "a body over the limit", postJson(`"${"a".repeat(1_100_000)}"`), 413],
  [
    "HTTP-23",
    "chunks over the limit",
    [
      head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, chunked),
      `${(1_100_000).toString(16)}\r\n${"a".repeat(1_100_000)}\r\n0\r\n\r\n`,
    ],
    413,
  ],
  ["HTTP-24", "a lone percent sign in the path", get(`${EVENTS}/%`), 400],
  ["HTTP-24", "a cut UTF-8 escape in the path", get(`${EVENTS}/%E0%A4%A`), 400],
  ["HTTP-24", "escapes that are not UTF-8", get(`${EVENTS}/%ff%fe`), 400],
  ["HTTP-25", "an escaped NUL in the path", get(`${EVENTS}/a%00b`), 400],
  ["HTTP-26", "an escaped slash in an id", get(`${EVENTS}/a%2Fb`), 400],
  ["HTTP-32", "an empty body", postJson(""), 400],
  [
    "HTTP-34",
    "a byte order mark before JSON",
    postJson(Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from(EVENT)])),
    201,
  ],
  [
    "HTTP-39",
    "bytes that are not UTF-8",
    postJson(Buffer.concat([Buffer.from('{"name":"'), bytes(0xff), Buffer.from('"}')])),
    400,
  ],
  ["HTTP-42", "JSON without a type", post(EVENT), 400],
];

// What else is wrong with a query or a body: services/museum/refusals.test.ts.
describe("over a raw socket", () => {
  test.for(cases)("%s: %s gets the expected response", async ([, , sent, status]) => {
    const events = sandbox.core.world.store.collection("museum/specialEvents");
    const before = events.size;
    const printed = [vi.spyOn(console, "error"), vi.spyOn(console, "info")];
    const answer = await exchangeRaw(port, typeof sent === "string" ? [sent] : sent);
    expect(answer.status, answer.text.slice(0, 400)).toBe(status);
    expectDecentBody(answer);
    expect(events.size).toBe(status === 201 ? before + 1 : before);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    expect((await exchangeRaw(port, [get(EVENTS)])).status).toBe(200);
  });
});

describe("a client that waits for 100 Continue", () => {
  const waits = ["Content-Length: 50000000", "Expect: 100-continue"];
  test.each([
    ["without credentials", head(`POST ${EVENTS} HTTP/1.1`, HOST, JSON_TYPE, ...waits), 401],
    ["with a foreign Host", head(`POST ${EVENTS} HTTP/1.1`, "Host: evil.example", AUTH, ...waits), 403],
    [
      "from a foreign page",
      head("POST /_vitrine/reset HTTP/1.1", HOST, "Origin: http://evil.example", ...waits),
      403,
    ],
    ["with a body that is too large", head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, ...waits), 413],
    ["for a path that is none", head("POST /museum/v1.1/nothing HTTP/1.1", HOST, AUTH, ...waits), 404],
    ["with another media type", head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, ...waits), 400],
  ])("%s gets only the error response, and the connection closes", async (_what, sent, status) => {
    const answer = await exchangeRaw(port, [sent], () => false);
    expect(answer.text).toMatch(/^HTTP\/1\.1 [45]/);
    expect(answer.status).toBe(status);
    expect(answer.headers["connection"]).toBe("close");
  });

  test("and is accepted gets both responses, and keeps its connection", async () => {
    const sent = post(EVENT, JSON_TYPE, "Expect: 100-continue");
    const answer = await exchangeRaw(port, sent);
    expect(answer.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    expect(answer.headers["connection"]).not.toBe("close");
  });
});

test("a chunked body over the limit is read to its end, so that its connection takes the next request", async () => {
  const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
  const sent = [
    head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, chunked),
    chunk.repeat(48),
    "0\r\n\r\n",
    get(EVENTS),
  ];
  for (let round = 0; round < 20; round += 1) {
    const { text } = await exchangeRaw(port, sent, (all) => /HTTP\/1\.1 200[\s\S]*\r\n\r\n\[/.test(all));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
  }
});

describe("a client that is cut off", () => {
  test("in the middle of its body leaves one error in the journal, and changes nothing", async () => {
    const ended: RecordedExchange[] = [];
    const stop = sandbox.journal.subscribe((exchange) => {
      if (exchange.state === "ended") ended.push(exchange);
    });
    const events = sandbox.core.world.store.collection("museum/specialEvents").size;
    for (let round = 1; round <= 20; round += 1) {
      const socket = connect(port, "127.0.0.1");
      const length = "Content-Length: 1000";
      socket.write(head(`POST ${EVENTS} HTTP/1.1`, HOST, AUTH, JSON_TYPE, length) + EVENT);
      socket.once("connect", () => setImmediate(() => socket.destroy()));
      await expect.poll(() => ended).toHaveLength(round);
    }
    stop();
    expect(ended.map(({ problem }) => problem)).toEqual(Array(20).fill("malformedBody"));
    expect(ended.flatMap(({ findings }) => findings)).toEqual([]);
    expect(sandbox.core.world.store.collection("museum/specialEvents").size).toBe(events);
  });

  test("with a body over the limit still gets its answer, every time", async () => {
    const sent = postJson(`"${"a".repeat(1_100_000)}"`);
    for (let round = 0; round < 20; round += 1) expect((await exchangeRaw(port, sent)).status).toBe(413);
  });
});

const USUAL_NAME = /^(?:WWW-Authenticate|ETag|[A-Z][a-z\d]*(?:-[A-Z][a-z\d]*)*)$/;

/** Names are in their usual case. Refusals are JSON of a known length, without a stack, a path of this machine or a version. */
function expectDecentBody({ status = 0, headers, body, text }: RawAnswer): void {
  const [head = ""] = text.split("\r\n\r\n");
  for (const field of head.split("\r\n").slice(1)) expect(field.split(":")[0]).toMatch(USUAL_NAME);
  expect(text).not.toMatch(/node:|\.ts:\d|\.js:\d|node_modules|vitrine\/|Hono/);
  if (status < 400) return;
  expect(headers["content-type"]).toMatch(/^application\/(problem\+)?json/);
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body, "latin1"));
  expect(JSON.parse(body)).toMatchObject({ title: expect.any(String) });
}
