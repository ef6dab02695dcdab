// The control API by a client of hey-api, and the museum by another: what a test calls, with no header set by hand.
// Checked against the generated types and bundled next to them, in generated-clients.slow.test.ts.

import { createClient } from "./hey-api/control/client";
import * as control from "./hey-api/control/sdk.gen";
import type { ClockInput, Expectation, Rule } from "./hey-api/control/types.gen";
import { createClient as createMuseumClient } from "./hey-api/museum/client";
import { listSpecialEvents } from "./hey-api/museum/sdk.gen";

export function controlAt(baseUrl: string) {
  const client = createClient({ baseUrl });
  return {
    createWorld: (name: string) => control.createWorld({ client, body: { name } }),
    listWorlds: () => control.listWorlds({ client }),
    endWorld: (id: string) => control.deleteWorld({ client, path: { id } }),
    addRule: (rule: Rule) => control.addRule({ client, body: rule }),
    setClock: (clock: ClockInput) => control.setClock({ client, body: clock }),
    advance: (by: string) => control.advanceClock({ client, body: { by } }),
    verify: (expectation: Expectation) => control.verifyExpectation({ client, body: expectation }),
    journal: (operation: string) => control.listExchanges({ client, query: { operation } }),
    takeSnapshot: (name: string) => control.createSnapshot({ client, body: { name } }),
    restore: (id: string) => control.restoreSnapshot({ client, path: { id }, body: {} }),
    reset: () => control.reset({ client, body: {} }),
    // @ts-expect-error a change needs a body, an empty object at least
    resetWithoutBody: () => control.reset({ client }),
  };
}

export const listEventsAt = (baseUrl: string) =>
  listSpecialEvents({ client: createMuseumClient({ baseUrl }), query: { limit: 2 } });
