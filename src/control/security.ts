// Owns how the control API says who may call it. The guard before all routes does the checking, since it also keeps out
// what no operation may see; here is what it refuses with.

import type { SecurityScheme } from "../operation/service.ts";

export const guard: SecurityScheme = {
  problems: ["tokenRequired", "foreignCaller"],
  openapi: {
    type: "http",
    scheme: "bearer",
    description: "The control token; asked for only where the sandbox was given one.",
  },
  authenticate: () => ({ name: "control", identity: undefined }),
};
