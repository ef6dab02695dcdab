// Scenarios, rules and gates.

import { z } from "zod";
import { noContent } from "../../operation/operation.ts";
import type { Controls } from "../../sandbox/controls.ts";
import { isPresetName } from "../../scenario/scenario.ts";
import { UsageError } from "../../world/usage-error.ts";
import { operation } from "../language.ts";
import {
  Released,
  ReleaseInput,
  RuleAdded,
  RuleInput,
  RuleView,
  ScenarioInput,
  ScenarioView,
  Waiting,
} from "../schemas.ts";

const SOURCE = "vitrine, control API";

export const getScenario = operation({
  method: "get",
  path: "/scenario",
  summary: "Name the scenario in force",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
  responses: { 200: ScenarioView },
  problems: [],
  handle: ({ state, reply }) => reply(200, viewOf(state.rules.scenario)),
  example: () => ({}),
});

export const putScenario = operation({
  method: "put",
  path: "/scenario",
  summary: "Lay a scenario over what is there",
  description:
    "Either { name } of a preset or of several presets, or a whole scenario. Files are never read by name. When something in it is wrong, nothing changes.",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
  request: { body: ScenarioInput },
  responses: { 200: ScenarioView },
  problems: ["malformedBody", "invalidInput", "unknownName"],
  async handle({ body, state, reply }) {
    await state.scenario("name" in body ? presetNames(body) : checked(body));
    return reply(200, viewOf(state.rules.scenario));
  },
  example: () => ({ body: { name: "login-throttled" } }),
});

export const listRules = operation({
  method: "get",
  path: "/rules",
  summary: "List the rules in the order in which they are asked",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
  responses: { 200: z.array(RuleView) },
  problems: [],
  handle: async ({ state, reply }) => reply(200, [...(await state.rules.list())]),
  example: () => ({}),
});

export const addRule = operation({
  method: "post",
  path: "/rules",
  summary: "Put a rule before all others",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
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
});

export const removeRule = operation({
  method: "delete",
  path: "/rules/{id}",
  summary: "Take a rule out",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
  request: { params: { id: z.string() } },
  responses: { 204: noContent },
  problems: ["unknownName"],
  async handle({ params, state, reply }) {
    await state.rules.remove(params.id);
    return reply(204);
  },
  example: (state) => ({ params: { id: state.rules.scenario.rules[0]?.id ?? "use-1" } }),
});

export const listWaiting = operation({
  method: "get",
  path: "/gates",
  summary: "Tell which exchanges wait at gates",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
  responses: { 200: z.array(Waiting) },
  problems: [],
  handle: async ({ state, reply }) => reply(200, [...(await state.gates.held())]),
  example: () => ({}),
});

export const releaseGate = operation({
  method: "post",
  path: "/gates/{name}/release",
  summary: "Let go who waits at a gate: all, or one exchange",
  tag: "scenario",
  source: SOURCE,
  security: "guard",
  request: { params: { name: z.string() }, body: ReleaseInput },
  responses: { 200: Released },
  problems: ["malformedBody", "invalidInput"],
  handle: async ({ params, body, state, reply }) =>
    reply(200, { released: await state.gates.release(params.name, body.exchange) }),
  example: () => ({ params: { name: "checkout" }, body: {} }),
});

/** Names alone: whatever looks like a path is never read. */
function presetNames(body: Readonly<Record<string, unknown>>): readonly string[] {
  const names = [body["name"]].flat();
  const beside = Object.keys(body).find((key) => key !== "name");
  if (beside !== undefined)
    throw new UsageError("badScenario", "Beside name there is nothing else.", { pointer: `/${beside}` });
  const wrong = names.find((name) => typeof name !== "string" || !isPresetName(name));
  if (wrong === undefined && names.length > 0) return names as readonly string[]; // none is anything else
  throw new UsageError("unknownScenario", `${JSON.stringify(wrong)} is not the name of a preset.`, {
    pointer: "/name",
  });
}

/** A value of its own; in the library `file` and `text` together stand for a file that was read. */
function checked(scenario: Readonly<Record<string, unknown>>): object {
  for (const key of ["file", "text"]) {
    if (Object.hasOwn(scenario, key))
      throw new UsageError("badScenario", `The key ${JSON.stringify(key)} is not known.`, {
        pointer: `/${key}`,
      });
  }
  return scenario;
}

function viewOf({
  name,
  title,
  rules,
}: {
  name: string;
  title: string | undefined;
  rules: readonly { id: string }[];
}) {
  return { name, ...(title === undefined ? {} : { title }), rules: rules.map(({ id }) => id) };
}
