/** One sandbox for a team on Cloudflare Workers: each world in a Durable Object. See `docs/team.md`. */

import { DurableObject } from "cloudflare:workers";
import type { CoverageRecord } from "./journal/coverage.ts";
import { openSandbox } from "./open/open-sandbox.ts";
import type { SandboxOptions } from "./open/sandbox-options.ts";
import type { GivenScenarios, SettingsInput } from "./open/typed-scenario.ts";
import { assertOrigins } from "./pipeline/guard.ts";
import { webRuntime } from "./runtimes/web/runtime.ts";
import type {
  Bindings,
  EnterResult,
  ObjectContext,
  TeamCalls,
  WorldCalls,
} from "./runtimes/worker/durable-objects.ts";
import { Gateway, type Team, type Teams } from "./runtimes/worker/gateway.ts";
import { HostedWorld, type OpenHosted } from "./runtimes/worker/hosted-world.ts";
import type { Hosting, Limits } from "./runtimes/worker/hosting.ts";
import { TeamList } from "./runtimes/worker/team-list.ts";
import { controlWithPages } from "./server/control-with-pages.ts";
import type { Runtime } from "./server/runtime.ts";
import { services } from "./services/index.ts";
import { setPlatform } from "./world/platform.ts";
import type { Duration } from "./world/time.ts";

/** As in a page, with a dashboard for people. */
const workerRuntime: Runtime = { ...webRuntime, control: async () => controlWithPages };
setPlatform(workerRuntime.platform);

export { type UsageCode, UsageError } from "./errors/usage-error.ts";
export { defineRule, defineScenario, type GivenScenario, type ScenarioInput } from "./open/typed-scenario.ts";
export type { Limits, Team, Teams };

export type WorkerOptions = {
  /** By the name in its addresses, 16 to 100 letters, digits, dashes and underscores: whoever knows it can call the services. */
  readonly teams: Teams;
  /** What the main world of each team starts with: presets by name, or values. */
  readonly scenario?: GivenScenarios | undefined;
  /** Settings by service: `{ museum: { strict: true } }`. */
  readonly settings?: SettingsInput | undefined;
  /** The seed of ids, keys and randomness; a whole number. Default 1. */
  readonly seed?: number | undefined;
  /** Freezes the clock of main worlds at an ISO 8601 instant, or runs it with an offset. Default: the wall clock. */
  readonly clock?: string | undefined;
  /** Origins, in addition to loopback ones, whose pages may call the services; `https://*.example.test` for previews. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** A world that received no call for this long is removed with all that is stored of it; the main one stays. Default `2h`. */
  readonly worldIdle?: Duration | undefined;
};

/** What a module of Workers exports as its default. */
export type Worker = { fetch(request: Request, bindings: object): Promise<Response> };

/** The sandbox of these teams. Throws a UsageError for a team that could be guessed or has no token. */
export function createWorker({ teams, worldIdle = "2h", ...options }: WorkerOptions): Worker {
  assertOrigins(options.allowedOrigins ?? []);
  const front = new Gateway(teams, { ...options, worldIdle });
  return { fetch: (request, bindings) => front.answer(request, bindings as Bindings) }; // as wrangler.jsonc names them
}

const openHosted: OpenHosted = ({ scenario, settings, ...options }, hosted) => {
  const given = { ...options, scenario, settings } as SandboxOptions; // `createWorker` took them
  return openSandbox(workerRuntime, given, { hosted });
};

/** A class of Durable Objects, which the runtime makes objects of. */
export type ObjectClass = new (context: never, bindings: never) => object;

/** One world in each of its objects. */
export const VitrineWorld: ObjectClass = class VitrineWorld extends DurableObject implements WorldCalls {
  readonly #world: HostedWorld;

  constructor(context: ObjectContext, bindings: Bindings) {
    super(context as never, bindings as never);
    this.#world = new HostedWorld(context, bindings, { services, open: openHosted });
  }

  answer(request: Request, hosting: Hosting): Promise<Response> {
    return this.#world.answer(request, hosting);
  }

  forked(hosting: Hosting): Promise<string | undefined> {
    return this.#world.forked(hosting);
  }

  become(record: string, hosting: Hosting): Promise<void> {
    return this.#world.become(record, hosting);
  }

  met(): Promise<readonly CoverageRecord[]> {
    return this.#world.met();
  }

  end(): Promise<readonly CoverageRecord[]> {
    return this.#world.end();
  }

  alarm(): Promise<void> {
    return this.#world.alarm();
  }
};

/** The list of a team's worlds in each of its objects. */
export const VitrineTeam: ObjectClass = class VitrineTeam extends DurableObject implements TeamCalls {
  readonly #list: TeamList;

  constructor(context: ObjectContext, bindings: Bindings) {
    super(context as never, bindings as never);
    this.#list = new TeamList(context.storage.sql, services);
  }

  enter(name: string | undefined, limit: number): Promise<EnterResult> {
    return this.#list.enter(name, limit);
  }

  leave(name: string, met: readonly CoverageRecord[]): Promise<void> {
    return this.#list.leave(name, met);
  }

  list(): Promise<readonly string[]> {
    return this.#list.list();
  }

  met(): Promise<readonly CoverageRecord[]> {
    return this.#list.met();
  }
};
