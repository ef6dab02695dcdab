/**
 * A page that a test runner plays in Node, where `vitrine/browser` is required and not imported: it refuses what a page does,
 * and gives the same bytes with what Node has anyway.
 */

import { rejectScenarioPath } from "../../scenario/library.ts";
import type { Runtime } from "../../server/runtime.ts";
import { nodeRuntime } from "./runtime.ts";

export const webRuntime: Runtime = {
  ...nodeRuntime,
  openScenario: rejectScenarioPath,
  sockets: undefined,
  mail: undefined,
};
