// What a kill at any moment cannot undo. Slow, for it starts the command again and again: `npm run test:slow`, with
// VITRINE_KILLS=2000 before a release.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ready, startBin } from "./bin.ts";

const AUTH = { authorization: "Basic dTpw" };
const JSON_TYPE = { "content-type": "application/json" };
const ROUNDS = Number(process.env["VITRINE_KILLS"] ?? 60);
const CLIENTS = 15;
const WORLDS = ["main", "cart"];
/** A world that one client resets: what it has is known exactly, but for the call under way. */
const RESET = "till";

const EVENT = { name: "n", location: "l", eventDescription: "d", dates: ["2026-03-31"], price: 1 };

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
  /** Events of the world that is reset, before and perhaps after the call under way. `undefined`: of an unknown id. */
  own: readonly string[] = [];
  next: readonly (string | undefined)[] = [];
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
    const body = JSON.stringify({ ...EVENT, price: client });
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

/** Creates, takes snapshots, restores and resets, one call after another, until the process is gone. */
async function useAlone(ready: Ready, known: Known): Promise<void> {
  const control = controlOf(ready, RESET);
  const post = (url: string, value: unknown = {}) =>
    fetch(url, { method: "POST", headers: { ...AUTH, ...JSON_TYPE }, body: JSON.stringify(value) });
  for (let step = 0; ; step += 1) {
    const { own } = known;
    const isReset = step % 5 === 4;
    known.next = isReset ? [] : [...own, undefined];
    if (isReset) expect((await post(`${control}/reset`)).status).toBe(204);
    const created = isReset ? undefined : await post(`${baseOf(ready, RESET)}/special-events`, EVENT);
    known.own =
      created === undefined ? [] : [...own, ((await created.json()) as { eventId: string }).eventId];
    known.next = known.own;
    expect((await post(`${control}/snapshots`, { name: `s${step % 3}` })).status).toBe(201);
  }
}

/** Makes the other worlds, and gives each a rule that counts. */
async function prepare(ready: Ready): Promise<void> {
  const post = async (url: string, value: unknown): Promise<void> => {
    const reply = await fetch(url, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(value) });
    expect(reply.status).toBe(201);
  };
  for (const name of [...WORLDS.slice(1), RESET]) await post(`${ready.url}/_vitrine/worlds`, { name });
  const rule = { when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 502 } } };
  for (const world of WORLDS) await post(`${controlOf(ready, world)}/rules`, rule);
}

test(`acknowledged or visible data survives ${ROUNDS} kills at any time`, {
  timeout: 8_000 * ROUNDS + 60_000,
}, async () => {
  const data = join(folder, "killed");
  const known = new Known();
  let base = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ready, run } = await startBin("--data", data);
    if (round === 0) await prepare(ready);
    if (round === 0) base = (await listed(ready, "main")).length;
    await check(ready, known, base, round);
    let answers = 0;
    await new Promise<void>((resolve) => {
      useAlone(ready, known).catch(() => {}); // ended by the kill
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
  const { ready, run, stop } = await startBin("--data", data);
  await check(ready, known, base, ROUNDS);
  expect(await stop()).toBe(0);
  expect(run.output.err).not.toContain("Error");
  expect(known.answers).toBeGreaterThan(ROUNDS * 3);
});

/** Nothing known is lost, and each client has at most one event a kill that it does not know of. */
async function check(ready: Ready, known: Known, base: number, kills: number): Promise<void> {
  const own = (await listed(ready, RESET)).slice(base);
  const expected = [known.own, known.next].map((ids) => ids.map((id, index) => id ?? own[index]));
  expect(expected).toContainEqual(own);
  known.own = own;
  for (const world of WORLDS) {
    const there = new Set(await listed(ready, world));
    expect(there.size - base - (known.events.get(world)?.size ?? 0)).toBeLessThanOrEqual(kills * CLIENTS);
    for (const id of known.events.get(world) ?? []) expect(there.has(id), `${id} in ${world}`).toBe(true);
    const reply = await fetch(`${controlOf(ready, world)}/rules`);
    const [rule] = ((await reply.json()) as readonly { readonly matched: number }[]) ?? [];
    expect(rule?.matched, `the count of ${world}`).toBeGreaterThanOrEqual(known.refused.get(world) ?? 0);
  }
}
