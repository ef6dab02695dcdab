/** The parser that knows where in a text each value is. Most bodies do well without it, so it is loaded when called for. */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const jsonc = () => require("jsonc-parser") as typeof import("jsonc-parser");
