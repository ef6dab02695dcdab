/** The simulated services, in display order. */

import type { Service } from "../operation/service.ts";
import { account } from "./account/index.ts";
import { museum } from "./museum/index.ts";

export const services: readonly Service[] = [museum, account];
