/** Replays a failure capsule in a sandbox of its own: how its world is created, and who calls in it. */

import { ACCOUNTS } from "./credentials.ts";
import type { RecordedExchange } from "./journal/recorded-exchange.ts";
import { checkCapsule, madeOf, type ReplayReport, type ReplaySandbox, replay } from "./journal/replay.ts";
import type { LiveSandbox } from "./live-sandbox.ts";
import { services } from "./services/index.ts";
import type { ScenarioInput } from "./typed-scenario.ts";
import { createSandbox } from "./vitrine.ts";

/** Replays a capsule from its start and reports what differs. Throws a UsageError for an invalid capsule. */
export async function replayCapsule(capsule: unknown): Promise<ReplayReport> {
  checkCapsule(capsule);
  await using sandbox = await createSandbox({
    seed: capsule.seed,
    // Each request then sets the clock to its own instant.
    clock: capsule.clock.base ?? capsule.clock.start,
    settings: Object.fromEntries(services.map(({ name }) => [name, capsule.settings[name] ?? {}])),
    scenario: capsule.stage as readonly ScenarioInput[], // which it checks
  });
  return await replay(capsule, async () => toReplaySandbox(sandbox));
}

function toReplaySandbox(sandbox: LiveSandbox): ReplaySandbox {
  const environments = services.flatMap((service) => service.environments);
  return {
    fetch: (path, init) => sandbox.fetch(path, init),
    clock: sandbox.clock,
    journal: sandbox.journal,
    baseOf: (environment) => environments.find(({ key }) => key === environment)?.base ?? "",
    authorize: (exchange) => authorize(sandbox, exchange),
    secrets: ACCOUNTS.flatMap((key) => sandbox.data[key].identities.all().map(({ password }) => password)),
  };
}

/** Valid credentials are valid again for the same identity; refused ones are refused for the same reason. */
function authorize(
  { auth }: LiveSandbox,
  { identity, ...exchange }: RecordedExchange & { readonly identity?: string }, // in a capsule of the first edition
): string | undefined {
  const { headers, problem, environment: key } = exchange;
  const { user = identity } = exchange;
  const recorded = headers["authorization"];
  if (recorded === undefined) return undefined;
  const environment = ACCOUNTS.find((name) => name === key);
  if (environment !== undefined && problem === "tokenExpired")
    return `Bearer ${auth.token({ environment, kind: "expired" })}`;
  if (madeOf(exchange) === 401) return recorded.replace(/\[.*$/, "none");
  if (environment === undefined) return auth.basic(user).authorization;
  return `Bearer ${auth.token(user === undefined ? { environment } : { environment, user })}`;
}
