/** Readiness, worlds, and the state of one: report, reset, snapshots. */

import { z } from "zod";
import type { Exchange } from "../../operation/exchange.ts";
import { noContent } from "../../operation/operation.ts";
import { CONTROL_BASE } from "../../request/guard.ts";
import type { LocalControls } from "../../sandbox/controls.ts";
import { UsageError } from "../../world/usage-error.ts";
import { operation, shared } from "../operation.ts";
import {
  list,
  Ready,
  SnapshotInput,
  SnapshotView,
  State,
  WorldInput,
  WorldName,
  WorldRecordView,
  WorldSource,
  WorldView,
} from "../schemas.ts";

export const worlds = {
  getReady: operation({
    method: "get",
    path: "/ready",
    summary: "Check that requests are answered",
    tag: "sandbox",
    ...shared,
    responses: { 200: Ready },
    handle: ({ state, reply }) => reply(200, { ready: true, world: state.id }),
  }),

  createWorld: operation({
    method: "post",
    path: "/worlds",
    summary: "Create a world",
    description:
      "It starts with the state of the world that is addressed. Without a name it is called w1, w2, …",
    tag: "worlds",
    ...shared,
    request: { body: WorldInput },
    responses: { 201: WorldView },
    headers: { Location: "The path of the new world." },
    problems: ["malformedBody", "invalidInput", "conflict", "limitReached"],
    handle({ body, state, exchange, reply }) {
      const made = state.fork(body.name);
      return reply(201, viewOf(made, exchange), { Location: `${exchange.base}/worlds/${made.id}` });
    },
    example: () => ({ body: {} }),
  }),

  putWorld: operation({
    method: "put",
    path: "/worlds/{id}",
    summary: "Create a world by name",
    description:
      "Either `from` another world, whose state it starts with, or from a `record`. An existing one is 409, or with `replace=true` becomes so; requests under way in it get a 503. At most 64 MiB.",
    tag: "worlds",
    ...shared,
    request: {
      params: { id: WorldName },
      query: { replace: z.enum(["true", "false"]).optional() },
      body: WorldSource,
      limitBytes: 64 * 1_048_576,
    },
    responses: { 201: WorldView },
    problems: ["malformedBody", "invalidInput", "conflict", "limitReached"],
    handle({ params, query, body, state, exchange, reply }) {
      const made = state.worlds.put(params.id, sourceOf(body), query.replace === "true");
      return reply(201, viewOf(made, exchange));
    },
    example: () => ({ params: { id: "copy" }, body: { from: "main" } }),
  }),

  listWorlds: operation({
    method: "get",
    path: "/worlds",
    summary: "List the worlds",
    tag: "worlds",
    ...shared,
    responses: { 200: list(WorldView) },
    handle: ({ state, exchange, reply }) =>
      reply(
        200,
        state.worlds.list().map((world) => viewOf(world, exchange)),
      ),
  }),

  deleteWorld: operation({
    method: "delete",
    path: "/worlds/{id}",
    summary: "End a world",
    tag: "worlds",
    ...shared,
    request: { params: { id: WorldName } },
    responses: { 204: noContent },
    problems: ["invalidInput", "unknownName"],
    handle({ params, state, reply }) {
      state.worlds.remove(params.id);
      return reply(204);
    },
    example: (state) => ({ params: { id: state.worlds.list().at(-1)?.id ?? "w1" } }),
  }),

  reset: operation({
    method: "post",
    path: "/reset",
    summary: "Reset the world to its start",
    description: "Data, clock, ids, throttle, settings, rules and mailbox; the journal is emptied.",
    tag: "sandbox",
    ...shared,
    responses: { 204: noContent },
    async handle({ state, reply }) {
      await state.reset();
      return reply(204);
    },
  }),

  getRecord: operation({
    method: "get",
    path: "/record",
    summary: "Get the whole world as one JSON value",
    description:
      "Data, clock, ids, settings, rules, mailbox, journal, start and snapshots, for `PUT /worlds/{id}`. Passwords stand in it as they are.",
    tag: "worlds",
    ...shared,
    responses: { 200: WorldRecordView },
    async handle({ state, reply }) {
      const { format, ...rest } = await state.record();
      return reply(200, { format, ...rest });
    },
  }),

  getState: operation({
    method: "get",
    path: "/state",
    summary: "Summarize the state in numbers",
    tag: "sandbox",
    ...shared,
    responses: { 200: State },
    handle: async ({ state, reply }) => reply(200, await state.state()),
  }),

  createSnapshot: operation({
    method: "post",
    path: "/snapshots",
    summary: "Take a snapshot under a name",
    description: "An existing name is overwritten. A world keeps its newest 1,000 snapshots.",
    tag: "snapshots",
    ...shared,
    request: { body: SnapshotInput },
    responses: { 201: SnapshotView },
    problems: ["malformedBody", "invalidInput"],
    handle: async ({ body, state, reply }) => reply(201, { id: (await state.snapshot(body.name)).id }),
    example: () => ({ body: { name: "before" } }),
  }),

  restoreSnapshot: operation({
    method: "post",
    path: "/snapshots/{id}/restore",
    summary: "Go back to a snapshot",
    description: "The journal stays as it is.",
    tag: "snapshots",
    ...shared,
    request: { params: { id: z.string() } },
    responses: { 204: noContent },
    problems: ["unknownName"],
    async handle({ params, state, reply }) {
      await state.restore(params.id);
      return reply(204);
    },
    example: () => ({ params: { id: "before" } }),
  }),
};

/** One of the two. */
function sourceOf({
  from,
  record,
}: z.output<typeof WorldSource>): Parameters<LocalControls["worlds"]["put"]>[1] {
  if (from !== undefined && record === undefined) return { from };
  if (record !== undefined && from === undefined) return { record };
  throw new UsageError("badOption", 'Give either "from", the name of a world, or "record".');
}

/** With the addresses as this caller reaches them, which may be inside another app. */
function viewOf(world: LocalControls, { origin, base }: Exchange): z.output<typeof WorldView> {
  const prefix = base.slice(0, -CONTROL_BASE.length).replace(/\/~[^/]+$/, "");
  return { id: world.id, urls: world.urlsAt(origin + prefix) };
}
