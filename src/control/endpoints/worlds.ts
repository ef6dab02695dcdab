/** Endpoints for readiness, worlds, and the state of a world: summary, reset, record and snapshots. */

import { z } from "zod";
import type { Exchange } from "../../http/exchange.ts";
import { encodePercent } from "../../http/percent.ts";
import { CONTROL_BASE } from "../../pipeline/guard.ts";
import type { LocalWorld } from "../../sandbox/controls.ts";
import type { WorldRecord } from "../../sandbox/record.ts";
import { defineEndpoint } from "../endpoint.ts";
import { list } from "../schemas/parts.ts";
import {
  DifferenceView,
  ReadyView,
  SnapshotInput,
  SnapshotView,
  StateView,
  WorldInput,
  WorldName,
  WorldRecordView,
  WorldSourceInput,
  WorldView,
} from "../schemas/worlds.ts";

const snapshotName = z.string().describe("The name of the snapshot.");

export const worlds = {
  getReady: defineEndpoint({
    route: "GET /ready",
    summary: "Check whether the server is ready",
    description: "For probes: accepts any host name, and needs no control token.",
    tag: "sandbox",
    isOpen: true,
    answer: ReadyView,
    problems: ["unknownWorld"],
    run: () => ({ ready: true as const }),
    methods: {}, // No method: in a test, `listen` resolves when the sandbox is ready.
  }),

  createWorld: defineEndpoint({
    route: "POST /worlds",
    summary: "Create a world",
    description: "Copies the state of the addressed world. Default name: w1, w2, …",
    tag: "worlds",
    body: WorldInput,
    answer: WorldView,
    created: ({ id }) => `/worlds/${id}`,
    problems: ["conflict", "limitReached"],
    run: async ({ body, sandbox, exchange }) => buildWorldView(await sandbox.fork(body.name), exchange),
    methods: { fork: { request: (name) => ({ body: { name } }), result: ({ id }, { at }) => at(id) } },
    example: () => ({ body: {} }),
  }),

  putWorld: defineEndpoint({
    route: "PUT /worlds/{id}",
    summary: "Create a world with this name",
    description:
      "Copies the world `from`, or restores a `record` of at most 64 MiB. If the world exists, returns 409; with `replace=true`, replaces it, and its waiting requests get a 503.",
    tag: "worlds",
    params: { id: WorldName },
    query: {
      replace: z.enum(["true", "false"]).optional().describe("Whether an existing world is replaced."),
    },
    body: WorldSourceInput,
    limitBytes: 64 * 1_048_576,
    answer: WorldView,
    created: ({ id }) => `/worlds/${id}`,
    problems: ["conflict", "limitReached"],
    async run({ params, query, body, sandbox, exchange }) {
      const replace = query.replace === "true";
      const world = await sandbox.worlds.put(params.id, body, { replace });
      return buildWorldView(world, exchange);
    },
    methods: {
      "worlds.put": {
        request: (id, body, { replace = false } = {}) => ({
          params: { id },
          query: { replace: String(replace) },
          body,
        }),
        result: ({ id }, { at }) => at(id),
      },
    },
    example: () => ({ params: { id: "copy" }, body: { from: "main" } }),
  }),

  listWorlds: defineEndpoint({
    route: "GET /worlds",
    summary: "List worlds",
    description: "Each with its URLs as seen by this client; `main` comes first.",
    tag: "worlds",
    answer: list(WorldView),
    run: async ({ sandbox, exchange }) =>
      (await sandbox.worlds.list()).map((world) => buildWorldView(world, exchange)),
    methods: { "worlds.list": {} },
  }),

  deleteWorld: defineEndpoint({
    route: "DELETE /worlds/{id}",
    summary: "Remove a world",
    description: "Deletes its state. Its waiting requests get a 503. The main world cannot be removed.",
    tag: "worlds",
    params: { id: WorldName },
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.worlds.remove(params.id),
    methods: { "worlds.remove": { request: (id) => ({ params: { id } }) } },
    example: () => ({ params: { id: "copy" } }),
  }),

  reset: defineEndpoint({
    route: "POST /reset",
    summary: "Reset the world to its initial state",
    description: "Restores data, clock, ids, login limits, settings, rules and mailbox. Empties the journal.",
    tag: "sandbox",
    run: ({ sandbox }) => sandbox.reset(),
    methods: { reset: {} },
  }),

  getRecord: defineEndpoint({
    route: "GET /record",
    summary: "Get the whole world as JSON",
    description:
      "Data, clock, ids, settings, rules, mailbox, journal, initial state and snapshots, for `PUT /worlds/{id}`. Includes passwords in plain text.",
    tag: "worlds",
    answer: WorldRecordView,
    run: ({ sandbox }) => ({ ...sandbox.record() }),
    methods: { record: { result: (answer) => answer as unknown as WorldRecord } }, // Safe: the response is a whole record.
  }),

  getState: defineEndpoint({
    route: "GET /state",
    summary: "Get counts, clock and a digest of the state",
    description: "Counts by collection, and a digest of the state. Compare two digests to detect changes.",
    tag: "sandbox",
    answer: StateView,
    run: ({ sandbox }) => ({ ...sandbox.state(), journal: sandbox.journal.id }),
    methods: { state: { result: ({ journal: _journal, ...state }) => state } },
  }),

  createSnapshot: defineEndpoint({
    route: "POST /snapshots",
    summary: "Take a snapshot under a name",
    description: "Replaces a snapshot of the same name. A world stores its newest 1,000 snapshots.",
    tag: "snapshots",
    body: SnapshotInput,
    answer: SnapshotView,
    created: ({ id }) => `/snapshots/${encodePercent(id)}`,
    run: ({ body, sandbox }) => ({ id: sandbox.snapshot(body.name).id }),
    methods: { snapshot: { request: (name) => ({ body: { name } }) } },
    example: () => ({ body: { name: "before" } }),
  }),

  listSnapshots: defineEndpoint({
    route: "GET /snapshots",
    summary: "List snapshots, oldest first",
    description: "The names of the stored snapshots.",
    tag: "snapshots",
    answer: list(SnapshotView),
    run: ({ sandbox }) => sandbox.snapshots.list().map(({ id }) => ({ id })),
    methods: { "snapshots.list": {} },
  }),

  diffSnapshot: defineEndpoint({
    route: "GET /snapshots/{id}/diff",
    summary: "Compare the current state with a snapshot",
    description: "Differing entities by collection, and whether clock, settings or rules differ.",
    tag: "snapshots",
    params: { id: snapshotName },
    answer: DifferenceView,
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.snapshots.diff(params.id),
    methods: { "snapshots.diff": { request: (id) => ({ params: { id } }) } },
    example: () => ({ params: { id: "before" } }),
  }),

  removeSnapshot: defineEndpoint({
    route: "DELETE /snapshots/{id}",
    summary: "Remove a snapshot",
    description: "The state of the world stays as it is.",
    tag: "snapshots",
    params: { id: snapshotName },
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.snapshots.remove(params.id),
    methods: { "snapshots.remove": { request: (id) => ({ params: { id } }) } },
    example: () => ({ params: { id: "before" } }),
  }),

  restoreSnapshot: defineEndpoint({
    route: "POST /snapshots/{id}/restore",
    summary: "Return to a snapshot",
    description: "The journal stays as it is.",
    tag: "snapshots",
    params: { id: snapshotName },
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.restore(params.id),
    methods: {
      restore: {
        request: (snapshot) => ({ params: { id: typeof snapshot === "string" ? snapshot : snapshot.id } }),
      },
    },
    example: () => ({ params: { id: "before" }, body: {} }),
  }),
};

/** Returns the world with the URLs that this client can use. They include the path where another app mounts the sandbox. */
export function buildWorldView(world: LocalWorld, { origin, base }: Exchange): z.output<typeof WorldView> {
  const prefix = base.slice(0, -CONTROL_BASE.length).replace(/\/~[^/]+$/, "");
  return { id: world.id, urls: world.urlsAt(origin + prefix) };
}
