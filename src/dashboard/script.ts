/**
 * The dashboard's script as the one text that the browser gets: each part is written out as source, so it may use
 * nothing but its arguments.
 */

import { clock } from "./browser/clock.ts";
import { data } from "./browser/data.ts";
import { createDom } from "./browser/dom.ts";
import { follow } from "./browser/follow.ts";
import { insight } from "./browser/insight.ts";
import { journal } from "./browser/journal.ts";
import { mailbox } from "./browser/mailbox.ts";
import { scenario } from "./browser/scenario.ts";
import { worlds } from "./browser/worlds.ts";

const PARTS = [worlds, clock, journal, scenario, mailbox, data, insight];

export const script = `"use strict";
const dom = (${createDom})(window);
(${follow})(dom, [${PARTS.join(",\n")}].map((part) => part(dom)));
`;
