/** The runtime where a test runner plays a page in Node: refuses what a page does, with the same bytes. */

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
