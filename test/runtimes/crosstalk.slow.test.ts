// Four hundred tests at once on one listening server, round after round. Slow: `npm run test:slow`.
// Each round each test creates its own world and applies a scenario that clashes with those of its neighbours: another
// clock, another refusal, other data. All draw the same ids. What any of them meets is its own, or it fails.

import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import type { RemoteSandbox } from "../../src/open/sandbox-methods.ts";
import { DAY_MS } from "../../src/world/time.ts";
import { startBin } from "../cli/bin.ts";

const TESTS = 400;
const ROUNDS = 20;
const START = Date.parse("2026-03-01T09:00:00Z");
const PRESETS = ["museum-empty", "presale-nearly-used-up", "museum-full-week", "unicode"] as const;

let server: Awaited<ReturnType<typeof startBin>>;
let main: RemoteSandbox;
beforeAll(async () => {
  server = await startBin("--clock", new Date(START).toISOString());
  main = connect(server.ready.url);
});
afterAll(() => server.stop());

/** One test of a client: what it makes, breaks and reads back in the world of its own. Returns the id that it drew. */
async function story(index: number, round: number): Promise<string> {
  const name = `test ${index} of round ${round}`;
  const number = index + round;
  const at = new Date(START + (number % 28) * DAY_MS);
  const status = 500 + (number % 100);
  const then = { respond: { status, body: { name } }, undocumented: true } as const;
  const world = await main.fork(`t${index}`);
  await world.scenario({
    version: 1,
    extends: [PRESETS[number % PRESETS.length] ?? "default"],
    clock: { at: at.toISOString(), mode: "frozen" },
    rules: [
      {
        id: "own",
        when: { operation: "museum.getSpecialEvent" },
        limit: { times: 1 },
        then,
      },
    ],
  });

  const event = { name, location: "Hall 2", eventDescription: "Dark", dates: ["2026-03-31"], price: index };
  const made = await world.museum.createSpecialEvent({ body: event });
  if (!made.ok) return expect.fail(`${name}: ${made.status}`);
  const { eventId } = made.body;
  const failed = await world.museum.getSpecialEvent({ params: { eventId } });
  const found = await world.museum.getSpecialEvent({ params: { eventId } });
  expect([failed.status, failed.body]).toEqual([status, { name }]);
  expect([found.status, found.body]).toEqual([200, { ...event, eventId }]);
  expect(found.headers.get("date")).toBe(at.toUTCString());

  const exchanges = await world.journal.list();
  expect(exchanges.map((exchange) => [exchange.world, exchange.seq, exchange.status])).toEqual([
    [`t${index}`, 1, 201],
    [`t${index}`, 2, status],
    [`t${index}`, 3, 200],
  ]);
  if (round < ROUNDS) await world.close();
  return eventId;
}

const tests = Array.from({ length: TESTS }, (_, index) => index);
const world = (index: number): RemoteSandbox => connect(main.urls.control, { world: `t${index}` });
const digest = async (index: number): Promise<string> => (await world(index).state()).digest;

test("400 concurrent tests do not affect each other, in twenty rounds", { timeout: 300_000 }, async () => {
  const before = await main.state();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ids = await Promise.all(tests.map((index) => story(index, round)));
    expect(new Set(ids).size).toBe(1);
  }
  expect(await main.state()).toEqual(before);

  // The worlds of the last round are still there.
  const tokens = await Promise.all(tests.map((index) => world(index).auth.token()));
  const taken = async (index: number, token = ""): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await world(index).account.getUser({ params: { id: "me" }, headers })).status === 200;
  };
  const own = await Promise.all(tests.map((index) => taken(index, tokens[index])));
  const neighbours = await Promise.all(tests.map((index) => taken(index, tokens.at(index - 1))));
  expect([own, neighbours]).toEqual([tests.map(() => true), tests.map(() => false)]);

  const [even, odd] = [0, 1].map((rest) => tests.filter((index) => index % 2 === rest)) as [
    number[],
    number[],
  ];
  const untouched = await Promise.all(odd.map(digest));
  await Promise.all(even.map((index) => world(index).reset()));
  expect(await Promise.all(odd.map(digest))).toEqual(untouched);
});
