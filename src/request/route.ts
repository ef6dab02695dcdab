/** Where a request goes: service, environment, operation and path parameters. Also opens its exchange. */

import type { Exchange } from "../operation/exchange.ts";
import type { AnyOperation } from "../operation/operation.ts";
import { decodePercent } from "../operation/percent.ts";
import { fail, malformedTarget, type StandardProblem } from "../operation/problem.ts";
import { operationName, type Place, type Service, type ServiceDocument } from "../operation/service.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

export type Route = Place & {
  /** What precedes the service's paths: world prefix and base address. */
  readonly base: string;
  /** The path within the service, undecoded, without suffix. */
  readonly path: string;
  /** `json` where the path ended in `.json`; see Service. */
  readonly suffix?: string | undefined;
} & (
    | {
        readonly operation: AnyOperation;
        readonly document?: undefined;
        readonly key: string;
        readonly params: Readonly<Record<string, string>>;
      }
    | {
        readonly operation?: undefined;
        readonly document: ServiceDocument;
        readonly params: Readonly<Record<string, string>>;
        readonly problem?: undefined;
      }
    | { readonly operation?: undefined; readonly document?: undefined; readonly problem: StandardProblem }
  );

export type Target =
  | { readonly key: string; readonly operation: AnyOperation; readonly document?: undefined }
  | { readonly operation?: undefined; readonly document: ServiceDocument };

/** What one path offers, by method in upper case. */
export type Targets = ReadonlyMap<string, Target>;

/** The operations and documents of a service by their paths. */
export function tableOf(service: Service): ReadonlyMap<string, Targets> {
  const table = new Map<string, Map<string, Target>>();
  for (const [key, operation] of Object.entries(service.operations)) {
    const targets = table.get(operation.path) ?? new Map<string, Target>();
    table.set(operation.path, targets.set(operation.method.toUpperCase(), { key, operation }));
  }
  for (const [path, document] of Object.entries(service.documents ?? {}))
    table.set(path, new Map([["GET", { document }]]));
  return table;
}

/** The route of a request at a known path. GET answers HEAD; what the settings disable does not exist. */
export function findRoute(
  at: Place & Pick<Route, "base" | "path" | "suffix">,
  method: string,
  sandbox: Sandbox,
  template = "",
  targets: Targets = new Map(),
): Route {
  const settings = sandbox.settingsOf(at.service);
  const isOffered = ({ operation }: Target): boolean =>
    operation === undefined || at.service.offers(operation, settings);
  const target = targets.get(method === "HEAD" ? "GET" : method);
  if (target === undefined || !isOffered(target)) {
    const allow = [...targets].filter(([, other]) => isOffered(other)).map(([name]) => name);
    return {
      ...at,
      problem:
        allow.length === 0
          ? fail("pathNotFound")
          : fail("methodNotAllowed", { headers: { Allow: allow.join(", ") } }),
    };
  }
  const params = readParams(template, at.path);
  return params === undefined
    ? { ...at, problem: malformedTarget("The path is not valid percent-encoding.") }
    : { ...at, ...target, params };
}

/** Splits the format off the end of a path; the path of a document stays as it is. */
export function splitSuffix(service: Service, path: string): { path: string; suffix?: string } {
  if (service.suffixes === undefined || Object.hasOwn(service.documents ?? {}, path)) return { path };
  const [, stem, suffix] = /^(.*\/[^/]+)\.([A-Za-z0-9]+)$/.exec(path) ?? [];
  return stem === undefined || suffix === undefined ? { path } : { path: stem, suffix };
}

/** Decoded parameters of `path` in `template` (`/special-events/{eventId}`); undefined for a bad escape or a NUL. */
function readParams(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = template.split("/");
  const parts = path.split("/");
  const params: Record<string, string> = Object.create(null);
  for (const [index, name] of names.entries()) {
    if (!name.startsWith("{")) continue;
    const value = decodePercent(parts[index] ?? "");
    if (value === undefined || value.includes("\0")) return undefined;
    params[name.slice(1, -1)] = value;
  }
  return params;
}

export function openExchange(sandbox: Sandbox, route: Route, request: Request): Exchange {
  const url = new URL(request.url);
  const exchange: Exchange = {
    seq: route.service.observed ? sandbox.journal.nextSeq() : 0,
    world: sandbox.world.id,
    at: sandbox.world.clock.now(),
    method: request.method,
    path: route.suffix === undefined ? route.path : `${route.path}.${route.suffix}`,
    suffix: route.suffix,
    search: url.search,
    headers: request.headers,
    base: route.base,
    origin: url.origin,
    service: route.service.name,
    environment: route.environment.key,
    params: {},
    query: {},
    findings: [],
    rules: [],
    changes: [],
  };
  if (route.operation === undefined) return exchange;
  exchange.operation = operationName(route.service, route.key);
  exchange.params = route.params;
  return exchange;
}
