/** A sandbox for teams on Cloudflare Workers, with a Durable Object per world. See `docs/team.md`. */

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

/** The runtime of browsers, with a control API that also serves the dashboard. */
const workerRuntime: Runtime = { ...webRuntime, control: async () => controlWithPages };
setPlatform(workerRuntime.platform);

export { type UsageCode, UsageError } from "./errors/usage-error.ts";
export { defineRule, defineScenario, type GivenScenario, type ScenarioInput } from "./open/typed-scenario.ts";
export type { Limits, Team, Teams };

export type WorkerOptions = {
  /** Teams by name. A name has 16 to 100 letters, digits, dashes and underscores. Anyone with the name can call the services. */
  readonly teams: Teams;
  /** Scenarios of each team's main world: preset names, or scenario objects. */
  readonly scenario?: GivenScenarios | undefined;
  /** Settings by service: `{ museum: { strict: true } }`. */
  readonly settings?: SettingsInput | undefined;
  /** Seed of ids, keys and random values; a whole number. Default: 1. */
  readonly seed?: number | undefined;
  /** Clock of main worlds: an ISO 8601 time freezes it, an offset like `+3d` shifts it. Default: system clock. */
  readonly clock?: string | undefined;
  /** Origins of pages that may call the services, in addition to loopback origins. Example: `https://*.example.test`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Time without a call after which a world is deleted, except the main world. Default: `2h`. */
  readonly worldIdle?: Duration | undefined;
};

/** Default export of a Cloudflare Workers module. */
export type Worker = { fetch(request: Request, bindings: object): Promise<Response> };

/** Creates a worker. Throws a UsageError for an invalid origin, team name, token or limit. */
export function createWorker({ teams, worldIdle = "2h", ...options }: WorkerOptions): Worker {
  assertOrigins(options.allowedOrigins ?? []);
  const gateway = new Gateway(teams, { ...options, worldIdle });
  // Safe cast: wrangler.jsonc declares these bindings.
  return { fetch: (request, bindings) => gateway.answer(request, bindings as Bindings) };
}

const openHosted: OpenHosted = ({ scenario, settings, ...options }, hosted) => {
  const given = { ...options, scenario, settings } as SandboxOptions; // Safe cast: `WorkerOptions` declares the types of both.
  return openSandbox(workerRuntime, given, { hosted });
};

/** A Durable Object class. Cloudflare creates its instances. */
export type ObjectClass = new (context: never, bindings: never) => object;

/** Durable Object that hosts a world. */
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

/** Durable Object with the list of a team's worlds. */
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
