/** Node, and what runs its programs: with files, sockets and mail. */

import type { Place } from "../place.ts";
import { parserErrors } from "./fetch-errors.ts";
import { library } from "./library.ts";
import { nodePlatform } from "./platform.ts";
import { openScenario, scenarios } from "./scenario-files.ts";

export const nodePlace: Place = {
  platform: nodePlatform,
  library,
  scenarios,
  openScenario,
  parserErrors,
  control: async () => (await import("../control-with-pages.ts")).controlWithPages,
  sockets: () => import("./http-server.ts"),
  state: () => import("./kept-state.ts"),
  mail: () => import("./mail-relay.ts"),
};
