// Owns the base data that a world starts with: the fixtures as of the clock's today, or data made from a seed. What was
// worked out for a day is kept frozen, so that the next sandbox of that day copies nothing.

import type { Service } from "./operation/service.ts";
import { readFixture } from "./places/node/package-files.ts";
import { fill } from "./sandbox/data.ts";
import { Store, type StoreSnapshot } from "./world/store.ts";
import type { CalendarDate } from "./world/time.ts";

const MOST_DAYS = 32;
const byDay = new Map<CalendarDate, StoreSnapshot>();

/** The committed fixtures, their dates moved to `today`. */
export function fixturesOf(services: readonly Service[], today: CalendarDate): StoreSnapshot {
  let data = byDay.get(today);
  if (data === undefined) {
    const store = new Store();
    for (const service of services) {
      for (const environment of service.environments) {
        if (environment.fixture === undefined) continue;
        fill(store, service, environment, service.rebase(readFixture(service, environment.fixture), today));
      }
    }
    data = store.snapshot();
    byDay.set(today, data);
    const [oldest] = byDay.keys();
    if (byDay.size > MOST_DAYS && oldest !== undefined) byDay.delete(oldest);
  }
  return data;
}

/** Data made with faker from a seed, around `today`. */
export async function generatedFrom(
  services: readonly Service[],
  seed: number,
  today: CalendarDate,
): Promise<StoreSnapshot> {
  const store = new Store();
  for (const service of services) {
    for (const environment of service.environments) {
      if (environment.fixture === undefined) continue;
      const wish = { seed, environment: environment.key, anchor: today, counts: {} };
      fill(store, service, environment, await service.generate(wish));
    }
  }
  return store.snapshot();
}
