/** Scenarios, rules and gates. */

import { z } from "zod";
import { noContent } from "../../operation/operation.ts";
import type { Controls, LocalControls } from "../../sandbox/controls.ts";
import { unknownName } from "../../world/nearest.ts";
import { quoted } from "../../world/shown.ts";
import { UsageError } from "../../world/usage-error.ts";
import { operation, shared } from "../operation.ts";
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

/** An operation that applies scenarios. */
const applying = {
  tag: "scenario",
  ...shared,
  request: { body: ScenarioInput },
  responses: { 200: ScenarioView },
  problems: ["malformedBody", "invalidInput"],
} as const;

export const misbehaviour = {
  getScenario: operation({
    method: "get",
    path: "/scenario",
    summary: "Get the scenario in force",
    tag: "scenario",
    ...shared,
    responses: { 200: ScenarioView },
    handle: ({ state, reply }) => reply(200, viewOf(state.rules.scenario)),
  }),

  putScenario: operation({
    method: "put",
    path: "/scenario",
    summary: "Apply a scenario to the current state",
    description:
      "Either { name } of a preset or of several, or a whole scenario, or a list of names and scenarios of which a later is applied over an earlier. Files are never read by name. When something is wrong, nothing changes.",
    ...applying,
    async handle({ body, state, reply }) {
      await state.scenario(layersOf(body, state.presets));
      return reply(200, viewOf(state.rules.scenario));
    },
    example: () => ({ body: { name: "login-throttled" } }),
  }),

  addScenario: operation({
    method: "post",
    path: "/scenario",
    summary: "Apply a scenario on top of the one in force",
    description: "As putScenario, but rules and settings of the one in force stay; the new rules come first.",
    ...applying,
    async handle({ body, state, reply }) {
      await state.addScenario(layersOf(body, state.presets));
      return reply(200, viewOf(state.rules.scenario));
    },
    example: () => ({ body: { name: "slow-network" } }),
  }),

  deleteScenario: operation({
    method: "delete",
    path: "/scenario",
    summary: "Go back to what the options gave, without any scenario",
    description:
      "Clock, seed, data and settings too. Rules that were added at run time and the journal stay. The preset `default` does the same.",
    tag: "scenario",
    ...shared,
    responses: { 204: noContent },
    async handle({ state, reply }) {
      await state.scenario("default");
      return reply(204);
    },
  }),

  listRules: operation({
    method: "get",
    path: "/rules",
    summary: "List the rules in the order in which they are asked",
    tag: "scenario",
    ...shared,
    responses: { 200: list(RuleView) },
    handle: async ({ state, reply }) => reply(200, await state.rules.list()),
  }),

  addRule: operation({
    method: "post",
    path: "/rules",
    summary: "Add a rule before all others",
    tag: "scenario",
    ...shared,
    request: { body: RuleInput },
    responses: { 201: RuleAdded },
    problems: ["malformedBody", "invalidInput"],
    async handle({ body, state, reply }) {
      const id = await state.use(body as Parameters<Controls["use"]>[0]); // checked there, against the grammar
      return reply(201, { id });
    },
    example: () => ({
      body: { when: { operation: "museum.listSpecialEvents" }, then: { respond: { status: 503 } } },
    }),
  }),

  removeRule: operation({
    method: "delete",
    path: "/rules/{id}",
    summary: "Remove a rule",
    tag: "scenario",
    ...shared,
    request: { params: { id: z.string() } },
    responses: { 204: noContent },
    problems: ["unknownName"],
    async handle({ params, state, reply }) {
      await state.rules.remove(params.id);
      return reply(204);
    },
    example: (state) => ({ params: { id: state.rules.scenario.rules[0]?.id ?? "use-1" } }),
  }),

  listWaiting: operation({
    method: "get",
    path: "/gates",
    summary: "List the exchanges that wait at gates",
    tag: "scenario",
    ...shared,
    responses: { 200: list(Waiting) },
    handle: async ({ state, reply }) => reply(200, await state.gates.waiting()),
  }),

  releaseGate: operation({
    method: "post",
    path: "/gates/{name}/release",
    summary: "Release a gate: all who wait there, or one exchange",
    tag: "scenario",
    ...shared,
    request: { params: { name: z.string() }, body: ReleaseInput },
    responses: { 200: Released },
    problems: ["malformedBody", "invalidInput"],
    handle: async ({ params, body, state, reply }) =>
      reply(200, { released: await state.gates.release(params.name, body.exchange) }),
    example: () => ({ params: { name: "checkout" }, body: {} }),
  }),
};

/** Assumed: nobody applies more of them over each other. */
const MOST_LAYERS = 100;

/** The scenarios that a body applies, the lowest first: as they are, and presets by name. */
function layersOf(
  body: z.output<typeof ScenarioInput>,
  presets: readonly string[],
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

function viewOf({ name, title, rules }: LocalControls["rules"]["scenario"]) {
  return { name, ...(title === undefined ? {} : { title }), rules: rules.map(({ id }) => id) };
}
