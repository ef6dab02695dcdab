/** The folder of the built package. Tests read dist through it, so that none tests an old build in silence. */

import { join } from "node:path";
import { isBuilt } from "../../.ci/built.mjs";

if (!isBuilt()) throw new Error("dist is older than src: run npm run build");

export const ROOT: string = join(import.meta.dirname, "../..");
