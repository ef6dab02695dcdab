// Draws the whole course of a simulation from a seed: what the clients ask, and what is done to the sandbox meanwhile.

import { drawAsk } from "./asks.ts";
import { Chance } from "./chance.ts";
import { fullName, isMuseum, type OperationName } from "./operations.ts";
import { BOUNDARIES, type RuleText, type ScenarioText, type SettingsText, type Step } from "./steps.ts";

export type Plan = {
  readonly seed: number;
  /** Whether the sandbox stores its state in a folder. */
  readonly stored: boolean;
  readonly steps: readonly Step[];
};

/** One seed in so many plays with a folder: writing files is slow. */
const STORED_ONE_IN = 25;
const ADVANCES = ["0ms", "1ms", "999ms", "1s", "5s", "90s", "1h", "23h", "24h", "7d", "31d"];
const BESIDE = [-1_000, -1, 0, 0, 0, 1, 1_000];
const DAY_MS = 86_400_000;
/** What a rule may refuse an operation with. */
const REFUSALS: Readonly<Partial<Record<OperationName, string>>> = {
  createSpecialEvent: "invalidInput",
  listSpecialEvents: "invalidInput",
  getSpecialEvent: "eventNotFound",
  updateSpecialEvent: "eventNotFound",
  deleteSpecialEvent: "eventNotFound",
  buyMuseumTickets: "eventNotFound",
  login: "loginThrottled",
  createPreSaleAction: "invalidAction",
  getPreSaleAction: "preSaleActionNotFound",
  replacePreSaleAction: "unknownPreSale",
  deletePreSaleAction: "preSaleActionNotFound",
  listConsumptions: "tokenExpired",
  replaceUser: "invalidProfile",
};
const RULED = Object.keys(REFUSALS) as OperationName[]; // the keys of the table above

export function planOf(seed: number, count: number): Plan {
  const chance = new Chance(seed);
  const clients = 1 + chance.below(8);
  const stored = seed % STORED_ONE_IN === 0;
  // Some seeds play with requests, time and data alone, so that long courses are not always reset.
  const quiet = chance.happens(25);
  const steps = Array.from({ length: count }, (_, index): Step => {
    const world = chance.happens(70) ? 0 : chance.pick();
    return { world, ...drawStep(chance, { clients, stored, quiet, index }) } as Step;
  });
  return { seed, stored, steps };
}

type Course = {
  readonly clients: number;
  readonly stored: boolean;
  readonly quiet: boolean;
  /** Makes names that are there once. */
  readonly index: number;
};
type Bare = Step extends infer S ? (S extends Step ? Omit<S, "world"> : never) : never;

function drawStep(chance: Chance, { clients, stored, quiet, index }: Course): Bare {
  const ask = () => drawAsk(chance, clients);
  const control = quiet ? 0 : 1;
  return chance.weighted<() => Bare>([
    [64, () => ({ do: "ask", ask: ask() })],
    [5, () => ({ do: "together", asks: Array.from({ length: 2 + chance.below(4) }, ask) })],
    [
      1,
      () => ({ do: "audit", environment: chance.of(["museum", "account"]), client: chance.below(clients) }),
    ],
    [4, () => ({ do: "advance", by: chance.of(ADVANCES) })],
    [1, () => ({ do: "set", by: -chance.of([1, 1_000, DAY_MS, 3 * DAY_MS]) })],
    [
      5,
      () => ({ do: "boundary", of: chance.of(BOUNDARIES), pick: chance.pick(), beside: chance.of(BESIDE) }),
    ],
    [4, () => usage(chance)],
    [
      1,
      () => ({
        do: "write",
        verb: chance.of(["upsert", "upsert", "replace", "remove"]),
        pick: chance.pick(),
      }),
    ],
    [5 * control, () => ({ do: "use", rule: rule(chance, `r${index}`) })],
    [1.5 * control, () => ({ do: "remove", pick: chance.pick() })],
    [2 * control, () => ({ do: "release", gate: chance.of(GATES) })],
    [1 * control, () => ({ do: "reset" })],
    [2 * control, () => ({ do: "snapshot", name: chance.of(["one", "two", "three"]) })],
    [2 * control, () => ({ do: "restore", pick: chance.pick() })],
    [2 * control, () => ({ do: "fork", name: chance.of(["w", "x", "y"]) })],
    [1 * control, () => ({ do: "end" })],
    [1.5 * control, () => ({ do: "scenario", scenario: scenario(chance, `s${index}`) })],
    [stored ? 3 : 0, () => ({ do: "restart" })],
    [stored ? 3 : 0, () => ({ do: "crash", unanswered: Array.from({ length: chance.below(4) }, ask) })],
  ])();
}

const GATES = ["door", "window"];

function usage(chance: Chance): Bare {
  const most = chance.of([1, 20, 500, 4_000]);
  const environment = chance.happens(80) ? "account" : "accountSandbox";
  const counts = { sent: chance.below(most + 1), received: chance.below(most + 1) };
  return { do: "usage", environment, user: chance.pick(), ...counts };
}

function rule(chance: Chance, id: string): RuleText {
  const operation = chance.of(RULED);
  const when = {
    operation: chance.happens(90) ? fullName(operation) : `${fullName(operation).split(".")[0]}.*`,
  };
  const limit = drawLimit(chance);
  const refusal = REFUSALS[operation] ?? "";
  const perUser = chance.happens(20) ? { per: "user" as const } : {};
  const exact = { operation: fullName(operation) };
  return chance.weighted<() => RuleText>([
    [
      4,
      () => ({
        id,
        at: "handler",
        when: narrowed(chance, exact, operation),
        limit: { ...limit, ...perUser },
        then: { problem: refusal },
      }),
    ],
    [1, () => ({ id, at: "response", when: exact, limit, then: { problem: refusal } })],
    [3, () => ({ id, at: "response", when, limit, then: { fault: chance.of(["reset", "empty"]) } })],
    [2, () => ({ id, at: "edge", when, limit, then: { respond: { status: 503, body: { out: true } } } })],
    [1, () => ({ id, at: "edge", when, limit, then: { fault: chance.of(["reset", "empty"]) } })],
    [
      3,
      () => ({
        id,
        at: "handler",
        when: exact,
        limit: { times: 1 + chance.below(2) },
        then: { hold: chance.of(GATES) },
      }),
    ],
    [1, () => ({ id, at: "edge", when, limit, then: { advance: chance.of(["1s", "1h", "24h"]) } })],
    [1, () => ({ id, at: chance.of(["edge", "handler"]), when, limit, then: { pass: true } })],
  ])();
}

/** Conditions that are known at the handler alone. */
function narrowed(chance: Chance, when: RuleText["when"], operation: OperationName): RuleText["when"] {
  if (operation === "createSpecialEvent" && chance.happens(50))
    return { ...when, body: { price: { $gt: 1 } } };
  if (!isMuseum(operation) && operation !== "login" && chance.happens(50))
    return { ...when, user: "ada@example.test" };
  if (!isMuseum(operation) && chance.happens(30)) return { ...when, environment: "accountSandbox" };
  return when;
}

function drawLimit(chance: Chance): NonNullable<RuleText["limit"]> {
  return {
    times: 1 + chance.below(3),
    ...(chance.happens(25) ? { after: chance.below(3) } : {}),
    ...(chance.happens(25) ? { every: 2 } : {}),
    ...(chance.happens(15) ? { from: chance.of(["+1h", "+24h"]) } : {}),
    ...(chance.happens(15) ? { until: "+48h" } : {}),
  };
}

export const SETTINGS: readonly SettingsText[] = [
  {},
  { museum: { limitAboveMaximum: "clamp" } },
  { museum: { validationStatus: 422 } },
  { museum: { strict: true } },
  { account: { pageSize: 2 } },
  { account: { tokenLifetime: "90s" } },
  { account: { profilePut: "merge" } },
  { account: { login: { onRepeat: "allow" } } },
  { account: { login: { onRepeat: "same-token" }, tokenLifetime: "1h" } },
];

function scenario(chance: Chance, id: string): ScenarioText {
  const settings = chance.of(SETTINGS);
  const rules = chance.happens(50) ? { rules: [rule(chance, `${id}-1`), rule(chance, `${id}-2`)] } : {};
  const data = chance.weighted<Pick<ScenarioText, "data">>([
    [6, {}],
    [1, { data: { museum: { specialEvents: { replace: [] } } } }],
    [1, { data: { account: { preSales: { replace: [] } } } }],
  ]);
  return { version: 1, settings, ...rules, ...data };
}
