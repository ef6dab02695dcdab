/**
 * The base data a world starts with: the committed fixtures, or data generated from a seed, with their dates as of any
 * day. It is computed once per day and kept frozen, so the next sandbox of that day copies nothing.
 */

import type { Environment, Fixture, Service } from "../operation/service.ts";
import { fill } from "../sandbox/data.ts";
import type { BaseData } from "../sandbox/origin.ts";
import type { PackageLibrary } from "../scenario/library.ts";
import { Store, type StoreSnapshot } from "../world/store.ts";
import type { CalendarDate } from "../world/time.ts";
import { services } from "./index.ts";

type Source = { readonly service: Service; readonly environment: Environment; readonly fixture: Fixture };

const MOST_DAYS = 32;

const committed = new WeakMap<PackageLibrary, BaseData>();

/** The committed fixtures. */
export function committedData(library: PackageLibrary): BaseData {
  const known = committed.get(library);
  if (known !== undefined) return known;
  const data = byDay(() =>
    sources().flatMap(({ service, environment, file }) =>
      file === undefined ? [] : [{ service, environment, fixture: library.fixture(file) }],
    ),
  );
  committed.set(library, data);
  return data;
}

export async function generatedData(seed: number, anchor: CalendarDate): Promise<BaseData> {
  const generated: Source[] = [];
  for (const { service, environment, file } of sources()) {
    if (file === undefined) continue;
    const options = { seed, environment: environment.key, anchor, counts: {} };
    generated.push({ service, environment, fixture: await service.generate(options) });
  }
  return byDay(() => generated);
}

function sources() {
  return services.flatMap((service: Service) =>
    service.environments.map((environment) => ({ service, environment, file: environment.fixture })),
  );
}

/** Remembers the newest days. */
function byDay(read: () => readonly Source[]): BaseData {
  const days = new Map<CalendarDate, StoreSnapshot>();
  return (today) => {
    let data = days.get(today);
    if (data !== undefined) return data;
    const store = new Store();
    for (const { service, environment, fixture } of read())
      fill(store, service, environment, service.rebase(fixture, today));
    data = store.snapshot();
    days.set(today, data);
    const [oldest] = days.keys();
    if (days.size > MOST_DAYS && oldest !== undefined) days.delete(oldest);
    return data;
  };
}
