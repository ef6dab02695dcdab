// What a client lives through, whatever it runs in and wherever its sandbox is: every verb is awaited.

import { strict as assert } from "node:assert";
import type { Controls } from "vitrine";
import type { Client, Event, Outcome } from "./client";

const LAMPS: Event = {
  name: "Night of the lamps",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-03"],
  price: 12.5,
};
const CREATE = { operation: "museum.createSpecialEvent" } as const;
const ADA = ["ada@example.test", "Vitrine!2026"] as const;

export type Story = (client: Client, sandbox: Controls) => Promise<void>;

export const stories: Readonly<Record<string, Story>> = {
  "success: what was added is in the list": atWork(async (client, sandbox) => {
    const added = done(await client.addEvent(LAMPS));
    assert.ok(done(await client.listEvents()).some(({ eventId }) => eventId === added.eventId));
    assert.equal(await stored(sandbox), 1);
  }),
  "400: a refused event is not stored, and the client knows which field is wrong": atWork(
    async (client, sandbox) => {
      const outcome = await client.addEvent({ ...LAMPS, price: "dear" as unknown as number });
      assert.equal(outcome.kind === "refused" && outcome.status, 400);
      assert.match(JSON.stringify(outcome), /price/);
      assert.equal(await stored(sandbox), 0);
    },
  ),
  "404: an event that somebody removed meanwhile": atWork(async (client, sandbox) => {
    const { eventId } = done(await client.addEvent(LAMPS));
    await sandbox.data.museum.specialEvents.remove([eventId]);
    assert.deepEqual(await client.changePrice(eventId, 1), { kind: "missing" });
  }),
  "422: a wrong threshold is refused by name": atWork(async (client, sandbox) => {
    done(await client.logIn(...ADA));
    const [preSale = { uuid: "" }] = done(await client.listPreSales());
    const outcome = await client.alertBelow(-1, preSale);
    assert.equal(outcome.kind === "refused" && outcome.status, 422);
    assert.match(JSON.stringify(outcome), /threshold/);
    assert.equal(await sandbox.journal.count({ problem: "invalidAction" }), 1);
  }),
  "throttle: a second login waits for the next day": atWork(async (client, sandbox) => {
    done(await client.logIn(...ADA));
    assert.deepEqual(await client.logIn(...ADA), { kind: "throttled", seconds: 86_400 });
    await sandbox.clock.advance("24h");
    done(await client.logIn(...ADA));
  }),
  "expired token: the client logs in again, once": atWork(async (client, sandbox) => {
    done(await client.logIn(...ADA));
    await sandbox.clock.advance("25h");
    done(await client.listPreSales());
    assert.equal(await sandbox.journal.count({ problem: "tokenExpired" }), 1);
    assert.equal(await sandbox.journal.count({ operation: "account.login", status: 200 }), 2);
  }),
  "lost reply: the client looks first, and adds no second event": atWork(async (client, sandbox) => {
    done(await client.listEvents()); // on the connection that the event would be added on
    await sandbox.use({ when: CREATE, at: "response", limit: { times: 1 }, then: { fault: "reset" } });
    assert.equal(done(await client.addEvent(LAMPS)).name, LAMPS.name);
    assert.equal(await sandbox.journal.count(CREATE), 1);
    assert.equal(await stored(sandbox), 1);
  }),
  "cancel: what was given up is not done": atWork(async (client, sandbox) => {
    await sandbox.use({ when: CREATE, then: { hold: "desk" } });
    const outcome = client.addEvent(LAMPS);
    await arrived(sandbox);
    await client.cancel();
    assert.deepEqual(await outcome, { kind: "cancelled" });
    await sandbox.journal.waitFor({ ...CREATE, gone: true });
    assert.equal(await stored(sandbox), 0);
  }),
  "open: a second creation counts before it is answered, and a report names what it waits for": atWork(
    async (client, sandbox) => {
      done(await client.addEvent(LAMPS));
      await sandbox.use({ when: CREATE, at: "response", then: { hold: "late" } });
      const second = client.addEvent(LAMPS);
      await sandbox.journal.waitFor({ ...CREATE, state: "open" });
      await arrived(sandbox);
      assert.match(
        (await sandbox.journal.verify({ ...CREATE, times: 1 })).message,
        /found 2, still open: #\d+ waits: gate late/,
      );
      assert.match((await sandbox.report()).failures.join(), /Requests still wait at the gate "late"/);
      await sandbox.gates.release("late");
      done(await second);
    },
  ),
};

/** On the second of March, with the museum's events around it. */
function atWork(story: Story): Story {
  return async (client, sandbox) => {
    await sandbox.clock.freeze("2026-03-02T09:00:00Z", { rebase: true });
    await story(client, sandbox);
  };
}

function done<T>(outcome: Outcome<T>): T {
  assert.equal(outcome.kind, "done", JSON.stringify(outcome));
  return (outcome as { readonly value: T }).value;
}

async function stored(sandbox: Controls): Promise<number> {
  const events = await sandbox.data.museum.specialEvents.all();
  return events.filter(({ name }) => name === LAMPS.name).length;
}

/** Until a request waits at the gate. */
async function arrived(sandbox: Controls): Promise<void> {
  while ((await sandbox.gates.waiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
