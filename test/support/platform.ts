// What tests run on: Node, as its entry says.

import { nodePlatform } from "../../src/runtimes/node/platform.ts";
import { setPlatform } from "../../src/world/platform.ts";

setPlatform(nodePlatform);
