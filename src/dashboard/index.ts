/** Serves the dashboard. In the browser, its pages only use the control API, except to send a request again. */

import type { RenderedResponse, ServiceDocument } from "../operation/service.ts";
import type { LocalSandbox } from "../sandbox/controls.ts";
import { scripts, style } from "./bundled.ts";
import { renderDocument } from "./document.tsx";
import { type PageLocation, parseLocation } from "./location.ts";

/** Icon: a golden object in a glass case. */
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="5" y="4" width="22" height="17" rx="2" fill="#5aa9c9" fill-opacity=".25" stroke="#3d8fb3" stroke-width="2"/>
<path d="M9 17 18 8" stroke="#fff" stroke-opacity=".8" stroke-width="2" stroke-linecap="round"/>
<circle cx="18" cy="15" r="4" fill="#e0a63c"/>
<path d="M4 22h24v5H4z" fill="#8a6a4a"/>
</svg>
`;

/** Allows only scripts and styles of this server. Forbids HTML from strings, requests to other hosts, and framing. */
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
  "/": (call) => page(call, call.state as LocalSandbox), // Safe cast: the state of the control API is a sandbox.
  // Asks for the control token. Contains no data, because browsers open URLs without a token.
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
  const world = controls?.id ?? place.world; // The header x-vitrine-world may name the world instead of the URL.
  return written("text/html", await renderDocument({ ...place, world }, controls, origin + place.mount));
}

function written(media: string, body: string): RenderedResponse {
  return { status: 200, headers: { ...HEADERS, "content-type": `${media}; charset=utf-8` }, body };
}
