/** Counts received responses by operation, status and media type. A reset and a full journal do not lower the counts. */

import type { Exchange } from "../http/exchange.ts";
import { noContent } from "../operation/operation.ts";
import {
  type GetSettings,
  listOperations,
  listStatuses,
  type NamedOperation,
  type Service,
  withOfferedOperations,
} from "../operation/service.ts";
import { arrivesWhole } from "../rules/effect.ts";

/** One kind of response. `media` is the media type, or empty if there is no body. */
export type CoverageEntry = { readonly operation: string; readonly status: number; readonly media: string };
export type CoverageCount = CoverageEntry & { readonly count: number };

export type CoverageData = {
  readonly format: "vitrine-coverage-1";
  readonly documented: readonly CoverageCount[];
  /** Responses that clients received but the service does not document. */
  readonly undocumented: readonly CoverageCount[];
};

/** Counts of one service with the same settings, because the settings change the list of documented responses. */
type ServiceCoverage = {
  readonly service: Service;
  readonly settings: unknown;
  readonly counts: Map<string, number>;
};

export type CoverageRecord = Pick<ServiceCoverage, "settings"> & {
  readonly service: string;
  readonly counts: Readonly<Record<string, number>>;
};

export class Coverage {
  readonly #services: readonly Service[];
  readonly #settingsOf: GetSettings;
  /** Key: service name and settings as JSON. */
  readonly #met: Map<string, ServiceCoverage>;
  /** Entries of `#met` by settings object, to avoid the slow JSON key. Correct, because settings objects never change. */
  readonly #recent = new WeakMap<object, ServiceCoverage>();

  constructor(
    services: readonly Service[],
    settingsOf: GetSettings = ({ settings }) => settings.parse({}),
    met = new Map<string, ServiceCoverage>(),
  ) {
    this.#services = services.filter(({ observed }) => observed);
    this.#settingsOf = settingsOf;
    this.#met = met;
  }

  /** Returns a Coverage that has other settings and shares the counts of this one. */
  withSettings(settingsOf: GetSettings): Coverage {
    return new Coverage(this.#services, settingsOf, this.#met);
  }

  /** Counts a response. Skips HEAD, requests without an operation, and responses that a fault cut or lost. */
  record({ service: name, operation, status, responseHeaders, method, fault }: Exchange): void {
    if (operation === undefined || status === undefined || (fault !== undefined && !arrivesWhole(fault)))
      return;
    if (method === "HEAD") return;
    const service = this.#services.find((one) => one.name === name);
    if (service === undefined) return;
    const media = parseMediaType(responseHeaders["content-type"] ?? "");
    const key = formatKey({ operation, status, media });
    const { counts } = this.#findCounts(service);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Returns all counts. The settings at the time of a response decide whether it is documented. */
  data(): CoverageData {
    const now = this.#services.map((service) =>
      compareCoverage({ service, settings: this.#settingsOf(service) }),
    );
    const met = [...this.#met.values()].map(compareCoverage).map(({ documented, ...rest }) => {
      return { ...rest, documented: documented.filter(({ count }) => count > 0) };
    });
    const { documented, undocumented } = mergeCoverage([...now, ...met]);
    const names = listOperations(this.#services).map(({ name }) => name);
    const inDeclaredOrder = (one: CoverageEntry, other: CoverageEntry): number =>
      names.indexOf(one.operation) - names.indexOf(other.operation) || one.status - other.status;
    return { format: "vitrine-coverage-1", documented: [...documented].sort(inDeclaredOrder), undocumented };
  }

  /** Returns the counts that differ from `known`, as JSON for storage or another process. Updates `known`. */
  toRecord(known: Map<string, ReadonlyMap<string, number>> = new Map()): readonly CoverageRecord[] {
    return [...this.#met].flatMap(([key, { service, settings, counts }]) => {
      const before = known.get(key);
      const changed = [...counts].filter(([answer, count]) => before?.get(answer) !== count);
      if (changed.length === 0) return [];
      known.set(key, new Map(counts));
      return [{ service: service.name, settings, counts: Object.fromEntries(changed) }];
    });
  }

  restore(records: readonly CoverageRecord[]): void {
    this.#merge(records, (_before, count) => count);
  }

  add(records: readonly CoverageRecord[]): void {
    this.#merge(records, (before, count) => before + count);
  }

  #merge(records: readonly CoverageRecord[], countOf: (before: number, count: number) => number): void {
    for (const { service: name, settings, counts } of records) {
      const service = this.#services.find((one) => one.name === name);
      if (service === undefined) continue;
      const met = this.#getCounts(service, settings);
      for (const [answer, count] of Object.entries(counts))
        met.counts.set(answer, countOf(met.counts.get(answer) ?? 0, count));
    }
  }

  #findCounts(service: Service): ServiceCoverage {
    const settings = this.#settingsOf(service) as object; // Safe: settings are always objects.
    const recent = this.#recent.get(settings);
    if (recent !== undefined) return recent;
    const met = this.#getCounts(service, settings);
    this.#recent.set(settings, met);
    return met;
  }

  #getCounts(service: Service, settings: unknown): ServiceCoverage {
    const key = `${service.name} ${JSON.stringify(settings)}`;
    const met = this.#met.get(key) ?? { service, settings, counts: new Map() };
    this.#met.set(key, met);
    return met;
  }
}

/** Lists all documented responses with their counts (0 if never received). `undocumented`: all other received responses. */
function compareCoverage(met: Omit<ServiceCoverage, "counts"> & Partial<ServiceCoverage>): CoverageData {
  const { service, settings, counts } = met;
  const left = new Map(counts);
  const documented = listOperations([withOfferedOperations(service, settings)])
    .flatMap(listDocumented)
    .map((answer) => {
      const key = formatKey(answer);
      const count = left.get(key) ?? 0;
      left.delete(key);
      return { ...answer, count };
    });
  return { format: "vitrine-coverage-1", documented, undocumented: [...left].map(parseEntry) };
}

function parseMediaType(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end < 0 ? contentType : contentType.slice(0, end)).trim();
}

function listDocumented({ service, operation, name }: NamedOperation): CoverageEntry[] {
  return listStatuses(service, operation).flatMap((status) => {
    const schema = operation.responses[status];
    const forms =
      schema === undefined ? service.codec.problemForms(status, operation) : service.codec.forms(schema);
    const medias = schema === noContent ? [] : Object.keys(forms);
    return (medias.length === 0 ? [""] : medias).map((media) => ({ operation: name, status, media }));
  });
}

export function mergeCoverage(parts: readonly CoverageData[]): CoverageData {
  const sum = (lists: readonly (readonly CoverageCount[])[]): CoverageCount[] => {
    const counts = new Map<string, CoverageCount>();
    for (const answer of lists.flat()) {
      const key = formatKey(answer);
      counts.set(key, { ...answer, count: (counts.get(key)?.count ?? 0) + answer.count });
    }
    return [...counts.values()];
  };
  return {
    format: "vitrine-coverage-1",
    documented: sum(parts.map(({ documented }) => documented)),
    undocumented: sum(parts.map(({ undocumented }) => undocumented)).sort(compareEntries),
  };
}

/** Counts the documented responses that were received. `percent` is 0 to 100, rounded down to one decimal. */
export function computeScore({ documented }: CoverageData) {
  const met = documented.filter(({ count }) => count > 0).length;
  const percent = documented.length === 0 ? 100 : Math.floor((met / documented.length) * 1000) / 10;
  return { met, documented: documented.length, percent };
}

/** Checks that clients received at least `min` percent of the documented responses. `message` is a one-line summary. */
export function checkMinimum(data: CoverageData, min: number) {
  const { met, documented, percent } = computeScore(data);
  const ok = percent >= min;
  const relation = ok ? "at least" : "less than";
  const message = `${met} of ${documented} documented responses received, ${percent} %; ${relation} ${min} %.`;
  return { ok, message };
}

function formatKey({ operation, status, media }: CoverageEntry): string {
  return `${operation} ${status} ${media}`;
}

function parseEntry([key, count]: readonly [string, number]): CoverageCount {
  const [operation = "", status = "", media = ""] = key.split(" ");
  return { operation, status: Number(status), media, count };
}

function compareEntries(one: CoverageEntry, other: CoverageEntry): number {
  return (
    one.operation.localeCompare(other.operation, "en") ||
    one.status - other.status ||
    (one.media < other.media ? -1 : 1)
  );
}
