/** The parser that knows where in a text each value is. Most bodies do well without it, so it is loaded when called for. */

import { platform } from "../world/platform.ts";

export const jsonc = () => platform().packages.jsonc();
