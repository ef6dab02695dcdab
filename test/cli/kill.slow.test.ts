// What a kill at any moment cannot undo. Slow, for it starts the command again and again: `npm run test:slow`, with
// VITRINE_KILLS=2000 before a release.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ready, startBin } from "./bin.ts";

const AUTH = { authorization: "Basic dTpw" };
const JSON_TYPE = { "content-type": "application/json" };
const ROUNDS = Number(process.env["VITRINE_KILLS"] ?? 60) / 2;
const CLIENTS = 8;
const WORLDS = ["main", "cart", "till"];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-kill-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What clients know to be there: events that were acknowledged or seen, and how often the rule of each world answered. */
class Known {
  readonly events = new Map(WORLDS.map((world) => [world, new Set<string>()]));
  readonly refused = new Map(WORLDS.map((world) => [world, 0]));
  answers = 0;
}

const baseOf = ({ url, urls }: Ready, world: string): string =>
  world === "main" ? `${urls["museum"]}` : `${urls["museum"]}`.replace(url, `${url}/~${world}`);
const controlOf = ({ url }: Ready, world: string): string =>
  world === "main" ? `${url}/_vitrine` : `${url}/~${world}/_vitrine`;

async function listed(ready: Ready, world: string): Promise<readonly string[]> {
  const reply = await fetch(`${controlOf(ready, world)}/data/museum/specialEvents`);
  const events = (await reply.json()) as readonly { readonly eventId: string }[];
  return events.map(({ eventId }) => eventId);
}

/** Writes, reads and is refused by a rule until the process is gone. */
async function use(ready: Ready, client: number, known: Known, counted: () => void): Promise<void> {
  const world = WORLDS[client % WORLDS.length] ?? "main";
  const base = baseOf(ready, world);
  const events = known.events.get(world);
  for (;;) {
    const body = JSON.stringify({
      name: "n",
      location: "l",
      eventDescription: "d",
      dates: ["2026-03-31"],
      price: client,
    });
    const created = await fetch(`${base}/special-events`, {
      method: "POST",
      headers: { ...AUTH, ...JSON_TYPE },
      body,
    });
    expect(created.status).toBe(201);
    events?.add(((await created.json()) as { readonly eventId: string }).eventId);
    const seen = await fetch(`${base}/special-events?startDate=2026-03-31&endDate=2026-03-31&limit=5`, {
      headers: AUTH,
    });
    for (const { eventId } of (await seen.json()) as readonly { readonly eventId: string }[])
      events?.add(eventId);
    if ((await fetch(`${base}/museum-hours`, { headers: AUTH })).status === 502)
      known.refused.set(world, (known.refused.get(world) ?? 0) + 1);
    counted();
  }
}

/** Makes the other worlds, and gives each a rule that counts. */
async function prepare(ready: Ready): Promise<void> {
  const post = async (url: string, value: unknown): Promise<void> => {
    const reply = await fetch(url, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(value) });
    expect(reply.status).toBe(201);
  };
  for (const name of WORLDS.slice(1)) await post(`${ready.url}/_vitrine/worlds`, { name });
  const rule = { when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 502 } } };
  for (const world of WORLDS) await post(`${controlOf(ready, world)}/rules`, rule);
}

/** One folder without journals and one with them, side by side. */
test.concurrent.for(["", "--keep-journal"])(
  `what was acknowledged or seen survives ${ROUNDS} kills at any moment %s`,
  { timeout: 8_000 * ROUNDS + 60_000 },
  async (flag) => {
    const flags = flag === "" ? [] : [flag];
    const data = join(folder, `killed${flag}`);
    const known = new Known();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { ready, run } = await startBin("--data", data, ...flags);
      if (round === 0) await prepare(ready);
      await check(ready, known);
      let answers = 0;
      await new Promise<void>((resolve) => {
        for (let client = 0; client < CLIENTS; client += 1)
          use(ready, client, known, () => {
            answers += 1;
            if (answers >= 3 + ((7 * round) % 40)) resolve();
          }).catch(() => {}); // ended by the kill
      });
      known.answers += answers;
      run.child.kill("SIGKILL");
      await run.ended;
    }
    const { ready, run, stop } = await startBin("--data", data, ...flags);
    await check(ready, known);
    expect(await stop()).toBe(0);
    expect(run.output.err).not.toContain("Error");
    expect(known.answers).toBeGreaterThan(ROUNDS * 3);
  },
);

async function check(ready: Ready, known: Known): Promise<void> {
  for (const world of WORLDS) {
    const there = new Set(await listed(ready, world));
    for (const id of known.events.get(world) ?? []) expect(there.has(id), `${id} in ${world}`).toBe(true);
    const reply = await fetch(`${controlOf(ready, world)}/rules`);
    const [rule] = ((await reply.json()) as readonly { readonly matched: number }[]) ?? [];
    expect(rule?.matched, `the count of ${world}`).toBeGreaterThanOrEqual(known.refused.get(world) ?? 0);
  }
}
