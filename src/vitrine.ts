// Owns the meeting of everything: two services, base data, settings, one hall of worlds. Makes the sandbox that tests
// hold.

import { control } from "./control/index.ts";
import { LiveSandbox } from "./live-sandbox.ts";
import { Hall } from "./node/hall.ts";
import { readFixture } from "./node/package-files.ts";
import type { Service } from "./operation/service.ts";
import { fill } from "./sandbox/data.ts";
import type { SandboxParts, Settings } from "./sandbox/sandbox.ts";
import { account } from "./services/account/index.ts";
import { museum } from "./services/museum/index.ts";
import { parseClock, type Wall } from "./world/clock.ts";
import { unknownName } from "./world/nearest.ts";
import { toDate } from "./world/time.ts";
import { UsageError } from "./world/usage-error.ts";
import { World } from "./world/world.ts";

export type SandboxOptions = {
  /** Freezes the clock at an ISO 8601 instant, or runs it with an offset: `+3d`, `-2h`. Default: the wall clock. */
  readonly clock?: string | Date | undefined;
  /** What ids, keys and chance are drawn from; a whole number. Default 1. */
  readonly seed?: number | undefined;
  /** Settings by service: `{ museum: { strict: true } }`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Host names besides loopback ones that are served. Whole names; no wildcards. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins besides loopback ones whose pages may call the two services. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** When set, every control request must carry it: `Authorization: Bearer <token>`. */
  readonly controlToken?: string | undefined;
  /** Serves only addresses that name a world, so that no test can forget its own. Default false. */
  readonly strictWorlds?: boolean | undefined;
  /** The most worlds besides the main one. Default 1000. */
  readonly worldLimit?: number | undefined;
  /** A world that nobody called for so long (wall time) is removed. Default `30m`. */
  readonly worldIdle?: string | undefined;
  /** Where wall time comes from. Default: the machine. */
  readonly wall?: Wall | undefined;
};

export const services: readonly Service[] = [museum, account];

const OPTIONS = [
  "clock",
  "seed",
  "settings",
  "allowedHosts",
  "allowedOrigins",
  "controlToken",
  "strictWorlds",
  "worldLimit",
  "worldIdle",
  "wall",
] satisfies readonly (keyof SandboxOptions)[];

/** A sandbox with both services and their base data, in process until it is told to listen. */
export async function createSandbox(options: SandboxOptions = {}): Promise<LiveSandbox> {
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name))
      throw new UsageError("badOption", unknownName("option", name, OPTIONS));
  }
  const hall = new Hall<LiveSandbox>({
    main: furnish(options),
    make: (parts, home) => new LiveSandbox(parts, home),
    services: [...services, control],
    access: {
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      controlToken: options.controlToken,
    },
    worlds: {
      strict: options.strictWorlds ?? false,
      limit: options.worldLimit ?? 1_000,
      idle: options.worldIdle ?? "30m",
    },
  });
  return hall.worlds.main;
}

/** The main world with its clock set and its base data in place. */
function furnish({ seed = 1, clock, wall, settings }: SandboxOptions): SandboxParts {
  if (!Number.isSafeInteger(seed)) throw new UsageError("badOption", `seed: ${seed} is not a whole number.`);
  const world = new World({ seed, wall });
  parseClock(clock)(world.clock);
  const today = toDate(world.clock.now());
  for (const service of services) {
    for (const environment of service.environments) {
      if (environment.fixture === undefined) continue;
      fill(world, service, environment, service.rebase(readFixture(service, environment.fixture), today));
    }
  }
  return { world, services, settings: checkSettings(settings) };
}

function checkSettings(given: Readonly<Record<string, unknown>> = {}): Settings {
  const names = services.map(({ name }) => name);
  for (const name of Object.keys(given)) {
    if (!names.includes(name))
      throw new UsageError("badOption", `settings: ${unknownName("service", name, names)}`);
  }
  return Object.fromEntries(
    services.map(({ name, settings }) => {
      const checked = settings.safeParse(given[name] ?? {});
      if (checked.success) return [name, checked.data];
      const [issue] = checked.error.issues;
      const field = ["settings", name, ...(issue?.path ?? [])].join(".");
      throw new UsageError("badOption", `${field}: ${issue?.message}`);
    }),
  );
}
