// Calls of the control API, by operation, each with the status that it is answered with: successes first, then every
// refusal that a request can bring about; but for 413, since Prism itself takes no more than 10 MB.

import type { Example } from "../../src/operation/operation.ts";
import type { TestSandbox } from "../support/test.ts";

export type Call = Example & {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the API refuses it for what no schema can say. */
  readonly beyondSchemas?: true;
};

const EVENTS = { service: "museum", collection: "specialEvents" };
const NO_COLLECTION = { service: "museum", collection: "nothing" };
const RULE = { when: { operation: "museum.listSpecialEvents" }, then: { respond: { status: 503 } } };
export const ANOTHER = { "x-vitrine-world": "copy" };

/** The state before each call: a rule, a snapshot, a mail, an exchange, and a world beside the main one. */
export async function prepare(sandbox: TestSandbox): Promise<void> {
  for (const { id } of sandbox.worlds.list()) if (id !== "main") sandbox.worlds.remove(id);
  sandbox.reset();
  for (const { id } of sandbox.snapshots.list()) sandbox.snapshots.remove(id);
  sandbox.rules.clear();
  sandbox.fork("copy");
  sandbox.use({ id: "known", ...RULE, limit: { times: 1 } });
  sandbox.snapshot("before");
  sandbox.usage.record({ sent: 5_000, received: 5_000 });
  await sandbox.museum.listSpecialEvents();
}

export const CALLS: Readonly<Record<string, readonly Call[]>> = {
  getReady: [{ status: 200 }, { status: 200, headers: ANOTHER }],
  createWorld: [
    { status: 201, body: {} },
    { status: 201, body: { name: "named" } },
    { status: 400, body: { name: "not a name" }, beyondSchemas: true },
    { status: 400, body: { name: 7 } },
    { status: 400, body: { nme: "misspelt" } },
    { status: 409, body: { name: "copy" } },
  ],
  putWorld: [
    { status: 201, params: { id: "new" }, body: { from: "main" } },
    { status: 201, params: { id: "copy" }, query: { replace: "true" }, body: { from: "main" } },
    { status: 400, params: { id: "copy" }, query: { replace: "perhaps" }, body: { from: "main" } },
    { status: 400, params: { id: "new" }, body: {}, beyondSchemas: true },
    { status: 400, params: { id: "new" }, body: { from: "nowhere" }, beyondSchemas: true },
    { status: 400, params: { id: "new" }, body: { record: {} }, beyondSchemas: true },
    { status: 409, params: { id: "copy" }, body: { from: "main" } },
  ],
  listWorlds: [{ status: 200 }],
  deleteWorld: [
    { status: 204, params: { id: "copy" } },
    { status: 400, params: { id: "main" }, beyondSchemas: true },
    { status: 404, params: { id: "nowhere" } },
  ],
  reset: [
    { status: 204, body: {} },
    { status: 400, body: { all: true } },
  ],
  getRecord: [{ status: 200 }],
  getState: [{ status: 200 }, { status: 200, headers: ANOTHER }],
  createSnapshot: [
    { status: 201, body: {} },
    { status: 201, body: { name: "before" } },
    { status: 400, body: { name: "" } },
    { status: 400, body: { name: "x".repeat(101) } },
  ],
  listSnapshots: [{ status: 200 }],
  diffSnapshot: [
    { status: 200, params: { id: "before" } },
    { status: 404, params: { id: "never" } },
  ],
  removeSnapshot: [
    { status: 204, params: { id: "before" } },
    { status: 404, params: { id: "never" } },
  ],
  restoreSnapshot: [
    { status: 204, params: { id: "before" }, body: {} },
    { status: 404, params: { id: "never" }, body: {} },
  ],
  getClock: [{ status: 200 }],
  setClock: [
    { status: 200, body: { at: "2026-03-01T09:00:00Z", mode: "frozen" } },
    { status: 200, body: { mode: "ticking" } },
    { status: 400, body: { mode: "backwards" } },
    { status: 400, body: { at: 7 } },
    { status: 400, body: { at: "tomorrow" }, beyondSchemas: true },
    { status: 400, body: {}, beyondSchemas: true },
  ],
  advanceClock: [
    { status: 200, body: { by: "24h" } },
    { status: 400, body: {} },
    { status: 400, body: { by: [24] } },
    { status: 400, body: { by: "a while" }, beyondSchemas: true },
  ],
  getScenario: [{ status: 200 }],
  putScenario: [
    { status: 200, body: { name: "login-throttled" } },
    { status: 200, body: ["login-throttled", { version: 1, title: "Own", rules: [RULE] }] },
    { status: 400, body: { name: "no-such-preset" }, beyondSchemas: true },
    { status: 400, body: { rules: [{ then: {} }] }, beyondSchemas: true },
    { status: 400, body: [7] },
  ],
  addScenario: [
    { status: 200, body: { name: "slow-network" } },
    { status: 400, body: { name: "no-such-preset" }, beyondSchemas: true },
  ],
  deleteScenario: [{ status: 204 }],
  removeScenario: [{ status: 404, params: { name: "slow-network" } }],
  listRules: [{ status: 200 }],
  addRule: [
    { status: 201, body: RULE },
    { status: 400, body: { when: { operation: "museum.nothing" }, then: {} }, beyondSchemas: true },
    { status: 400, body: { id: "known", ...RULE }, beyondSchemas: true },
  ],
  clearRules: [{ status: 204 }],
  updateRule: [
    { status: 200, params: { id: "known" }, body: { enabled: false } },
    { status: 200, params: { id: "known" }, body: { before: null } },
    { status: 200, params: { id: "known" }, body: { rule: RULE } },
    { status: 400, params: { id: "known" }, body: { enabled: "no" } },
    { status: 400, params: { id: "known" }, body: {}, beyondSchemas: true },
    { status: 400, params: { id: "known" }, body: { before: "unknown" }, beyondSchemas: true },
    { status: 404, params: { id: "unknown" }, body: { enabled: false } },
  ],
  removeRule: [
    { status: 204, params: { id: "known" } },
    { status: 404, params: { id: "unknown" } },
  ],
  listWaiting: [{ status: 200 }],
  releaseGate: [
    { status: 200, params: { name: "checkout" }, body: {} },
    { status: 200, params: { name: "checkout" }, body: { exchange: 1 } },
    { status: 400, params: { name: "checkout" }, body: { exchange: 1.5 } },
  ],
  check: [
    { status: 200, body: { rule: RULE } },
    { status: 200, body: { rule: { then: { fault: "nothing" } } } },
    { status: 200, body: { scenario: { name: "slow-network" } } },
    { status: 400, body: {}, beyondSchemas: true },
    { status: 400, body: { scenario: 7 } },
  ],
  explain: [
    { status: 200, body: { method: "GET", path: "/special-events" } },
    { status: 200, body: { method: "POST", path: "/special-events", headers: {}, body: [1] } },
    { status: 400, body: { method: "GET", path: "/nowhere" }, beyondSchemas: true },
    { status: 400, body: { method: "GET" } },
    { status: 400, body: { method: "GET", path: "/", headers: { accept: 7 } } },
  ],
  listExchanges: [
    { status: 200 },
    { status: 200, query: { operation: "museum.*", status: "503", limit: "1", before: "9" } },
    { status: 200, query: { query: '{"page":2}', state: "ended" } },
    { status: 200, query: { state: "open", limit: "1" } },
    { status: 400, query: { limit: "all" } },
    { status: 400, query: { state: "perhaps" }, beyondSchemas: true },
    { status: 409, query: { journal: "another", after: "1" } },
    { status: 400, query: { status: "{" }, beyondSchemas: true },
    { status: 400, query: { since: "yesterday" }, beyondSchemas: true },
  ],
  clearJournal: [{ status: 204 }],
  countExchanges: [
    { status: 200 },
    { status: 200, query: { gone: "false", text: "events" } },
    { status: 400, query: { after: "-1" }, beyondSchemas: true },
  ],
  waitForExchange: [
    { status: 200, body: { operation: "museum.listSpecialEvents" } },
    { status: 200, body: { status: { $gte: 500 }, headers: { accept: { $exists: true } } } },
    { status: 400, body: { operation: 7 } },
    { status: 400, body: { operation: "museum.nothing" }, beyondSchemas: true },
    { status: 400, body: { within: [5] } },
    { status: 408, body: { operation: "museum.createSpecialEvent", within: "1ms" } },
  ],
  waitUntilIdle: [
    { status: 204, body: {} },
    { status: 204, body: { within: "1ms" } },
    { status: 400, body: { within: [5] } },
  ],
  verifyExpectation: [
    { status: 200, body: { operation: "museum.listSpecialEvents", times: 1 } },
    { status: 200, body: { status: [404, 503], times: { min: 1, max: 2 }, within: "1ms" } },
    { status: 200, body: { operation: "museum.createSpecialEvent" } },
    { status: 400, body: { times: { at: 1 } } },
    { status: 400, body: { times: "once" } },
    { status: 400, body: { gone: "yes" } },
  ],
  getExchange: [
    { status: 200, params: { seq: "1" } },
    { status: 400, params: { seq: "first" } },
    { status: 404, params: { seq: "999" } },
  ],
  getReport: [{ status: 200 }],
  getCoverage: [{ status: 200 }],
  getLint: [{ status: 200 }],
  getCapsule: [{ status: 200 }],
  getHar: [{ status: 200 }],
  streamEvents: [], // it has no end but that of its world
  getData: [
    { status: 200, params: EVENTS },
    { status: 200, params: { service: "sandbox", collection: "preSales" } },
    { status: 404, params: NO_COLLECTION },
  ],
  putData: [
    { status: 200, params: EVENTS, body: [] },
    { status: 400, params: EVENTS, body: {} },
    { status: 400, params: EVENTS, body: [{ eventId: 7 }], beyondSchemas: true },
    { status: 404, params: NO_COLLECTION, body: [] },
  ],
  patchData: [
    { status: 200, params: EVENTS, body: { upsert: [], remove: [] } },
    { status: 400, params: EVENTS, body: { remove: [7] } },
    { status: 400, params: EVENTS, body: { remove: ["none"] }, beyondSchemas: true },
    { status: 404, params: NO_COLLECTION, body: {} },
  ],
  listMails: [{ status: 200 }, { status: 200, query: { to: "a@b.test", subject: "x" } }],
  clearMails: [{ status: 204 }],
  waitForMail: [
    { status: 200, body: { to: "ops@example.test" } },
    { status: 408, body: { subject: "no such mail", within: "1ms" } },
    { status: 400, body: { to: 7 } },
    { status: 400, body: { within: "soon" }, beyondSchemas: true },
  ],
  createToken: [
    { status: 201, body: {} },
    { status: 201, body: { kind: "expired", environment: "sandbox" } },
    { status: 400, body: { kind: "golden" }, beyondSchemas: true },
    { status: 400, body: { user: 7 } },
  ],
  listTokens: [{ status: 200 }],
  clearThrottle: [
    { status: 204, params: { user: "ada@example.test" } },
    { status: 404, params: { user: "nobody" } },
    {
      status: 400,
      params: { user: "ada@example.test" },
      query: { environment: "moon" },
      beyondSchemas: true,
    },
  ],
  getJwks: [
    { status: 200, params: { environment: "account" } },
    { status: 404, params: { environment: "moon" } },
  ],
  recordUsage: [
    { status: 200, body: { sent: 10, received: 5 } },
    { status: 400, body: { sent: "ten" } },
    { status: 400, body: { sent: -1 }, beyondSchemas: true },
  ],
  listPresets: [{ status: 200 }],
  listOperations: [{ status: 200 }],
  listSettings: [{ status: 200 }],
  listCredentials: [{ status: 200 }],
  listAssumptions: [{ status: 200 }],
};
