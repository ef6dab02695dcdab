// Actions on a world, drawn by fast-check, and the same world taken apart and put together between any two of them.

import fc from "fast-check";
import { createSandbox, Sandbox } from "../../src/open/create-sandbox.ts";

type World = Awaited<ReturnType<typeof createSandbox>>;
/** Does something and tells all that came of it, as text. */
type Action = { readonly name: string; act(world: World): unknown };

const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 1,
};
const whole = (least: number, most: number) => fc.integer({ min: least, max: most });
const action = (name: string, act: Action["act"]): fc.Arbitrary<Action> => fc.constant({ name, act });

/** The nth of a list, or an id that is none. */
const nth = (ids: readonly string[], index: number): string => ids[index % Math.max(1, ids.length)] ?? "none";

const requests: readonly fc.Arbitrary<Action>[] = [
  whole(0, 3).map((price) => ({
    name: `create at ${price}`,
    act: (world) => world.museum.createSpecialEvent({ body: { ...EVENT, price: price - 1 } }),
  })),
  whole(1, 3).map((page) => ({
    name: `list page ${page}`,
    act: (world) => world.museum.listSpecialEvents({ query: { page, limit: 2 } }),
  })),
  whole(0, 9).map((index) => ({
    name: `delete ${index}`,
    act: (world) => {
      const ids = world.data.museum.specialEvents.all().map(({ eventId }) => eventId);
      return world.museum.deleteSpecialEvent({ params: { eventId: nth(ids, index) } });
    },
  })),
  action("buy", (world) =>
    world.museum.buyMuseumTickets({
      body: { ticketType: "general", ticketDate: "2026-03-02", email: "a@b.example" } as never,
    }),
  ),
  action("login", (world) =>
    world.account.login({ body: { email: "ada@example.test", password: "Vitrine!2026" } }),
  ),
  action("profile", (world) => world.account.getUser({ params: { id: "me" } })),
  action("consumptions", (world) => world.accountSandbox.listConsumptions()),
  action("lost", (world) => world.fetch("/museum/v1.1/special-event").then((reply) => reply.text())),
];

const LIST = { operation: "museum.listSpecialEvents" };
const verbs: readonly fc.Arbitrary<Action>[] = [
  whole(1, 2).map((times) => ({
    name: `rule ${times} times`,
    act: (world) => world.use({ when: LIST, limit: { times }, then: { respond: { status: 503 } } }),
  })),
  action("sequence", (world) =>
    world.use({
      when: { operation: "museum.*" },
      then: { sequence: [{ respond: { status: 502 } }, { pass: true }], after: "cycle" },
    }),
  ),
  action("chance per user", (world) =>
    world.use({ when: LIST, limit: { chance: 0.5, per: "user" }, then: { respond: { status: 500 } } }),
  ),
  action("remove a rule", (world) => {
    const [first] = world.rules.list();
    if (first !== undefined) world.rules.remove(first.id);
  }),
  action("switch a rule", (world) => {
    const [first] = world.rules.list();
    if (first !== undefined) world.rules.update(first.id, { enabled: !first.enabled, before: null });
  }),
  action("forget a snapshot", (world) => world.snapshots.remove("named")),
  action("let ada in", (world) => world.auth.clearThrottle("ada@example.test")),
  action("scenario", (world) => world.scenario("presale-nearly-used-up")),
  action("usage", (world) => world.usage.record({ sent: 40, received: 2 })),
  action("snapshot", (world) => world.snapshot().id),
  action("named snapshot", (world) => world.snapshot("named").id),
  action("restore", (world) => world.restore("named")),
  action("reset", (world) => world.reset()),
  action("freeze", (world) => world.clock.freeze()),
  action("resume", (world) => world.clock.resume()),
  whole(1, 48).map((hours) => ({
    name: `advance ${hours}h`,
    act: (world) => world.clock.advance(`${hours}h`),
  })),
  action("clear the journal", (world) => world.journal.clear()),
];

const reads: readonly fc.Arbitrary<Action>[] = [
  action("mailbox", (world) => world.mailbox.messages()),
  action("rules", (world) => world.rules.list()),
  action("coverage", (world) => world.coverage.data()),
  action("journal", (world) => world.journal.list()),
  action("state", (world) => world.state()),
  action("report", (world) => world.report()),
  action("verify", (world) => world.journal.verify({ ...LIST, query: { page: 1 }, times: { max: 1 } })),
  action("capsule", (world) => world.capsule()),
  action("difference", (world) => world.snapshots.diff("named")),
  action("tokens", (world) => world.auth.tokens()),
];

type Wall = { now(): number; pause(): Promise<void> };
type Story = readonly { readonly action: Action; readonly apart: boolean; readonly fork: number }[];
/** Begins, and where a story says so stops and goes on, as far as it can. */
type Place = { begin(wall: Wall): Promise<World>; goOn?(world: World, wall: Wall): Promise<World> };

/** Forty actions; before some the world is taken apart. */
export const stories: fc.Arbitrary<Story> = fc.array(
  fc.record({
    action: fc.oneof(...requests, ...verbs, ...reads),
    apart: fc.boolean(),
    fork: whole(0, 19),
  }),
  { minLength: 40, maxLength: 40 },
);

export const inMemory: Place = { begin: (wall) => createSandbox({ wall, seed: 7 }) };
export const asRecord: Place = { ...inMemory, goOn };

/** What came of each action. */
export async function play(story: Story, place: Place): Promise<readonly string[]> {
  let now = Date.parse("2026-03-01T09:00:00.250Z");
  const wall = { now: () => now, pause: async () => {} };
  let world = await place.begin(wall);
  const told: string[] = [];
  for (const { action, apart, fork } of story) {
    now += 1_000;
    if (fork === 0) world = world.fork();
    if (apart && place.goOn !== undefined) world = await place.goOn(world, wall);
    told.push(`${action.name}: ${await answerOf(action, world)}`);
  }
  await world.worlds.get("main").close();
  return told;
}

/** The same world in a process of its own, as far as it can know; coverage, which is the server's, is carried beside it. */
async function goOn(world: World, wall: Wall): Promise<World> {
  const record = JSON.parse(JSON.stringify(world.record()));
  const host = await (world.id === "main" ? Sandbox.from(record, { wall }) : createSandbox({ wall }));
  host.coverage.restore(world.coverage.toRecord());
  // The names of worlds that were made meanwhile belong to the server.
  for (const other of world.worlds.list().slice(1)) host.fork(other.id === world.id ? undefined : other.id);
  return world.id === "main" ? host : host.worlds.put(world.id, { record }, { replace: true });
}

async function answerOf({ act }: Action, world: World): Promise<string> {
  try {
    const answer = (await act(world)) as { readonly response?: Response } | undefined;
    return (
      JSON.stringify(answer, (_key, value) => (value instanceof Headers ? [...value] : value)) ?? "nothing"
    );
  } catch (error) {
    return String(error);
  }
}

/** The part of a text where it begins to differ from another. */
export function around(text = "", other = ""): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  return text.slice(Math.max(0, at - 150), at + 150);
}
