// Every call of the file system that a workload makes goes wrong once, in every way: what was answered, what memory has
// and what a restart finds agree. Slow, for there are hundreds of calls: `npm run test:slow`.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox, createSandboxWithState } from "../../src/open/create-sandbox.ts";
import { FAULTS, type Fault, faultyFiles } from "./faulty-files.ts";
import { wholeOf } from "./whole-state.ts";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

const EVENT = { name: "Night", location: "Hall 2", eventDescription: "Dark", dates: [], price: 0 };
const OPTIONS = { clock: "2026-03-01T09:00:00Z", scenario: "museum-empty" } as const;
const ROUNDS = 12;

let home: string;
let made = 0;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "vitrine-faults-"));
});
afterAll(() => rm(home, { recursive: true }));

/** The ids of events that clients were told of and did not delete, by world; what was only attempted may be there. */
class Model {
  readonly certain = new Map<string, Set<string>>();
  readonly #worlds = ["main"];

  of(world: string): Set<string> {
    const ids = this.certain.get(world) ?? new Set();
    this.certain.set(world, ids);
    return ids;
  }

  get worlds(): readonly string[] {
    return this.#worlds;
  }

  forked(id: string): void {
    this.#worlds.push(id);
    this.certain.set(id, new Set(this.of("main")));
  }
}

/** Requests two at a time in two worlds; verbs of the control API; each answer is put into the model, if it says that it was done. */
async function work(sandbox: Sandbox, model: Model, told: { isDead: boolean }): Promise<void> {
  const control = (path: string, body: unknown, method = "POST") =>
    sandbox.fetch(`/_vitrine${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === 2 && (await control("/worlds", { name: "cart" })).status === 201) model.forked("cart");
    if (round === 5)
      await control("/rules", { when: { operation: "museum.getMuseumHours" }, then: { pass: true } });
    if (round === 7) await control("/snapshots", { name: "seven" });
    await Promise.all(
      model.worlds.map(async (id) => {
        const world = sandbox.worlds.get(id);
        const reply = await world?.museum.createSpecialEvent({ body: EVENT });
        if (reply?.status === 201) model.of(id).add(reply.body.eventId);
        else expect([503, 507]).toContain(reply?.status);
        noteEnd(reply?.body, told);
      }),
    );
    const [victim] = model.of("main");
    if (round % 4 === 3 && victim !== undefined) {
      const gone = await sandbox.museum.deleteSpecialEvent({ params: { eventId: victim } });
      noteEnd(gone.body, told);
      // One that was killed while it was written may be done or not.
      if (gone.status === 204 || told.isDead) model.of("main").delete(victim);
    }
    expectSame(sandbox, model);
  }
}

/** After an answer that says so nothing but a restart helps. */
function noteEnd(body: unknown, told: { isDead: boolean }): void {
  if (JSON.stringify(body)?.includes("restart")) told.isDead = true;
}

/** Memory has exactly what was answered: what failed was undone. */
function expectSame(sandbox: Sandbox, model: Model): void {
  for (const id of model.worlds) {
    const events = sandbox.worlds.get(id)?.data.museum.specialEvents.all() ?? [];
    expect(new Set(events.map(({ eventId }) => eventId))).toEqual(model.of(id));
  }
}

/** How many calls it took; a restart afterwards finds the same. */
async function play(at: number, fault: Fault, isPowerSafe: boolean): Promise<number> {
  made += 1;
  const data = join(home, String(made));
  const { files, told } = faultyFiles();
  const durability = isPowerSafe ? "power" : "written";
  const sandbox = await createSandboxWithState({ ...OPTIONS, data, durability }, { files, mostLines: 8 });
  told.calls = 0;
  told.names.length = 0;
  Object.assign(told, { at, fault });
  const model = new Model();
  // After a kill nobody is answered any more, nor reads what memory has.
  const worked = await work(sandbox, model, told).catch((error) => error);
  const calls = told.calls;
  const wasKilled = told.isDead;
  if (!wasKilled && worked instanceof Error) throw worked;
  const whole = wholeOf(sandbox);
  told.isDead ||= at % 2 === 1; // every other time without a snapshot at the end
  await sandbox.close().catch(() => {});
  const again = await createSandbox({ data });
  try {
    if (wasKilled)
      for (const [id, ids] of model.certain)
        for (const eventId of ids)
          expect(
            again.worlds.get(id)?.data.museum.specialEvents.get(eventId),
            `${id} ${eventId}`,
          ).toBeDefined();
    else expect(wholeOf(again)).toEqual(whole);
  } finally {
    await again.close();
    await rm(data, { recursive: true });
  }
  return calls;
}

for (const durability of ["written", "power"] as const) {
  test.for(FAULTS)(`${durability}: every call meets %s`, { timeout: 600_000 }, async (fault) => {
    const calls = await play(0, fault, durability === "power");
    expect(calls).toBeGreaterThan(ROUNDS);
    for (let at = 1; at <= calls; at += 1)
      await play(at, fault, durability === "power").catch((error) => {
        error.message = `call ${at} of ${calls}, ${fault}: ${error.message}`;
        throw error;
      });
  });
}
