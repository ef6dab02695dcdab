// The dashboard, put together: a page, its script, its style and its sign, from a fixed table. It reads and steers by
// the control API beside which it stands, so it can do nothing that others cannot.

import type { Rendered, ServiceDocument } from "../operation/service.ts";
import type { LocalControls } from "../sandbox/controls.ts";
import { type Preset, page } from "./page.ts";
import { script } from "./script.ts";
import { sign, style } from "./style.ts";

/** No code and no style but that of these files, no markup made from text, no request to anywhere else, no framing. */
const HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
} as const;

/** What the control API serves beside its operations. `presets` is asked for each page. */
export function dashboard(presets: () => readonly Preset[]): Readonly<Record<string, ServiceDocument>> {
  return {
    "/": ({ speech, state }) => {
      const controls = state as LocalControls; // the state of the control API
      return written("text/html", page({ base: speech.exchange.base, controls, presets: presets() }));
    },
    "/dashboard.js": () => written("text/javascript", script),
    "/dashboard.css": () => written("text/css", style),
    "/dashboard.svg": () => written("image/svg+xml", sign),
  };
}

function written(media: string, body: string): Rendered {
  return { status: 200, headers: { ...HEADERS, "content-type": `${media}; charset=utf-8` }, body };
}
