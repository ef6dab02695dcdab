/** The dashboard, assembled. It works through the control API, so it can do nothing that other clients cannot. */

import type { RenderedResponse, ServiceDocument } from "../operation/service.ts";
import type { LocalSandbox } from "../sandbox/controls.ts";
import { scripts, style } from "./bundled.ts";
import { renderDocument } from "./document.tsx";
import { favicon } from "./favicon.ts";
import { type PageLocation, parseLocation } from "./location.ts";

/** Only the code and style of these files, no markup created from text, no requests elsewhere, no framing. */
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

/** What the control API serves besides its operations. */
export const dashboard: Readonly<Record<string, ServiceDocument>> = {
  "/": (call) => page(call, call.state as LocalSandbox), // the state of the control API
  // Without anything of the sandbox, for browsers, which send no token when they open an address.
  "/locked": (call) => page(call, undefined),
  ...Object.fromEntries(
    Object.entries(scripts).map(([name, code]) => [`/${name}`, () => written("text/javascript", code)]),
  ),
  "/dashboard.css": () => written("text/css", style),
  "/dashboard.svg": () => written("image/svg+xml", favicon),
};

async function page(
  { context }: Parameters<ServiceDocument>[0],
  controls: LocalSandbox | undefined,
): Promise<RenderedResponse> {
  const { base, search, origin } = context.exchange;
  const place: PageLocation = parseLocation(base, search);
  const world = controls?.id ?? place.world; // which a header may name as well
  return written("text/html", await renderDocument({ ...place, world }, controls, origin + place.mount));
}

function written(media: string, body: string): RenderedResponse {
  return { status: 200, headers: { ...HEADERS, "content-type": `${media}; charset=utf-8` }, body };
}
