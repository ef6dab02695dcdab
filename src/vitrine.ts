// Owns the meeting of everything: two services, one world, one app. Makes a sandbox and gives it its typed clients.

import { type Listening, type ListenOptions, listen } from "./node/listen.ts";
import { readFixture } from "./node/package-files.ts";
import { type Client, createClient } from "./operation/client.ts";
import type { Service } from "./operation/service.ts";
import { fill } from "./sandbox/data.ts";
import { createApp } from "./sandbox/router.ts";
import { Sandbox, type Settings } from "./sandbox/sandbox.ts";
import { Worlds } from "./sandbox/worlds.ts";
import { museum, museumOperations } from "./services/museum/index.ts";
import { toBasic } from "./services/museum/security.ts";
import { parseClock } from "./world/clock.ts";
import { toDate } from "./world/time.ts";
import { World } from "./world/world.ts";

export type SandboxOptions = {
  /** Freezes the clock at an ISO 8601 instant, or runs it with an offset: `+3d`, `-2h`. Default: the wall clock. */
  readonly clock?: string | Date | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
};

const services: readonly Service[] = [museum];

export async function createSandbox(options: SandboxOptions = {}) {
  const world = new World({ seed: options.seed ?? 1 });
  parseClock(options.clock)(world.clock);
  for (const service of services) {
    for (const environment of service.environments) {
      if (environment.fixture === undefined) continue;
      fill(
        world,
        service,
        environment,
        service.rebase(readFixture(service, environment.fixture), toDate(world.clock.now())),
      );
    }
  }
  const settings: Settings = Object.fromEntries(
    services.map((service) => [service.name, service.settings.parse(options.settings?.[service.name] ?? {})]),
  );
  const sandbox = new Sandbox({ world, services, settings });
  const app = createApp({
    services,
    worlds: new Worlds(sandbox),
    access: { allowedHosts: [], allowedOrigins: [], controlToken: undefined },
  });
  let listening: Listening | undefined;
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    app.fetch(
      input instanceof Request
        ? input
        : new Request(new URL(input, listening?.origin ?? "http://localhost"), init),
    );
  const auth = { basic: (user = "", password = "") => ({ authorization: toBasic({ user, password }) }) };
  const clients: { readonly museum: Client<typeof museumOperations> } = {
    museum: createClient(museumOperations, (path, init) =>
      fetch(`/museum/v1.1${path}`, {
        ...init,
        headers: { ...auth.basic(), ...(init.headers as Record<string, string>) },
      }),
    ),
  };
  return Object.assign(sandbox, clients, {
    auth,
    fetch,
    clock: world.clock,
    async listen(where: ListenOptions = {}) {
      listening = await listen(app.fetch, where);
      return { url: listening.origin, close: listening.close };
    },
    close: async () => listening?.close(),
  });
}
