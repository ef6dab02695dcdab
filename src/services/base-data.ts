/** Provides the base data of new worlds: bundled, from a file, or generated. Shifts its dates, so that they are relative to today. */

import { UsageError } from "../errors/usage-error.ts";
import { fillStore } from "../sandbox/data.ts";
import { type DataSections, readSections } from "../sandbox/data-file.ts";
import type { BaseData } from "../sandbox/origin.ts";
import type { PackageLibrary } from "../scenario/library.ts";
import type { JsonSource } from "../scenario/source.ts";
import { Store, type StoreSnapshot } from "../world/store.ts";
import { type CalendarDate, isCalendarDate } from "../world/time.ts";
import { services } from "./index.ts";

/** Content of a base file, which contains base data. `anchor`: the day that counts as today for the dates in the file. */
export type BaseFile = { readonly anchor: CalendarDate; readonly sections: DataSections };

const MAX_CACHED_DAYS = 32;
const dataByLibrary = new WeakMap<PackageLibrary, BaseData>();

export function getBundledData(library: PackageLibrary): BaseData {
  const known = dataByLibrary.get(library);
  if (known !== undefined) return known;
  const data = createBaseData(() => toBaseFile(library.base()));
  dataByLibrary.set(library, data);
  return data;
}

/** Returns a function that creates the base data for a given day from the file that `read` returns. It caches the data by day. */
export function createBaseData(read: () => BaseFile): BaseData {
  const days = new Map<CalendarDate, StoreSnapshot>();
  return (today) => {
    let data = days.get(today);
    if (data !== undefined) return data;
    const store = new Store();
    const sections = moveSections(read(), today);
    for (const service of services)
      for (const environment of service.environments)
        fillStore(store, service, environment, sections[environment.key] ?? {});
    data = store.snapshot();
    days.set(today, data);
    const [oldest] = days.keys();
    if (days.size > MAX_CACHED_DAYS && oldest !== undefined) days.delete(oldest);
    return data;
  };
}

/** Shifts all dates from `anchor` to `today`, with the function `rebase` of each service. */
function moveSections({ anchor, sections }: BaseFile, today: CalendarDate): DataSections {
  const moved = services.flatMap((service) =>
    service.environments.flatMap(({ key }) => {
      const collections = sections[key];
      return collections === undefined
        ? []
        : [[key, service.rebase({ anchor, collections }, today).collections]];
    }),
  );
  return Object.fromEntries(moved);
}

/** Parses and validates a base file. Takes missing sections (environments) from the bundled file. Throws a UsageError if it is invalid. */
export function readBase(source: JsonSource, library: PackageLibrary): BaseFile {
  const sections = readSections(source, services, ["anchor"]);
  const { anchor } = source.value as { readonly anchor?: unknown }; // Safe cast: readSections only accepts objects.
  if (typeof anchor !== "string" || !isCalendarDate(anchor)) {
    const message = 'A base file needs "anchor", the day that its dates count from: "2026-03-01".';
    throw new UsageError("badData", message, source.locate(anchor === undefined ? [] : ["anchor"]));
  }
  return completeBase({ anchor, sections }, library);
}

export function completeBase({ anchor, sections }: BaseFile, library: PackageLibrary): BaseFile {
  return { anchor, sections: { ...moveSections(toBaseFile(library.base()), anchor), ...sections } };
}

/** Generates base data with faker. `counts`: number of entities by collection, such as `{ specialEvents: 50 }`. */
export async function generateBase(
  seed: number,
  anchor: CalendarDate,
  counts: Readonly<Record<string, number>> = {},
): Promise<BaseFile> {
  const sections: Record<string, DataSections[string]> = {};
  for (const service of services)
    for (const { key: environment } of service.environments)
      sections[environment] = (await service.generate({ seed, environment, anchor, counts })).collections;
  return { anchor, sections };
}

export function formatBase({ anchor, sections }: BaseFile): string {
  return `${JSON.stringify({ anchor, ...sections }, undefined, 2)}\n`;
}

/** Converts the bundled file. Safe cast: a test of vitrine validates that file. */
function toBaseFile({ anchor, ...sections }: ReturnType<PackageLibrary["base"]>): BaseFile {
  return { anchor, sections: sections as DataSections };
}
