import type { RenderedResponse, ServiceDocument } from "../operation/service.ts";
import type { LocalSandbox } from "../sandbox/controls.ts";
import { scripts, style } from "./bundled.ts";
import { renderDocument } from "./document.tsx";
import { favicon } from "./favicon.ts";
import { type PageLocation, parseLocation } from "./location.ts";

/** Allows only scripts and styles of this server. Forbids markup from text, requests to other hosts and framing. */
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

export const dashboard: Readonly<Record<string, ServiceDocument>> = {
  "/": (call) => page(call, call.state as LocalSandbox), // Safe: the control API's state is a sandbox.
  // Browsers send no token when they open a URL, so this page contains no data.
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
  const world = controls?.id ?? place.world; // a header can name the world too
  return written("text/html", await renderDocument({ ...place, world }, controls, origin + place.mount));
}

function written(media: string, body: string): RenderedResponse {
  return { status: 200, headers: { ...HEADERS, "content-type": `${media}; charset=utf-8` }, body };
}
