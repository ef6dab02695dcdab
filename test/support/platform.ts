// What tests run on: Node, as its entry says.

import { nodePlatform } from "../../src/runtimes/node/platform.ts";
import { runOn } from "../../src/world/platform.ts";

runOn(nodePlatform);
