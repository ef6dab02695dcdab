// While a rule may lose a reply, every other answer of its world closes its connection: browsers, which repeat by
// themselves what they lose on a connection that has worked, then meet the loss. In Chromium: browser/lost-reply.test.ts.

import { Agent, request } from "node:http";
import { afterEach, beforeEach, describe, expect } from "vitest";
import type { RuleInput } from "../../src/rules/grammar.ts";
import { testOfMistakes as test } from "../support/test.ts";

const EVENTS = "/museum/v1.1/special-events";
const LOST = { when: { operation: "museum.createSpecialEvent" }, then: { fault: "reset" } } as const;
const agent = new Agent({ keepAlive: true });
let origin: string;

type Told = { readonly connection: string | undefined; readonly port: number | undefined };

/** What the answer says of its connection, and which one that is. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Told> {
  return new Promise((resolve, reject) => {
    request(origin + path, { agent, method, headers }, (reply) => {
      const told = { connection: reply.headers.connection, port: reply.socket.localPort };
      reply.once("end", () => setImmediate(resolve, told)).resume(); // the agent has it back by then
    })
      .once("error", reject)
      .end();
  });
}

const KEPT = expect.objectContaining({ connection: "keep-alive" });
const CLOSED = expect.objectContaining({ connection: "close" });

beforeEach<{ sandbox: { listen(): Promise<{ url: string }> } }>(async ({ sandbox }) => {
  ({ url: origin } = await sandbox.listen());
});
afterEach(() => agent.destroy());

describe("while a rule may lose a reply", () => {
  test.for<readonly [string, RuleInput]>([
    ["reset", LOST],
    ["empty", { ...LOST, at: "response", limit: { times: 1 }, then: { fault: "empty" } }],
    ["reset after another", { ...LOST, then: { sequence: [{ pass: true }, { fault: "reset" }] } }],
  ])(
    "by %s, every response closes its connection, even a preflight or an error",
    async ([, rule], { sandbox }) => {
      const headers = sandbox.auth.basic();
      expect(await ask(EVENTS, headers)).toEqual(KEPT);
      sandbox.use(rule);
      expect(await ask(EVENTS, headers)).toEqual(CLOSED);
      expect(await ask(EVENTS)).toEqual(CLOSED); // 401
      expect(await ask("/nothing")).toEqual(CLOSED);
      const page = { origin: "http://localhost:5173", "access-control-request-method": "POST" };
      expect(await ask(EVENTS, page, "OPTIONS")).toEqual(CLOSED);
      sandbox.rules.clear();
      expect(await ask(EVENTS, headers)).toEqual(KEPT);
    },
  );

  test("responses of other worlds keep their connections", async ({ sandbox }) => {
    sandbox.fork("mine").use(LOST);
    sandbox.fork("other");
    expect(await ask(EVENTS)).toEqual(KEPT);
    expect(await ask(`/~other${EVENTS}`)).toEqual(KEPT);
    expect(await ask(`/~mine${EVENTS}`)).toEqual(CLOSED);
    expect(await ask(EVENTS, { "x-vitrine-world": "mine" })).toEqual(CLOSED);
  });

  test("the idle connections of a page close, but only those of the same world", async ({ sandbox }) => {
    const mine = sandbox.fork("mine");
    const page = { "sec-fetch-site": "same-site" };
    const { port } = await ask(`/~mine${EVENTS}`, page);
    sandbox.use(LOST);
    expect((await ask(`/~mine${EVENTS}`, page)).port).toBe(port);
    mine.use(LOST);
    while (Object.keys(agent.freeSockets).length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await ask(`/~mine${EVENTS}`, page)).toEqual(CLOSED);
  });

  test("the idle connections of clients other than pages stay open", async ({ sandbox }) => {
    const { port } = await ask(EVENTS);
    sandbox.use(LOST);
    expect(await ask(EVENTS)).toEqual({ connection: "close", port });
  });
});

test("connections stay open again when the rule is used up, over or switched off", async ({ sandbox }) => {
  const headers = sandbox.auth.basic();
  const id = sandbox.use({ ...LOST, when: { operation: "museum.listSpecialEvents" }, limit: { times: 1 } });
  await expect(ask(EVENTS, headers)).rejects.toThrow("ECONNRESET");
  expect(await ask(EVENTS, headers)).toEqual(KEPT);
  sandbox.rules.remove(id);
  sandbox.use({ ...LOST, id: "outage", limit: { until: "+10m" } });
  expect(await ask(EVENTS, headers)).toEqual(CLOSED);
  await sandbox.clock.advance("10m");
  expect(await ask(EVENTS, headers)).toEqual(KEPT);
  sandbox.use({ ...LOST, id: "off" });
  expect(await ask(EVENTS, headers)).toEqual(CLOSED);
  sandbox.rules.update("off", { enabled: false });
  expect(await ask(EVENTS, headers)).toEqual(KEPT);
});
