/** Runtime for test runners that emulate a browser in Node. Rejects the same options as the browser runtime. */

import { rejectScenarioPath } from "../../scenario/library.ts";
import type { Runtime } from "../../server/runtime.ts";
import { nodeRuntime } from "./runtime.ts";

export const webRuntime: Runtime = {
  ...nodeRuntime,
  openScenario: rejectScenarioPath,
  openBase: rejectScenarioPath,
  sockets: undefined,
  mail: undefined,
};
