// Owns the way from a request to the service, operation and world that answer it: one Hono app, made from the
// operations' own declarations. Guard and CORS stand before every route.

import { Hono } from "hono";
import { cors } from "hono/cors";
import type { AnyOperation } from "../operation/operation.ts";
import type { Rejection } from "../operation/problem.ts";
import type { Environment, Service } from "../operation/service.ts";
import { type Access, CONTROL_BASE, isAllowedOrigin, refuseAccess } from "./guard.ts";
import { answer } from "./pipeline.ts";
import { type Place, type Route, readParams } from "./route.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Worlds } from "./worlds.ts";

export type App = Hono<{ Bindings: Record<never, never> }>;

export type AppOptions = {
  readonly services: readonly Service[];
  readonly worlds: Worlds;
  readonly access: Access;
  /** The key of the environment that has this app to itself, at its root; undefined: all, each under its base. */
  readonly only?: string | undefined;
};

const EXPOSED = [
  "Authorization",
  "Link",
  "Location",
  "Content-Location",
  "Retry-After",
  "WWW-Authenticate",
  "Allow",
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const WORLD_PREFIX = /^\/~([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?=\/|$)/;

export function createApp(options: AppOptions): App {
  const { services, access, only } = options;
  const app: App = new Hono({ getPath: (request) => splitWorld(pathOf(request)).path });
  app.use(async (context, next) => {
    const refused = refuseAccess(context.req.raw, context.req.path, access);
    return refused === undefined ? next() : sandboxError(refused.status, refused.message);
  });
  app.use(async (context, next) => (isControl(context.req.path) ? next() : corsFor(access)(context, next)));
  for (const service of services) {
    for (const environment of service.environments) {
      if (only !== undefined && environment.key !== only) continue;
      mount(
        app,
        options,
        { service, environment },
        only === undefined ? environment.base : environment.ownBase,
      );
    }
  }
  app.notFound((context) =>
    sandboxError(404, `Nothing is served at ${context.req.path}. Base addresses: ${bases(services, only)}.`),
  );
  app.onError((error) => sandboxError(500, `A defect of the sandbox itself: ${error.name}.`));
  return app;
}

/** Routes of one environment: each operation, the other methods of its path, and whatever else lies under the base. */
function mount(app: App, options: AppOptions, place: Place, base: string): void {
  const paths = new Map<string, Map<string, readonly [key: string, operation: AnyOperation]>>();
  for (const [key, operation] of Object.entries(place.service.operations)) {
    const methods = paths.get(operation.path) ?? new Map();
    paths.set(operation.path, methods.set(operation.method.toUpperCase(), [key, operation]));
  }
  const serve = (
    request: Request,
    toRoute: (sandbox: Sandbox, path: string, base: string) => Route,
  ): Promise<Response> => {
    const found = worldOf(request, options.worlds);
    if (found instanceof Response) return Promise.resolve(found);
    const path = found.path.slice(base.length) || "/";
    return answer(found.sandbox, toRoute(found.sandbox, path, found.prefix + base), request);
  };
  const reject =
    (rejection: Rejection) =>
    (_sandbox: Sandbox, path: string, at: string): Route => ({ ...place, base: at, path, rejection });

  for (const [template, methods] of paths) {
    app.all(base + template.replace(/\{(\w+)\}/g, ":$1"), (context) => {
      const request = context.req.raw;
      return serve(request, (sandbox, path, at) => {
        const offered = [...methods].filter(([, [, operation]]) =>
          place.service.offers(operation, sandbox.settingsOf(place.service)),
        );
        const [key, operation] =
          offered.find(([method]) => method === (request.method === "HEAD" ? "GET" : request.method))?.[1] ??
          [];
        if (offered.length === 0) return { ...place, base: at, path, rejection: { kind: "unknownPath" } };
        if (key === undefined || operation === undefined) {
          return {
            ...place,
            base: at,
            path,
            rejection: { kind: "wrongMethod", allow: offered.map(([method]) => method) },
          };
        }
        const params = readParams(template, path);
        if (params !== undefined) return { ...place, base: at, path, operation, key, params };
        return {
          ...place,
          base: at,
          path,
          rejection: { kind: "badTarget", message: "The path is not valid percent-encoding." },
        };
      });
    });
  }
  const elsewhere = (request: Request): Promise<Response> => serve(request, reject({ kind: "unknownPath" }));
  if (base !== "") app.all(base, (context) => elsewhere(context.req.raw));
  app.all(`${base}/*`, (context) => elsewhere(context.req.raw));
}

/** Which world a request means: by the prefix of its path, by header, otherwise the main one. */
function worldOf(
  request: Request,
  worlds: Worlds,
): { sandbox: Sandbox; path: string; prefix: string } | Response {
  const { id: fromPath, path, prefix } = splitWorld(pathOf(request));
  const id = fromPath ?? request.headers.get("x-vitrine-world") ?? undefined;
  const sandbox = id === undefined ? worlds.main : worlds.get(id);
  if (sandbox !== undefined) return { sandbox, path, prefix };
  return sandboxError(
    404,
    `There is no world ${JSON.stringify(id)}. Make one with POST ${CONTROL_BASE}/worlds. Known: ${worlds.ids().join(", ")}.`,
  );
}

/** The path as guard and router both see it: of the parsed URL, so dot segments are gone. */
function pathOf(request: Request): string {
  return new URL(request.url).pathname;
}

function splitWorld(path: string): { id: string | undefined; prefix: string; path: string } {
  const match = WORLD_PREFIX.exec(path);
  if (match === null) return { id: undefined, prefix: "", path };
  return { id: match[1], prefix: match[0], path: path.slice(match[0].length) || "/" };
}

function isControl(path: string): boolean {
  return path === CONTROL_BASE || path.startsWith(`${CONTROL_BASE}/`);
}

function corsFor(access: Access) {
  return cors({
    origin: (origin) => (isAllowedOrigin(origin, access) ? origin : null),
    allowMethods: METHODS,
    allowHeaders: [],
    exposeHeaders: EXPOSED,
    credentials: true,
    maxAge: 600,
  });
}

function bases(services: readonly Service[], only: string | undefined): string {
  const all: readonly Environment[] = services.flatMap((service) => service.environments);
  return all
    .filter(({ key }) => only === undefined || key === only)
    .map(({ base, ownBase }) => (only === undefined ? base : ownBase || "/"))
    .join(", ");
}

/** What the sandbox itself says, as opposed to a simulated service: problem+json with `type`, `title` and `detail`. */
export function sandboxError(status: number, detail: string): Response {
  const body = JSON.stringify({
    type: "urn:vitrine:sandbox",
    title: "Refused by the sandbox",
    status,
    detail,
  });
  return new Response(body, {
    status,
    headers: { "content-type": "application/problem+json", "x-content-type-options": "nosniff" },
  });
}
