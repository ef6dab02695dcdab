// The page and the control API show the same exchanges, whatever happens to the journal. test/browser/follow.test.ts plays
// some of it in a browser.

import fc from "fast-check";
import { expect, test } from "vitest";
import { JournalReader } from "../../src/dashboard/browser/journal-reader.ts";
import type { RecordedExchange } from "../../src/journal/recorded-exchange.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";

/** Small ones, so that few requests reach them. */
const LIMITS = { first: 4, later: 6, kept: 12 };
type Rows = readonly RecordedExchange[];
const HELD = { when: { operation: "museum.getMuseumHours" }, then: { hold: "late" } } as const;

test("page and control API agree through 200 sequences of reset, clear, restore, end of world and restart", async () => {
  const steps = fc.array(fc.tuple(fc.nat(10), fc.boolean()), { minLength: 5, maxLength: 20 });
  const filters = fc.constantFrom("", "service=museum", "status=404");
  await fc.assert(fc.asyncProperty(steps, filters, play), { numRuns: 200 });
}, 120_000);

/** `looks`: whether the page reads after the step, or only hears of it by events. */
async function play(steps: readonly [action: number, looks: boolean][], filter: string): Promise<void> {
  let sandbox = await createSandbox();
  let world = sandbox.fork("cart");
  let stop = (): void => {};
  /** As in the page: while events come, they are enough. */
  let isHeard = false;
  const reader = new JournalReader(async (path) => {
    const response = await sandbox.fetch(`/~cart/_vitrine${path}`);
    if (!response.ok) throw Object.assign(new Error(path), { status: response.status });
    return response.json();
  }, LIMITS);
  const enter = (): void => {
    world.use(HELD);
    world.markStart();
    const { journal } = world;
    isHeard = false;
    if (filter === "")
      stop = journal.subscribe((one) => {
        isHeard = reader.hear(journal.id, structuredClone(one)) && isHeard;
      });
  };
  const look = async (): Promise<void> => {
    const state = (await (await sandbox.fetch("/~cart/_vitrine/state")).json()) as { journal: string };
    reader.choose(state.journal, `/journal?${filter}`);
    if (isHeard && reader.rows !== undefined) return;
    isHeard = filter === "";
    await reader.read();
  };
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) await world.fetch("/museum/v1.1/nowhere");
  };
  const again = (): void => {
    stop();
    world = sandbox.fork("cart");
    enter();
  };
  const actions = [
    () => void world.museum.getMuseumHours().catch(() => {}),
    () => void world.museum.getMuseumHours().catch(() => {}),
    () => void world.gates.release("late"),
    () => world.journal.clear(),
    () => world.reset(),
    () => void sandbox.worlds.put("cart", { record: world.record() }, { replace: true }),
    () => world.restore(world.snapshot()),
    () => {
      sandbox.worlds.remove("cart");
      again();
    },
    async () => {
      await sandbox.close();
      sandbox = await createSandbox();
      again();
    },
    () => send(1),
    () => send(9),
  ];
  enter();
  for (const [action, looks] of steps) {
    await actions[action]?.();
    if (looks) await look();
  }
  await look();
  const query = new URLSearchParams(filter);
  const all = world.journal.list(
    Object.fromEntries([...query].map(([part, value]) => [part, Number(value) || value])),
  );
  const brief = (rows: Rows) => rows.map(({ seq, state, waits, status }) => ({ seq, state, waits, status }));
  const rows = reader.rows ?? [];
  const first = rows.find(({ state }) => state === "ended")?.seq ?? 0;
  expect(brief(rows)).toEqual(brief(all.filter(({ seq, state }) => state === "open" || seq >= first)));
  expect(rows.length).toBeGreaterThanOrEqual(Math.min(all.length, LIMITS.first));
  await sandbox.close();
}
