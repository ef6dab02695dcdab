// The control API by a client of openapi-fetch, and the museum by another: what a test calls, with no header set by
// hand. Checked against the generated types and bundled next to them, in generated-clients.slow.test.ts.

import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript/control";
import type { paths as MuseumPaths } from "./openapi-typescript/museum";

type Schemas = components["schemas"];

export function controlAt(baseUrl: string) {
  const client = createClient<paths>({ baseUrl });
  return {
    createWorld: (name: string) => client.POST("/worlds", { body: { name } }),
    listWorlds: () => client.GET("/worlds"),
    endWorld: (id: string) => client.DELETE("/worlds/{id}", { params: { path: { id } } }),
    addRule: (rule: Schemas["Rule"]) => client.POST("/rules", { body: rule }),
    setClock: (clock: Schemas["ClockInput"]) => client.PUT("/clock", { body: clock }),
    advance: (by: string) => client.POST("/clock/advance", { body: { by } }),
    verify: (expectation: Schemas["Expectation"]) => client.POST("/journal/verify", { body: expectation }),
    journal: (operation: string) => client.GET("/journal", { params: { query: { operation } } }),
    takeSnapshot: (name: string) => client.POST("/snapshots", { body: { name } }),
    restore: (id: string) => client.POST("/snapshots/{id}/restore", { params: { path: { id } }, body: {} }),
    reset: () => client.POST("/reset", { body: {} }),
    // @ts-expect-error a change needs a body, an empty object at least
    resetWithoutBody: () => client.POST("/reset"),
  };
}

export const listEventsAt = (baseUrl: string) =>
  createClient<MuseumPaths>({ baseUrl }).GET("/special-events", { params: { query: { limit: 2 } } });
