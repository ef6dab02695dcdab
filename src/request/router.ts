/**
 * From a request to the service, operation and world that answer it: one Hono app, built from the operations'
 * own declarations and shared by all sandboxes of the same services. Guard and CORS run before it.
 */

import { type Context, Hono } from "hono";
import { sandboxProblem } from "../operation/problem-json.ts";
import type { Place, Service } from "../operation/service.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Worlds } from "../sandbox/worlds.ts";
import { splitWorld } from "../world/world-name.ts";
import { allowReading, answerPreflight } from "./cors.ts";
import { type Access, CONTROL_BASE, isControl, refuseAccess, withSecurityHeaders } from "./guard.ts";
import { answer } from "./pipeline.ts";
import { findRoute, splitSuffix, type Targets, tableOf } from "./route.ts";
import { recordUnmatched } from "./unmatched.ts";

/** What one server provides behind the routes. */
export type Behind = { readonly worlds: Worlds; readonly access: Access };

export type App = { fetch(request: Request, behind: Behind): Promise<Response> };

/** Where a request goes, read once: guard and router see the same path, with dot segments resolved. */
type Target = {
  readonly hostname: string;
  /** The world that the path names. */
  readonly world: string | undefined;
  /** `/~w1`, or empty. */
  readonly prefix: string;
  /** Without the prefix. */
  readonly path: string;
};
/** What a request carries through the app, and the answer of the service. */
type Env = { Bindings: Behind & { readonly target: Target; answered?: Response } };

const apps = new WeakMap<readonly Service[], Map<string | undefined, App>>();

/**
 * The app of these services, created on first use. `only` is the key of the single environment that it serves, at its
 * root; undefined: all, each under its base.
 */
export function appOf(services: readonly Service[], only?: string): App {
  const made = apps.get(services) ?? new Map<string | undefined, App>();
  apps.set(services, made);
  const app = made.get(only) ?? createApp(services, only);
  made.set(only, app);
  return app;
}

function createApp(services: readonly Service[], only: string | undefined): App {
  const places: { readonly base: string; readonly service: Service }[] = [];
  const app = new Hono<Env>({
    // `fetch` below gives every request its target.
    getPath: (_request, options) => pathWithoutSuffix(options?.env?.target.path ?? "/", places),
  });
  const bases: string[] = [];
  for (const service of services) {
    for (const environment of service.environments) {
      if (only !== undefined && environment.key !== only) continue;
      const base = only === undefined ? environment.base : environment.ownBase;
      bases.push(base || "/");
      places.push({ base, service });
      mount(app, { service, environment }, base);
    }
  }
  app.notFound(({ env: { target, worlds }, req: { raw: request, path } }) => {
    const response = sandboxError(404, `Nothing is served at ${path}. Base addresses: ${bases.join(", ")}.`);
    const found = findWorld(request, target, worlds);
    if (found instanceof Response || isControl(path)) return response;
    const mounts = places.filter(({ service }) => service.observed);
    return recordUnmatched(found, request, { path, prefix: target.prefix, mounts }, response);
  });
  app.onError((error) => sandboxError(500, `A defect of the sandbox itself: ${error.name}.`));
  return {
    fetch: async (request, { worlds, access }) => {
      const target = readTarget(request);
      const way: Env["Bindings"] = { target, worlds, access };
      const stopped = stop(request, target, access);
      const sent = stopped ?? (await app.fetch(request, way));
      // Hono recreates the reply to HEAD, which would lose the mark of a fault.
      const response = way.answered ?? sent;
      return isControl(target.path) ? withSecurityHeaders(response) : allowReading(response, request, access);
    },
  };
}

/** What is answered before any route: refused access, and preflights of browsers. */
function stop(request: Request, target: Target, access: Access): Response | undefined {
  const refused = refuseAccess(request, target, access);
  if (refused !== undefined) return sandboxError(refused.status, refused.message);
  return isControl(target.path) ? undefined : answerPreflight(request, access);
}

/** Routes of one environment: the paths of its operations, and everything else under its base. */
function mount(app: Hono<Env>, place: Place, base: string): void {
  const serve = (template?: string, targets?: Targets) => async (context: Context<Env>) => {
    const { target, worlds } = context.env;
    const request = context.req.raw;
    const sandbox = findWorld(request, target, worlds);
    if (sandbox instanceof Response) return sandbox;
    const inService = target.path.slice(base.length) || "/";
    const at = { ...place, base: target.prefix + base, ...splitSuffix(place.service, inService) };
    const route = findRoute(at, request.method, sandbox, template, targets);
    const asksMethods = request.method === "OPTIONS" && route.operation === undefined;
    if (asksMethods && route.problem?.key === "methodNotAllowed")
      return new Response(null, { status: 204, headers: { ...route.problem.headers } });
    context.env.answered = await answer(sandbox, route, request);
    return context.env.answered;
  };
  const table = tableOf(place.service);
  for (const [template, targets] of table)
    app.all(base + template.replace(/\{(\w+)\}/g, ":$1"), serve(template, targets));
  if (base !== "") app.all(base, serve("/", table.get("/")));
  app.all(`${base}/*`, serve());
}

/** The world a request refers to: by the prefix of its path, by header, otherwise the main one. */
function findWorld({ headers }: Request, { world, path }: Target, worlds: Worlds): Sandbox | Response {
  const id = world ?? headers.get("x-vitrine-world");
  if (id === null && worlds.strict && !isControl(path)) {
    return sandboxError(
      404,
      `Only addresses of a world are served (strictWorlds). Make one with POST ${CONTROL_BASE}/worlds and call /~<world>${path}.`,
    );
  }
  const sandbox = id === null ? worlds.main : worlds.get(id);
  return sandbox ?? sandboxError(404, worlds.unknown(id ?? ""));
}

function readTarget(request: Request): Target {
  const { hostname, pathname } = new URL(request.url);
  const { prefix, name: world, rest: path } = splitWorld(pathname);
  return { hostname, world, prefix, path };
}

/** The path to route by: without the format, for services whose paths may end in one. */
function pathWithoutSuffix(
  path: string,
  places: readonly { readonly base: string; readonly service: Service }[],
): string {
  const place = places.find(
    ({ base, service }) => service.suffixes !== undefined && path.startsWith(`${base}/`),
  );
  if (place === undefined) return path;
  return place.base + splitSuffix(place.service, path.slice(place.base.length)).path;
}

/** An answer of the sandbox itself. */
export function sandboxError(status: number, detail: string): Response {
  const { body, ...init } = sandboxProblem(status, detail);
  return new Response(body, init);
}
