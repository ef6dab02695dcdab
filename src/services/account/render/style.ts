// Owns the one style sheet of the account's pages, and the policy that lets browsers load nothing else.

import { createHash } from "node:crypto";
import { raw } from "hono/html";

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --quiet: #5b6675; --line: #d9dee6; --paper: #fff; --ground: #f4f6f9; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --quiet: #9aa6b6; --line: #343d4a; --paper: #1b212b; --ground: #12161d; --link: #7db8f5 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
header, main, footer { max-width: 104rem; margin: 0 auto; padding: 1rem 1.25rem }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
a { color: var(--link) }
h1 { margin: .25rem 0 1rem; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere }
p { margin: -.5rem 0 1rem }
.quiet { color: var(--quiet) }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .5rem .9rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line) }
tbody tr:last-child > * { border-bottom: 0 }
th { font-weight: 600 }
thead th { color: var(--quiet); font-size: .85rem }
.number { text-align: right }
td, dd { overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; margin: 0 }
dt, dd { margin: 0; padding: .5rem .9rem; border-bottom: 1px solid var(--line) }
dt { color: var(--quiet) }
dl > :nth-last-child(-n+2) { border-bottom: 0 }
nav.pages { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin: 1rem 0 }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { margin: 0; padding: .9rem; overflow-x: auto }
details { margin: 1rem 0 }
summary { cursor: pointer; padding: .25rem 0 }
@media (max-width: 48rem) {
  dl { grid-template-columns: 1fr }
  dt { border-bottom: 0; padding-bottom: 0 }
  dd { padding-top: 0 }
  table, tbody { display: block }
  thead { display: none }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line) }
  tbody tr:last-child { border-bottom: 0 }
  td { display: grid; grid-template-columns: 9rem 1fr; gap: .5rem; padding: .15rem .9rem; white-space: normal; border-bottom: 0 }
  td.number { text-align: left }
  td::before { content: attr(data-name); color: var(--quiet) }
}
`;

export const styleElement = raw(`<style>${STYLE}</style>`);

/** For every page: no script, nothing from elsewhere, no framing; the style sheet is known by its hash. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
};
