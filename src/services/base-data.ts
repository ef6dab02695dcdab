/** The base data of a new world: committed or generated, as of any day. Computed once a day and kept frozen. */

import type { Environment, Fixture, Service } from "../operation/service.ts";
import { fillStore } from "../sandbox/data.ts";
import type { BaseData } from "../sandbox/origin.ts";
import type { PackageLibrary } from "../scenario/library.ts";
import { Store, type StoreSnapshot } from "../world/store.ts";
import type { CalendarDate } from "../world/time.ts";
import { services } from "./index.ts";

type EnvironmentFixture = {
  readonly service: Service;
  readonly environment: Environment;
  readonly fixture: Fixture;
};

const MAX_CACHED_DAYS = 32;

const dataByLibrary = new WeakMap<PackageLibrary, BaseData>();

export function getCommittedData(library: PackageLibrary): BaseData {
  const known = dataByLibrary.get(library);
  if (known !== undefined) return known;
  const data = cacheByDay(() =>
    listFixtures().flatMap(({ service, environment, file }) =>
      file === undefined ? [] : [{ service, environment, fixture: library.fixture(file) }],
    ),
  );
  dataByLibrary.set(library, data);
  return data;
}

export async function generateData(seed: number, anchor: CalendarDate): Promise<BaseData> {
  const generated: EnvironmentFixture[] = [];
  for (const { service, environment, file } of listFixtures()) {
    if (file === undefined) continue;
    const options = { seed, environment: environment.key, anchor, counts: {} };
    generated.push({ service, environment, fixture: await service.generate(options) });
  }
  return cacheByDay(() => generated);
}

function listFixtures() {
  return services.flatMap((service: Service) =>
    service.environments.map((environment) => ({ service, environment, file: environment.fixture })),
  );
}

/** Remembers the newest days. */
function cacheByDay(read: () => readonly EnvironmentFixture[]): BaseData {
  const days = new Map<CalendarDate, StoreSnapshot>();
  return (today) => {
    let data = days.get(today);
    if (data !== undefined) return data;
    const store = new Store();
    for (const { service, environment, fixture } of read())
      fillStore(store, service, environment, service.rebase(fixture, today));
    data = store.snapshot();
    days.set(today, data);
    const [oldest] = days.keys();
    if (days.size > MAX_CACHED_DAYS && oldest !== undefined) days.delete(oldest);
    return data;
  };
}
