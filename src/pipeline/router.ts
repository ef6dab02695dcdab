/** From a request to the world, service and operation that answer it, behind guard and CORS. */

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
  /** The control API, loaded with its first request: most tests never send one. */
  readonly control: () => Promise<Service>;
  readonly worlds: Worlds;
  readonly access: Access;
  readonly commit: Commit | undefined;
};

/** What a router serves; left out: all environments, each under its base. */
type RouterScope = {
  /** The key of the single environment that it serves, at its root. */
  readonly only?: string | undefined;
  /** What precedes every path where the sandbox is a part of another app: `/mock`, or empty. */
  readonly prefix?: string | undefined;
};

type WorldPath = ReturnType<typeof splitWorld>;
type EnvironmentMount = ServiceEnvironment & { readonly base: string };

export class Router {
  /** Of the services; that of the control API is apart. */
  readonly #mounts: readonly EnvironmentMount[];
  #control: EnvironmentMount | undefined;
  readonly #options: RouterOptions;
  readonly #hasControl: boolean;
  readonly #prefix: string;

  constructor(behind: RouterOptions, { only, prefix }: RouterScope = {}) {
    const { services, access } = behind;
    const isMounted = prefix !== undefined;
    const faults = access.faults ?? (isMounted ? [] : undefined);
    this.#options = { ...behind, access: { ...access, isMounted, faults } };
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

  /** The answer to one request; without a promise where nothing has to be waited for. */
  answer(asked: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> {
    const { access } = this.#options;
    const { pathname } = asked.address;
    const under = pathname.slice(this.#prefix.length) || "/";
    // The page for agents shows credentials: it belongs to the control API.
    const written = under === "/llms.txt" && this.#hasControl ? CONTROL_BASE + under : under;
    const rest = written.includes("%") ? normalizeEscapes(written) : written;
    const target = rest.startsWith("/~") ? splitWorld(rest) : { prefix: "", name: undefined, rest };
    const path = target.rest;
    const refused = findAccessProblem(asked, path, access);
    const control = isControlPath(path);
    const forPages = isForPages(path, asked.headers, access);
    const sandbox = refused === undefined ? this.#findWorld(readWorldName(asked, target), path) : undefined;
    const preflight = forPages && asked.method === "OPTIONS" ? handlePreflight(asked, access) : undefined;
    const sent =
      refused === undefined
        ? (preflight ??
          (control
            ? this.#serveControl(asked, target, sandbox)
            : this.#serve(asked, target, sandbox, this.#findMount(path))))
        : (redirectToTokenPage(asked, path, refused, this.#prefix + target.prefix) ??
          createSandboxProblem(refused.status, refused.message));
    const finish = (whole: OutgoingResponse): OutgoingResponse => {
      const secured = control ? withSecurityHeaders(whole) : whole;
      const allowed = forPages ? withOrigin(secured, asked, access) : secured;
      // A browser that loses the reply on a connection which has carried another sends the request again by itself.
      return sandbox?.ruleSet.canLoseReplies ? { ...allowed, last: true } : allowed;
    };
    return sent instanceof Promise ? sent.then(finish) : finish(sent);
  }

  #serveControl(asked: IncomingRequest, target: WorldPath, sandbox: SandboxCore | undefined) {
    if (!this.#hasControl || this.#control !== undefined)
      return this.#serve(asked, target, sandbox, this.#control);
    return this.#options.control().then((service) => {
      this.#control = { service, environment: CONTROL, base: CONTROL_BASE };
      return this.#serve(asked, target, sandbox, this.#control);
    });
  }

  #serve(
    asked: IncomingRequest,
    target: WorldPath,
    sandbox: SandboxCore | undefined,
    mounted: EnvironmentMount | undefined,
  ): OutgoingResponse | Promise<OutgoingResponse> {
    const { prefix, rest: path } = target;
    if (mounted === undefined) return this.#handleUnmatched(asked, path, prefix, sandbox);
    if (sandbox === undefined) return this.#rejectWorld(asked, readWorldName(asked, target), path);
    const base = this.#prefix + prefix + mounted.base;
    const within = path.slice(mounted.base.length) || "/";
    const route = findRoute(mounted, base, within, asked.method, sandbox);
    const offers = route.service.allowsDeclared === undefined || asked.headers.has("origin");
    if (asked.method === "OPTIONS" && route.problem?.key === "methodNotAllowed" && offers)
      return { status: 204, headers: { allow: route.problem.headers?.["Allow"] ?? "" }, body: undefined };
    return handleRequest(sandbox, route, asked, this.#options);
  }

  #findMount(path: string): EnvironmentMount | undefined {
    for (const mounted of this.#mounts) {
      const { base } = mounted;
      if (path.startsWith(base) && (path.length === base.length || path[base.length] === "/")) return mounted;
    }
    return undefined;
  }

  /** The world that a request names, by the prefix of its path or by header; otherwise the main one. */
  #findWorld(id: string | null, path: string): SandboxCore | undefined {
    const { worlds } = this.#options;
    if (id !== null) return worlds.get(id);
    return worlds.strict && !isControlPath(path) ? undefined : worlds.main;
  }

  #rejectWorld(asked: IncomingRequest, id: string | null, path: string): OutgoingResponse {
    if (id !== null) {
      const page = isControlPath(path) ? buildEndedPage(asked, id, this.#prefix) : undefined;
      return page ?? createSandboxProblem(404, this.#options.worlds.describeMissing(id));
    }
    return createSandboxProblem(
      404,
      `Only addresses of a world are served (strictWorlds). Make one with POST ${CONTROL_BASE}/worlds and call /~<world>${path}.`,
    );
  }

  #handleUnmatched(asked: IncomingRequest, path: string, world: string, sandbox: SandboxCore | undefined) {
    const bases = Object.fromEntries(this.#mounts.map((one) => [one.environment.key, one.base || "/"]));
    if (this.#hasControl) bases[CONTROL.key] = CONTROL_BASE;
    const entrance = this.#hasControl
      ? findRootResponse(asked, path, { prefix: this.#prefix + world, bases })
      : undefined;
    if (entrance !== undefined) return entrance;
    const known = Object.values(bases).join(", ");
    const sent = createSandboxProblem(404, `Nothing is served at ${path}. Base addresses: ${known}.`);
    if (sandbox === undefined || isControlPath(path)) return sent;
    return recordUnmatched(sandbox, asked, { under: this.#prefix, world, path, mounts: this.#mounts }, sent);
  }
}

function readWorldName({ headers }: IncomingRequest, { name }: WorldPath): string | null {
  return name ?? headers.get("x-vitrine-world");
}

/** Always sends Vary: Origin. */
function withOrigin(sent: OutgoingResponse, asked: IncomingRequest, access: Access): OutgoingResponse {
  const { status, headers, body, fault } = sent;
  const vary = headers["vary"] === undefined ? "Origin" : `${headers["vary"]}, Origin`;
  const varied = { status, headers: { ...headers, vary }, body, fault };
  const origin = asked.headers.get("origin");
  return origin === null ? varied : withCorsHeaders(varied, origin, access);
}

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const EXPOSED_HEADERS =
  "Authorization, Link, Location, Content-Location, Retry-After, WWW-Authenticate, Allow, Preference-Applied, X-Vitrine-Near-Miss, X-Vitrine-Preference";
const PREFLIGHT_MAX_SECONDS = "600";

/** The answer to a preflight, before any credentials are checked; undefined if this OPTIONS request is not one. */
function handlePreflight({ headers }: IncomingRequest, access: Access): OutgoingResponse | undefined {
  const origin = headers.get("origin");
  if (origin === null || !headers.has("access-control-request-method")) return undefined;
  const vary = { vary: "Access-Control-Request-Headers" };
  if (!isAllowedOrigin(origin, access)) return { status: 204, headers: vary, body: undefined };
  const asked = headers.get("access-control-request-headers");
  const allowed = {
    "access-control-allow-methods": METHODS,
    "access-control-max-age": PREFLIGHT_MAX_SECONDS,
    ...(asked === null ? {} : { "access-control-allow-headers": asked }),
  };
  return { status: 204, headers: { ...vary, ...allowed }, body: undefined };
}

/** Lets the requesting page read the answer, if its origin is allowed. Never `*`. */
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
