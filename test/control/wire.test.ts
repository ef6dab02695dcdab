// The control API as it goes over the wire: commands for a shell, bodies without tricks, events for a reader that may be slow.

import { describe, expect } from "vitest";
import { createEventStream } from "../../src/control/event-stream.ts";
import { formatCurl } from "../../src/control/index.ts";
import { parseStrictJson } from "../../src/control/render.ts";
import { controlOperations } from "../../src/control/table.ts";
import type { AnyOperation, Example } from "../../src/operation/operation.ts";
import { test } from "../support/test.ts";

const SERVER = "http://localhost:4010/_vitrine";
const commandFor = (key: string, example: Example) =>
  formatCurl(SERVER, controlOperations[key] as AnyOperation, example);

test.for<[key: string, example: Example, command: string]>([
  ["getState", {}, `curl ${SERVER}/state`],
  ["reset", { body: {} }, `curl -X POST ${SERVER}/reset -H 'Content-Type: application/json' -d '{}'`],
  ["deleteWorld", { params: { id: "w1" } }, `curl -X DELETE ${SERVER}/worlds/w1`],
  ["listExchanges", { query: { status: "404" } }, `curl '${SERVER}/journal?status=404'`],
  [
    "createSnapshot",
    { body: { name: "Ada's" } },
    `curl -X POST ${SERVER}/snapshots -H 'Content-Type: application/json' -d '{"name":"Ada'\\''s"}'`,
  ],
])("the curl command for %s with %j is correct", ([key, example, command]) => {
  expect(commandFor(key, example)).toBe(command);
});

test.for<[text: string, error: string, path: readonly (string | number)[]]>([
  ['{"a": 1, "a": 2}', 'duplicate key "a"', ["a"]],
  ['{"a": [{"b": 1, "b": 2}]}', 'duplicate key "b"', ["a", 0, "b"]],
  ['{"__proto__": {}}', 'the key "__proto__" is not allowed', ["__proto__"]],
  ['{"constructor": {"prototype": 1}}', 'the key "prototype" is not allowed', ["constructor", "prototype"]],
])("the body %s is refused: %s", ([text, error, path]) => {
  expect(parseStrictJson(text)).toEqual({ error, path });
});

test("a key has at most a thousand characters, and may come in several objects", () => {
  const key = "k".repeat(1_000);
  expect(parseStrictJson(`{"${key}": 1}`)).toEqual({ value: { [key]: 1 } });
  expect(parseStrictJson(`{"x${key}": 1}`).error).toMatch(/^the key ".*" is longer than 1000 characters$/);
  const several = { a: { b: 1 }, c: [{ b: 1 }, { b: 2 }], b: 3 };
  expect(parseStrictJson(JSON.stringify(several))).toEqual({ value: several });
  expect(parseStrictJson("[1, 2, 3]", 2).error).toBe("it has more than 2 members");
});

test.for<[line: string, body: object | undefined, pointer: string, detail: string]>([
  [
    "PUT /scenario",
    { name: "museum-empty", rules: [] },
    "/rules",
    '"name" cannot be combined with other fields.',
  ],
])(
  "%s with fields that cannot be combined is rejected with the position",
  async ([line, body, pointer, detail], { sandbox }) => {
    const [method = "", path = ""] = line.split(" ");
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await sandbox.fetch(`/_vitrine${path}`, { method, headers, ...sent });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { pointer, detail: expect.stringContaining(detail) },
    ]);
  },
);

describe("the events of a world", () => {
  test("open immediately, send exchanges and mails as they occur, and end with the reader", async ({
    sandbox,
  }) => {
    const events = createEventStream(sandbox);
    expect((await events.next()).value).toBe(": open\n\n");
    await sandbox.museum.getMuseumHours();
    expect((await events.next()).value).toContain('"state":"open"');
    const { value = "" } = await events.next();
    expect(value).toMatch(/^event: exchange\nid: [0-9a-z]+-[0-9a-z]{4}\ndata: \{.*\}\n\n$/);
    expect(JSON.parse(value.slice(value.indexOf("{")))).toEqual(sandbox.journal.last);
    const next = events.next();
    await sandbox.museum.listSpecialEvents();
    expect((await next).value).toContain('"museum.listSpecialEvents"');
    expect((await events.next()).value).toContain('"state":"ended"');
    const last = events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(await last).toEqual({ done: true, value: undefined });
    await sandbox.museum.getMuseumHours();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(events[Symbol.asyncIterator]()).toBe(events);
  });

  /** The events of a world in which mails come as fast as `send` is called. */
  function manyMails() {
    let send: (mail: object) => void = () => {};
    const mailbox = {
      subscribe(listener: typeof send) {
        send = listener;
        return () => {};
      },
    };
    const quiet = { id: "1a2b3c4d", subscribe: () => () => {} };
    const core = { world: { ended: new AbortController().signal } };
    return {
      events: createEventStream({ journal: quiet, mailbox, core } as never),
      send: (mail: object) => send(mail),
    };
  }

  test("end for a reader with more than a thousand unread events", async () => {
    const { events, send } = manyMails();
    for (let sent = 0; sent < 2_000; sent += 1) send({ sent });
    const read: string[] = [];
    for await (const event of events) read.push(event);
    expect(read).toHaveLength(1_000);
    expect(read.at(-1)).toBe('event: mail\nid: 1a2b3c4d\ndata: {"sent":998}\n\n');
  });

  test("end for a reader with more than two million unread characters", async () => {
    const { events, send } = manyMails();
    const text = "x".repeat(1_000_000);
    for (let sent = 0; sent < 4; sent += 1) send({ sent, text });
    let read = 0;
    for await (const _event of events) read += 1;
    expect(read).toBe(3);
  });

  test("continue for a reader that reads, however many events there are", async () => {
    const { events, send } = manyMails();
    await events.next();
    const text = "x".repeat(10_000);
    for (let sent = 0; sent < 1_500; sent += 1) {
      send({ sent, text });
      expect((await events.next()).done).toBe(false);
    }
  });

  test("end with the world, or immediately if it has already ended", async ({ sandbox }) => {
    const fork = sandbox.fork();
    const events = createEventStream(fork as never);
    await events.next();
    const last = events.next();
    await fork.close();
    expect((await last).done).toBe(true);
    const late = createEventStream(fork as never);
    expect([await late.next(), await late.next()]).toMatchObject([{ done: false }, { done: true }]);
  });
});
