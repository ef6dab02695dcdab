/** Routes a request to its world, service and operation. Checks access first and adds CORS headers. */

import type { IncomingRequest } from "../http/incoming-request.ts";
import { normalizeEscapes } from "../http/percent.ts";
import { createSandboxProblem } from "../http/problem-json.ts";
import type { Service, ServiceEnvironment } from "../operation/service.ts";
import { isLoopbackOrigin } from "../sandbox/addresses.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import type { Worlds } from "../sandbox/worlds.ts";
import { splitWorld } from "../world/world-name.ts";
import type { Commit } from "./commit.ts";
import {
  type Access,
  CONTROL,
  CONTROL_BASE,
  findAccessProblem,
  isControlPath,
  isForPages,
  isListedOrigin,
  withSecurityHeaders,
} from "./guard.ts";
import type { OutgoingResponse } from "./outgoing-response.ts";
import { handleRequest } from "./pipeline.ts";
import { buildEndedPage, findRootResponse, redirectToTokenPage } from "./root-routes.ts";
import { findRoute } from "./route.ts";
import { recordUnmatched } from "./unmatched.ts";

export type RouterOptions = {
  readonly services: readonly Service[];
  /** Loads the control API when its first request arrives, because most tests never use it. */
  readonly control: () => Promise<Service>;
  readonly worlds: Worlds;
  readonly access: Access;
  readonly commit: Commit | undefined;
};

/** Scope of a router. Default: all environments, each under its base path. */
type RouterScope = {
  /** Key of the only environment that this router serves, under the path `ownBase` of the environment. */
  readonly only?: string | undefined;
  /** Mount path of the sandbox in another app, such as `/mock`. */
  readonly prefix?: string | undefined;
};

type WorldPath = ReturnType<typeof splitWorld>;
type EnvironmentMount = ServiceEnvironment & { readonly base: string };

export class Router {
  /** Environments of the services, without the control API. */
  readonly #mounts: readonly EnvironmentMount[];
  #control: EnvironmentMount | undefined;
  readonly #options: RouterOptions;
  readonly #hasControl: boolean;
  readonly #prefix: string;

  constructor(options: RouterOptions, { only, prefix }: RouterScope = {}) {
    const { services, access } = options;
    const isMounted = prefix !== undefined;
    const faults = access.faults ?? (isMounted ? [] : undefined);
    this.#options = { ...options, access: { ...access, isMounted, faults } };
    this.#hasControl = only === undefined;
    this.#prefix = prefix ?? "";
    this.#mounts = services.flatMap((service) =>
      service.environments
        .filter(({ key }) => only === undefined || key === only)
        .map((environment) => ({
          service,
          environment,
          base: only === undefined ? environment.base : environment.ownBase,
        })),
    );
  }

  /** Handles a request. Returns synchronously if no step has to wait. */
  answer(request: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> {
    const { access } = this.#options;
    const { pathname } = request.address;
    const rawPath = pathname.slice(this.#prefix.length) || "/";
    // The control API serves `/llms.txt` with its access checks, because this file contains credentials.
    const asked = rawPath === "/llms.txt" && this.#hasControl ? CONTROL_BASE + rawPath : rawPath;
    const rest = asked.includes("%") ? normalizeEscapes(asked) : asked;
    const target = rest.startsWith("/~") ? splitWorld(rest) : { prefix: "", name: undefined, rest };
    const path = target.rest;
    const denied = findAccessProblem(request, path, access);
    const control = isControlPath(path);
    const forPages = isForPages(path, request.headers, access);
    const sandbox = denied === undefined ? this.#findWorld(readWorldName(request, target), path) : undefined;
    const preflight = forPages && request.method === "OPTIONS" ? handlePreflight(request, access) : undefined;
    const sent =
      denied === undefined
        ? (preflight ??
          (control
            ? this.#serveControl(request, target, sandbox)
            : this.#serve(request, target, sandbox, this.#findMount(path))))
        : (redirectToTokenPage(request, path, denied, this.#prefix + target.prefix) ??
          createSandboxProblem(denied.status, denied.message));
    const finish = (whole: OutgoingResponse): OutgoingResponse => {
      const secured = control ? withSecurityHeaders(whole) : whole;
      const allowed = forPages ? withOrigin(secured, request, access) : secured;
      // Avoids reused connections while a rule may lose responses: browsers silently repeat requests that fail on them.
      return sandbox?.ruleSet.canLoseReplies ? { ...allowed, last: true } : allowed;
    };
    return sent instanceof Promise ? sent.then(finish) : finish(sent);
  }

  #serveControl(request: IncomingRequest, target: WorldPath, sandbox: SandboxCore | undefined) {
    if (!this.#hasControl || this.#control !== undefined)
      return this.#serve(request, target, sandbox, this.#control);
    return this.#options.control().then((service) => {
      this.#control = { service, environment: CONTROL, base: CONTROL_BASE };
      return this.#serve(request, target, sandbox, this.#control);
    });
  }

  #serve(
    request: IncomingRequest,
    target: WorldPath,
    sandbox: SandboxCore | undefined,
    mounted: EnvironmentMount | undefined,
  ): OutgoingResponse | Promise<OutgoingResponse> {
    const { prefix, rest: path } = target;
    if (mounted === undefined) return this.#handleUnmatched(request, path, prefix, sandbox);
    if (sandbox === undefined) return this.#rejectWorld(request, readWorldName(request, target), path);
    const base = this.#prefix + prefix + mounted.base;
    const innerPath = path.slice(mounted.base.length) || "/";
    const route = findRoute(mounted, base, innerPath, request.method, sandbox);
    const offers = route.service.allowsDeclared === undefined || request.headers.has("origin");
    if (request.method === "OPTIONS" && route.problem?.key === "methodNotAllowed" && offers)
      return { status: 204, headers: { allow: route.problem.headers?.["Allow"] ?? "" }, body: undefined };
    return handleRequest(sandbox, route, request, this.#options);
  }

  #findMount(path: string): EnvironmentMount | undefined {
    for (const mounted of this.#mounts) {
      const { base } = mounted;
      if (path.startsWith(base) && (path.length === base.length || path[base.length] === "/")) return mounted;
    }
    return undefined;
  }

  /** Finds the world by name. Without a name, returns the main world; `strictWorlds` allows this only for the control API. */
  #findWorld(id: string | null, path: string): SandboxCore | undefined {
    const { worlds } = this.#options;
    if (id !== null) return worlds.get(id);
    return worlds.strict && !isControlPath(path) ? undefined : worlds.main;
  }

  #rejectWorld(request: IncomingRequest, id: string | null, path: string): OutgoingResponse {
    if (id !== null) {
      const page = isControlPath(path) ? buildEndedPage(request, id, this.#prefix) : undefined;
      return page ?? createSandboxProblem(404, this.#options.worlds.describeMissing(id));
    }
    return createSandboxProblem(
      404,
      `Only URLs of a world are served (strictWorlds). Create a world with POST ${CONTROL_BASE}/worlds and call /~<world>${path}.`,
    );
  }

  #handleUnmatched(request: IncomingRequest, path: string, world: string, sandbox: SandboxCore | undefined) {
    const bases = Object.fromEntries(
      this.#mounts.map(({ environment: { key }, base }) => [key, base || "/"]),
    );
    if (this.#hasControl) bases[CONTROL.key] = CONTROL_BASE;
    const rootResponse = this.#hasControl
      ? findRootResponse(request, path, { prefix: this.#prefix + world, bases })
      : undefined;
    if (rootResponse !== undefined) return rootResponse;
    const known = Object.values(bases).join(", ");
    const sent = createSandboxProblem(404, `Nothing is served at ${path}. Base paths: ${known}.`);
    if (sandbox === undefined || isControlPath(path)) return sent;
    const target = { under: this.#prefix, world, path, mounts: this.#mounts };
    return recordUnmatched(sandbox, request, target, sent);
  }
}

function readWorldName({ headers }: IncomingRequest, { name }: WorldPath): string | null {
  return name ?? headers.get("x-vitrine-world");
}

/** Adds `Vary: Origin`, and CORS headers if the request has an Origin. */
function withOrigin(sent: OutgoingResponse, request: IncomingRequest, access: Access): OutgoingResponse {
  const { status, headers, body, fault } = sent;
  const vary = headers["vary"] === undefined ? "Origin" : `${headers["vary"]}, Origin`;
  const varied = { status, headers: { ...headers, vary }, body, fault };
  const origin = request.headers.get("origin");
  return origin === null ? varied : withCorsHeaders(varied, origin, access);
}

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const EXPOSED_HEADERS =
  "Authorization, Link, Location, Content-Location, Retry-After, WWW-Authenticate, Allow, Preference-Applied, X-Vitrine-Near-Miss, X-Vitrine-Preference";
const PREFLIGHT_MAX_SECONDS = "600";

/** Responds to a CORS preflight without authentication: browsers send it without credentials. Undefined for other requests. */
function handlePreflight({ headers }: IncomingRequest, access: Access): OutgoingResponse | undefined {
  const origin = headers.get("origin");
  if (origin === null || !headers.has("access-control-request-method")) return undefined;
  const vary = { vary: "Access-Control-Request-Headers" };
  if (!isAllowedOrigin(origin, access)) return { status: 204, headers: vary, body: undefined };
  const wanted = headers.get("access-control-request-headers");
  const allowed = {
    "access-control-allow-methods": METHODS,
    "access-control-max-age": PREFLIGHT_MAX_SECONDS,
    ...(wanted === null ? {} : { "access-control-allow-headers": wanted }),
  };
  return { status: 204, headers: { ...vary, ...allowed }, body: undefined };
}

/** Lets an allowed origin read the response. Never sends `*`, because browsers then reject requests with credentials. */
function withCorsHeaders(sent: OutgoingResponse, origin: string, access: Access): OutgoingResponse {
  if (!isAllowedOrigin(origin, access)) return sent;
  const allowed = {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": EXPOSED_HEADERS,
  };
  return { ...sent, headers: { ...sent.headers, ...allowed } };
}

function isAllowedOrigin(origin: string, access: Access): boolean {
  return isLoopbackOrigin(origin) || isListedOrigin(origin, access);
}
