/** Runtime for Node and compatible runtimes, with files, sockets and mail. */

import type { ParserErrors } from "../../pipeline/broken-reply.ts";
import type { Runtime } from "../../server/runtime.ts";
import { library } from "./library.ts";
import { nodePlatform } from "./platform.ts";
import { openBase, openScenario, scenarios } from "./scenario-files.ts";

const { undici = "" } = process.versions;
const isOlderUndici = Number.parseInt(undici, 10) < 7;

const parserErrors: ParserErrors = {
  codes: isOlderUndici,
  expected: isOlderUndici ? "HTTP/" : "HTTP/, RTSP/ or ICE/",
};

export const nodeRuntime: Runtime = {
  platform: nodePlatform,
  library,
  scenarios,
  openScenario,
  openBase,
  parserErrors,
  control: async () => (await import("../../server/control-with-pages.ts")).controlWithPages,
  sockets: () => import("./http-server.ts"),
  mail: () => import("./mail-relay.ts"),
};
