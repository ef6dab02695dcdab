/** Scenarios, rules and gates. */

import { z } from "zod";
import type { Controls, LocalControls } from "../../sandbox/controls.ts";
import { unknownName } from "../../world/nearest.ts";
import { quoted } from "../../world/shown.ts";
import { UsageError } from "../../world/usage-error.ts";
import {
  list,
  Released,
  ReleaseInput,
  RuleAdded,
  RuleInput,
  RuleView,
  ScenarioInput,
  ScenarioView,
  Waiting,
} from "../schemas.ts";
import { nothing, verb } from "../verb.ts";

export const scenario = {
  getScenario: verb({
    route: "GET /scenario",
    summary: "Get the scenario in force",
    tag: "scenario",
    answer: ScenarioView,
    run: ({ sandbox }) => sandbox.currentScenario(),
    verbs: { currentScenario: {} },
  }),

  putScenario: verb({
    route: "PUT /scenario",
    summary: "Apply a scenario to the current state",
    description:
      "Either { name } of a preset or of several, or a whole scenario, or a list of names and scenarios of which a later is applied over an earlier. Files are never read by name. When something is wrong, nothing changes.",
    tag: "scenario",
    body: ScenarioInput,
    answer: ScenarioView,
    async run({ body, sandbox }) {
      await sandbox.scenario(layersOf(body, sandbox));
      return sandbox.currentScenario();
    },
    verbs: { scenario: { request: (given) => ({ body: [given].flat() }), result: nothing } },
    example: () => ({ body: { name: "login-throttled" } }),
  }),

  addScenario: verb({
    route: "POST /scenario",
    summary: "Apply a scenario on top of the one in force",
    description: "As putScenario, but rules and settings of the one in force stay; the new rules come first.",
    tag: "scenario",
    body: ScenarioInput,
    answer: ScenarioView,
    async run({ body, sandbox }) {
      await sandbox.addScenario(layersOf(body, sandbox));
      return sandbox.currentScenario();
    },
    verbs: { addScenario: { request: (given) => ({ body: [given].flat() }), result: nothing } },
    example: () => ({ body: { name: "slow-network" } }),
  }),

  deleteScenario: verb({
    route: "DELETE /scenario",
    summary: "Go back to what the options gave, without any scenario",
    description:
      "Clock, seed, data and settings too. Rules that were added at run time and the journal stay. The preset `default` does the same.",
    tag: "scenario",
    run: ({ sandbox }) => sandbox.clearScenario(),
    verbs: { clearScenario: {} },
  }),

  listRules: verb({
    route: "GET /rules",
    summary: "List the rules in the order in which they are asked",
    tag: "scenario",
    answer: list(RuleView),
    run: ({ sandbox }) => sandbox.rules.list(),
    // They have the same shape as in process.
    verbs: { "rules.list": { result: (rules) => rules as readonly object[] as Returned<"list"> } },
  }),

  addRule: verb({
    route: "POST /rules",
    summary: "Add a rule before all others",
    tag: "scenario",
    body: RuleInput,
    answer: RuleAdded,
    created: ({ id }) => `/rules/${encodeURIComponent(id)}`,
    run: ({ body, sandbox }) => ({ id: sandbox.use(body as Parameters<Controls["use"]>[0]) }), // checked there, against the grammar
    verbs: { use: { request: (rule) => ({ body: rule }), result: ({ id }) => id } },
    example: () => ({
      body: { when: { operation: "museum.listSpecialEvents" }, then: { respond: { status: 503 } } },
    }),
  }),

  removeRule: verb({
    route: "DELETE /rules/{id}",
    summary: "Remove a rule",
    tag: "scenario",
    params: { id: z.string().describe("The id of the rule, as the list shows it.") },
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.rules.remove(params.id),
    verbs: { "rules.remove": { request: (id) => ({ params: { id } }) } },
    example: (sandbox) => ({ params: { id: sandbox.currentScenario().rules[0] ?? "use-1" } }),
  }),

  listWaiting: verb({
    route: "GET /gates",
    summary: "List the exchanges that wait at gates",
    tag: "scenario",
    answer: list(Waiting),
    run: ({ sandbox }) => sandbox.gates.waiting(),
    verbs: { "gates.waiting": {}, "gates.held": {} },
  }),

  releaseGate: verb({
    route: "POST /gates/{name}/release",
    summary: "Release a gate: all who wait there, or one exchange",
    tag: "scenario",
    params: { name: z.string().describe("The name of the gate: that of a rule's `hold`, or `clock`.") },
    body: ReleaseInput,
    answer: Released,
    run: ({ params, body, sandbox }) => ({ released: sandbox.gates.release(params.name, body.exchange) }),
    verbs: {
      "gates.release": {
        request: (name, exchange) => ({ params: { name }, body: { exchange } }),
        result: ({ released }) => released,
      },
    },
    example: () => ({ params: { name: "checkout" }, body: {} }),
  }),
};

type Returned<N extends keyof Controls["rules"]> = Awaited<ReturnType<Controls["rules"][N]>>;

/** Assumed: nobody applies more of them over each other. */
const MOST_LAYERS = 100;

/** The scenarios that a body applies, the lowest first: as they are, and presets by name. */
function layersOf(
  body: z.output<typeof ScenarioInput>,
  { presets }: Pick<LocalControls, "presets">,
): readonly (string | object)[] {
  if (Array.isArray(body) && body.length > MOST_LAYERS)
    throw new UsageError("badScenario", `At most ${MOST_LAYERS} scenarios are applied over each other.`);
  if (Array.isArray(body))
    return body.map((layer, at) =>
      typeof layer === "string" ? presetName(layer, presets, `/${at}`) : layer,
    );
  if (!("name" in body)) return [body];
  const beside = Object.keys(body).find((key) => key !== "name");
  if (beside !== undefined)
    throw new UsageError("badScenario", '"name" cannot be combined with other fields.', {
      pointer: `/${beside}`,
    });
  const { name } = body;
  if (!Array.isArray(name)) return [presetName(name, presets, "/name")];
  return name.map((one, at) => presetName(one, presets, `/name/${at}`));
}

/** Only a name: anything that looks like a path is never read. */
function presetName(name: unknown, presets: readonly string[], pointer: string): string {
  if (typeof name === "string" && presets.includes(name)) return name;
  const given = typeof name === "string" ? name : quoted(name);
  throw new UsageError("unknownScenario", unknownName("preset", given, presets), { pointer });
}
