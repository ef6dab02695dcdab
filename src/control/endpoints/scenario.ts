/** Scenarios, rules and gates. */

import { z } from "zod";
import { describeUnknown } from "../../errors/nearest.ts";
import { quote } from "../../errors/quote.ts";
import { runAtPointer, UsageError } from "../../errors/usage-error.ts";
import { encodePercent } from "../../http/percent.ts";
import type { RuleStatus } from "../../rules/rule.ts";
import type { LocalSandbox, WorldMethods } from "../../sandbox/controls.ts";
import type { Explanation, RuleUpdate } from "../../sandbox/views.ts";
import { defineEndpoint, discard } from "../endpoint.ts";
import { list } from "../schemas/parts.ts";
import {
  CheckInput,
  CheckView,
  ExplanationView,
  GateWaitView,
  QuestionInput,
  ReleaseInput,
  ReleaseView,
  RemovedView,
  RuleBody,
  RuleIdView,
  RuleUpdateInput,
  RuleView,
  ScenarioBody,
  ScenarioView,
} from "../schemas/scenario.ts";

const ruleId = z.string().describe("The id of the rule, as the list shows it.");

export const scenario = {
  getScenario: defineEndpoint({
    route: "GET /scenario",
    summary: "Get the current scenario",
    description: "Its name, and the ids of its rules; without a scenario it is called `default`.",
    tag: "scenario",
    answer: ScenarioView,
    run: ({ sandbox }) => sandbox.currentScenario(),
    methods: { currentScenario: {} },
  }),

  putScenario: defineEndpoint({
    route: "PUT /scenario",
    summary: "Apply a scenario to the current state",
    description:
      "Either { name } of a preset or of several, or a whole scenario, or a list of names and scenarios of which a later is applied over an earlier. Files are never read by name. When something is wrong, nothing changes.",
    tag: "scenario",
    body: ScenarioBody,
    answer: ScenarioView,
    async run({ body, sandbox }) {
      await sandbox.scenario(readLayers(body, sandbox));
      return sandbox.currentScenario();
    },
    methods: { scenario: { request: (given) => ({ body: [given].flat() }), result: discard } },
    example: () => ({ body: { name: "login-throttled" } }),
  }),

  addScenario: defineEndpoint({
    route: "POST /scenario",
    summary: "Add a scenario to the current one",
    description: "As putScenario, but rules and settings of the one in force stay; the new rules come first.",
    tag: "scenario",
    body: ScenarioBody,
    answer: ScenarioView,
    async run({ body, sandbox }) {
      await sandbox.addScenario(readLayers(body, sandbox));
      return sandbox.currentScenario();
    },
    methods: { addScenario: { request: (given) => ({ body: [given].flat() }), result: discard } },
    example: () => ({ body: { name: "slow-network" } }),
  }),

  deleteScenario: defineEndpoint({
    route: "DELETE /scenario",
    summary: "Return to the start, without a scenario",
    description:
      "Clock, seed, data and settings too. Rules that were added at run time and the journal stay. The preset `default` does the same.",
    tag: "scenario",
    run: ({ sandbox }) => sandbox.clearScenario(),
    methods: { clearScenario: {} },
  }),

  removeScenario: defineEndpoint({
    route: "DELETE /scenario/{name}",
    summary: "Remove one scenario",
    description: "Its rules and settings go; its data and clock stay. `POST /reset` restores them.",
    tag: "scenario",
    params: { name: z.string().describe("The name of a preset, or of a file without `.json`.") },
    answer: RemovedView,
    problems: ["unknownName"],
    run: ({ params, sandbox }) => ({ message: sandbox.removeScenario(params.name) }),
    methods: {
      removeScenario: {
        request: (name) => ({ params: { name } }),
        result: ({ message }) => message,
      },
    },
    example: (sandbox) => ({ params: { name: sandbox?.currentScenario().name ?? "slow-network" } }),
  }),

  listRules: defineEndpoint({
    route: "GET /rules",
    summary: "List rules in order of evaluation",
    description:
      "Those added at run time, then those of the scenario; each as it was written, with how often it matched and acted.",
    tag: "scenario",
    answer: list(RuleView),
    run: ({ sandbox }) => sandbox.rules.list(),
    // They have the same shape as in process.
    methods: { "rules.list": { result: (rules) => rules as readonly object[] as readonly RuleStatus[] } },
  }),

  addRule: defineEndpoint({
    route: "POST /rules",
    summary: "Add a rule before all other rules",
    description:
      "As a rule of a scenario is written; the catalogue's operations have one for each answer. It acts from the next request on.",
    tag: "scenario",
    body: RuleBody,
    answer: RuleIdView,
    created: ({ id }) => `/rules/${encodePercent(id)}`,
    run: ({ body, sandbox }) => ({ id: sandbox.use(body as Parameters<WorldMethods["use"]>[0]) }), // checked there, against the grammar
    methods: { use: { request: (rule) => ({ body: rule }), result: ({ id }) => id } },
    example: () => ({
      body: { when: { operation: "museum.listSpecialEvents" }, then: { respond: { status: 503 } } },
    }),
  }),

  updateRule: defineEndpoint({
    route: "PATCH /rules/{id}",
    summary: "Disable, enable, move or replace a rule",
    description:
      "`before` is the id of the rule that it is to come before, null for the end. Rules added at run time come before those of the scenario, and each kind is ordered by itself. A `rule` in its place keeps the id, and its counts start anew.",
    tag: "scenario",
    params: { id: ruleId },
    body: RuleUpdateInput,
    answer: RuleView,
    problems: ["unknownName"],
    run({ params: { id }, body, sandbox }) {
      sandbox.rules.update(id, body as RuleUpdate); // its rule is checked there, against the grammar
      const updated = sandbox.rules.list().find((rule) => rule.id === id);
      return updated ?? Promise.reject(new Error(`the rule ${id} is gone`));
    },
    methods: { "rules.update": { request: (id, body) => ({ params: { id }, body }), result: discard } },
    example: (sandbox) => ({
      params: { id: sandbox?.currentScenario().rules[0] ?? "use-1" },
      body: { enabled: false },
    }),
  }),

  removeRule: defineEndpoint({
    route: "DELETE /rules/{id}",
    summary: "Remove a rule",
    description: "One added at run time, or one of the scenario.",
    tag: "scenario",
    params: { id: ruleId },
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.rules.remove(params.id),
    methods: { "rules.remove": { request: (id) => ({ params: { id } }) } },
    example: (sandbox) => ({ params: { id: sandbox?.currentScenario().rules[0] ?? "use-1" } }),
  }),

  clearRules: defineEndpoint({
    route: "DELETE /rules",
    summary: "Remove all rules that `use` added",
    description: "Those of the scenario stay.",
    tag: "scenario",
    run: ({ sandbox }) => sandbox.rules.clear(),
    methods: { "rules.clear": {} },
  }),

  listWaiting: defineEndpoint({
    route: "GET /gates",
    summary: "List requests at gates",
    description: "Each with its gate, in the order of arrival.",
    tag: "scenario",
    answer: list(GateWaitView),
    run: ({ sandbox }) => sandbox.gates.waiting(),
    methods: { "gates.waiting": {} },
  }),

  releaseGate: defineEndpoint({
    route: "POST /gates/{name}/release",
    summary: "Release all requests at a gate, or one",
    description: "Answers how many went on; who comes later waits anew.",
    tag: "scenario",
    params: { name: z.string().describe("The name of the gate: that of a rule's `hold`, or `clock`.") },
    body: ReleaseInput,
    answer: ReleaseView,
    run: ({ params, body, sandbox }) => ({ released: sandbox.gates.release(params.name, body.exchange) }),
    methods: {
      "gates.release": {
        request: (name, exchange) => ({ params: { name }, body: { exchange } }),
        result: ({ released }) => released,
      },
    },
    example: () => ({ params: { name: "checkout" }, body: {} }),
  }),
};

/** Rehearsals: what would be, on a copy of the world. */
export const rehearsal = {
  check: defineEndpoint({
    route: "POST /check",
    summary: "Validate a rule or a scenario",
    description:
      "Either `rule` or `scenario`, which is what putScenario takes. Every mistake is listed; nothing changes.",
    tag: "scenario",
    body: CheckInput,
    answer: CheckView,
    async run({ body: { rule, scenario }, sandbox }) {
      const layers = scenario && runAtPointer("/scenario", () => readLayers(scenario, sandbox));
      return sandbox.check({ rule, scenario: layers });
    },
    methods: {
      check: {
        request: ({ rule, scenario }) => ({ body: { rule, scenario: scenario && [scenario].flat() } }),
      },
    },
    example: () => ({ body: { rule: { then: { fault: "reset" } } } }),
  }),

  explain: defineEndpoint({
    route: "POST /explain",
    summary: "Explain which rules apply to a request",
    description:
      "What the request leaves out, credentials, body and path parameters in braces, is taken from the operation's example. Nothing changes.",
    tag: "scenario",
    body: QuestionInput,
    answer: ExplanationView,
    run: ({ body, sandbox }) => sandbox.explain(body),
    // Safe: JSON has no members that are undefined.
    methods: { explain: { request: (body) => ({ body }), result: (answer) => answer as Explanation } },
    example: () => ({ body: { method: "GET", path: "/special-events" } }),
  }),
};

/** Assumed: nobody applies more of them over each other. */
const MAX_LAYERS = 100;

/** The scenarios that a body applies, the lowest first: as they are, and presets by name. */
function readLayers(body: z.output<typeof ScenarioBody>, sandbox: LocalSandbox): (string | object)[] {
  const { catalogue } = sandbox;
  if (Array.isArray(body) && body.length > MAX_LAYERS)
    throw new UsageError("badScenario", `At most ${MAX_LAYERS} scenarios are applied over each other.`);
  if (Array.isArray(body))
    return body.map((layer, at) =>
      typeof layer === "string" ? checkPresetName(layer, catalogue, `/${at}`) : layer,
    );
  if (!("name" in body)) return [body];
  const other = Object.keys(body).find((key) => key !== "name");
  const message = '"name" cannot be combined with other fields.';
  if (other !== undefined) throw new UsageError("badScenario", message, { pointer: `/${other}` });
  const { name } = body;
  if (!Array.isArray(name)) return [checkPresetName(name, catalogue, "/name")];
  return name.map((one, at) => checkPresetName(one, catalogue, `/name/${at}`));
}

/** Only a name: anything that looks like a path is never read. */
function checkPresetName(name: unknown, catalogue: LocalSandbox["catalogue"], pointer: string): string {
  const presets = catalogue.presets().map((preset) => preset.name);
  if (typeof name === "string" && presets.includes(name)) return name;
  const given = typeof name === "string" ? name : quote(name);
  throw new UsageError("unknownScenario", describeUnknown("preset", given, presets), { pointer });
}
