/** Finds the operation or document of a service for a request, and the path parameters. Uses Hono's router. */

import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { decodePercent } from "../http/percent.ts";
import type { AnyOperation } from "../operation/operation.ts";
import { createMalformedTarget, fail, type StandardProblem } from "../operation/problem.ts";
import {
  formatOperationName,
  type Service,
  type ServiceDocument,
  type ServiceEnvironment,
} from "../operation/service.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";

export type Route = ServiceEnvironment & {
  /** Prefix of the service's paths: mount path, world prefix and base path. */
  readonly base: string;
  /** Path relative to the base, without suffix. Percent-encoded as in the request. */
  readonly path: string;
  /** Format at the end of the path: `json` for `/consumptions.json`. Only for services with `suffixes`. */
  readonly suffix: string | undefined;
} & (
    | (RouteTarget & { readonly params: Readonly<Record<string, string>>; readonly problem?: undefined })
    | { readonly operation?: undefined; readonly document?: undefined; readonly problem: StandardProblem }
  );

/** `name` is the full name of an operation, such as `account.login`. */
type RouteTarget =
  | { readonly operation: AnyOperation; readonly name: string; readonly document?: undefined }
  | { readonly operation?: undefined; readonly name?: undefined; readonly document: ServiceDocument };

/** A path of a service: its operations and documents by uppercase method, and its parameters with their segment index. */
type RoutePath = {
  readonly targets: Map<string, RouteTarget>;
  readonly parameters: readonly { readonly name: string; readonly index: number }[];
};

const NO_ROUTE_PATH: RoutePath = { targets: new Map(), parameters: [] };
const NO_PARAMETERS = Object.freeze({});

const routeTables = new WeakMap<Service, SmartRouter<RoutePath>>();

/** Returns the router of a service. All environments share it. */
function getRouteTable(service: Service): SmartRouter<RoutePath> {
  let table = routeTables.get(service);
  if (table !== undefined) return table;
  table = new SmartRouter<RoutePath>({ routers: [new RegExpRouter(), new TrieRouter()] });
  routeTables.set(service, table);
  const paths = new Map<string, RoutePath>();
  for (const [key, operation] of Object.entries(service.operations)) {
    const name = formatOperationName(service, key);
    getRoutePath(paths, operation.path).targets.set(operation.method.toUpperCase(), { operation, name });
  }
  for (const [path, document] of Object.entries(service.documents ?? {}))
    getRoutePath(paths, path).targets.set("GET", { document });
  for (const [path, node] of paths) table.add("ALL", path.replace(/\{(\w+)\}/g, ":$1"), node);
  return table;
}

function getRoutePath(paths: Map<string, RoutePath>, path: string): RoutePath {
  const parameters = path
    .split("/")
    .flatMap((part, index) => (part.startsWith("{") ? [{ name: part.slice(1, -1), index }] : []));
  const node = paths.get(path) ?? { targets: new Map(), parameters };
  paths.set(path, node);
  return node;
}

/** `path` is relative to the base. HEAD finds the target of GET. Skips operations that the settings turn off. */
export function findRoute(
  mount: ServiceEnvironment,
  base: string,
  path: string,
  method: string,
  sandbox: SandboxCore,
): Route {
  const { service, environment } = mount;
  const { stem, suffix } = splitSuffix(service, path);
  const [[[node = NO_ROUTE_PATH] = []]] = getRouteTable(service).match("ALL", stem) as [
    [RoutePath, unknown][],
  ];
  const at = { service, environment, base, path: stem, suffix };
  const target = node.targets.get(method === "HEAD" ? "GET" : method);
  const settings = sandbox.settingsOf(service);
  if (target === undefined || !isOffered(target, service, settings)) {
    const { slashed } = service;
    const known = slashed && findUnslashed(mount, path, method, sandbox);
    if (slashed !== undefined && known !== undefined)
      return { ...at, document: slashed, params: { path: known } };
    const allow = [...node.targets].flatMap(([name, to]) => (isOffered(to, service, settings) ? [name] : []));
    const implied = service.allowsDeclared ? [] : [...(allow.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    return {
      ...at,
      problem:
        allow.length === 0
          ? fail("pathNotFound")
          : fail("methodNotAllowed", { headers: { Allow: [...allow, ...implied].join(", ") } }),
    };
  }
  const params = readParams(node, stem);
  if (typeof params === "string") return { ...at, problem: createMalformedTarget(params) };
  const { operation, name, document } = target;
  // The second literal has no `...at`, because a spread is slower.
  return operation === undefined
    ? { ...at, document, params }
    : { service, environment, base, path: stem, suffix, operation, name, params };
}

/** Returns `path` without trailing slashes if a route for the result exists. Undefined unless the method is GET or HEAD. */
function findUnslashed(mount: ServiceEnvironment, path: string, method: string, sandbox: SandboxCore) {
  if ((method !== "GET" && method !== "HEAD") || !path.endsWith("/")) return undefined;
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  const known = path.slice(0, end);
  return "problem" in findRoute(mount, "", known, method, sandbox) ? undefined : known;
}

export function toSentPath({ path, suffix }: Route): string {
  return suffix === undefined ? path : `${path}.${suffix}`;
}

function isOffered({ operation }: RouteTarget, service: Service, settings: unknown): boolean {
  const { switched } = service;
  return operation === undefined || switched?.operations.has(operation) !== true || switched.isOn(settings);
}

/** Splits `/consumptions.json` into the stem `/consumptions` and the suffix `json`. Does not split paths of documents. */
function splitSuffix(
  { suffixes, documents = {} }: Service,
  path: string,
): { readonly stem: string; readonly suffix: string | undefined } {
  const found = suffixes === undefined || Object.hasOwn(documents, path) ? null : SUFFIXED_PATH.exec(path);
  return { stem: found?.[1] ?? path, suffix: found?.[2] };
}

/** As in Symfony, the format starts after the first dot of the last segment, and parameters contain no dot. */
const SUFFIXED_PATH = /^(.*\/[^/.]+|.+\/)\.([^/]+)$/;

/** Decodes the parameters of a path. Returns an error message if they are invalid. */
function readParams({ parameters }: RoutePath, path: string): Readonly<Record<string, string>> | string {
  if (parameters.length === 0) return NO_PARAMETERS;
  const params: Record<string, string> = Object.create(null);
  for (const { name, index } of parameters) {
    const part = readSegment(path, index);
    const value = part.includes("%") ? decodePercent(part) : part;
    if (value === undefined) return "The path is not valid percent-encoding.";
    if (value.includes("\0")) return `The path has a NUL character (%00) in its ${name}.`;
    params[name] = value;
  }
  return params;
}

/** Returns a segment of the path. Segment 0 is before the first slash. */
function readSegment(path: string, index: number): string {
  let start = 0;
  for (let passed = 0; passed < index; passed += 1) start = path.indexOf("/", start) + 1;
  const end = path.indexOf("/", start);
  return path.slice(start, end === -1 ? undefined : end);
}
