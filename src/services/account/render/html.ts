/** Renders items and collections as HTML. Assumed: the layout, because the document shows no example of `text/html`. */

import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Exchange } from "../../../http/exchange.ts";
import { toBase64 } from "../../../world/bytes.ts";
import { once } from "../../../world/lazy.ts";
import { getPlatform } from "../../../world/platform.ts";
import { type Resource, resources } from "../schemas.ts";
import { buildHydraView, buildListPath, listHydraEntries } from "./hydra.ts";
import { type ResourceFields, type ResourceView, toPlain } from "./json-ld.ts";
import { HTML, withCharset } from "./media.ts";

export function renderResource(shown: ResourceView, exchange: Exchange): string {
  const { resource } = shown;
  const content = shown.kind === "item" ? renderItem(shown.item, exchange) : renderItems(shown, exchange);
  const title = shown.kind === "item" ? resource.name : `${resource.name} collection`;
  const json = JSON.stringify(toPlain(shown), null, 2);
  return renderLayout(
    title,
    html`${content}
<details><summary>The same as JSON</summary><div class="card"><pre>${json}</pre></div></details>`,
    exchange,
  );
}

function renderItem(item: ResourceFields, exchange: Exchange): Markup {
  const rows = Object.entries(item).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${renderValue(name, value, exchange)}</dd>\n`,
  );
  return html`<dl class="card">${rows}</dl>`;
}

type PageView = Extract<ResourceView, { kind: "page" }>;

function renderItems(shown: PageView, exchange: Exchange): Markup {
  const { page, resource } = shown;
  const count = `${page.totalItems} ${page.totalItems === 1 ? "item" : "items"}`;
  const links = renderPageLinks(shown, exchange);
  if (page.items.length === 0) return html`<p class="quiet">${count}; none on this page.</p>${links}`;
  return html`<p class="quiet">${count}.</p>
<div class="card">${renderTable(resource, page.items, exchange)}</div>
${links}`;
}

function renderTable(resource: Resource, items: readonly ResourceFields[], exchange: Exchange): Markup {
  const names = Object.keys(items[0] ?? {});
  const heads = names.map(
    (name) => html`<th scope="col" class="${getCellClass(items[0]?.[name])}">${name}</th>`,
  );
  const rows = items.map((item) => {
    const cells = names.map((name, index) =>
      index === 0
        ? html`<td data-name="${name}"><a href="${exchange.base}${resource.iri(item)}">${String(item[name])}</a></td>`
        : html`<td data-name="${name}" class="${getCellClass(item[name])}">${renderValue(name, item[name], exchange)}</td>`,
    );
    return html`<tr>${cells}</tr>\n`;
  });
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}

function renderPageLinks({ page, resource }: PageView, exchange: Exchange): Markup {
  const view = buildHydraView(buildListPath(resource, exchange), exchange.search, page);
  const links = (["first", "previous", "next", "last"] as const).flatMap((rel) => {
    const href = view?.[`hydra:${rel}`];
    return href === undefined ? [] : [html`<a rel="${rel}" href="${href}">${rel}</a>\n`];
  });
  return links.length === 0 ? html`` : html`<nav class="pages" aria-label="Pages">${links}</nav>`;
}

/** Returns the CSS class of a table cell. Amounts are strings, but have the class `number`, so that they are aligned right. */
function getCellClass(value: unknown): string {
  return /^-?\d+(\.\d+)?$/.test(String(value)) ? "number" : "text";
}

/** Renders a value. A field such as `pre_sale_uuid` becomes a link to the resource that it names. */
function renderValue(name: string, value: unknown, { base }: Exchange): Markup {
  if (value === null) return html`<span class="quiet">null</span>`;
  const target = [...resources.values()].find((resource) => name === `${toSnakeCase(resource.name)}_uuid`);
  if (target === undefined) return html`${String(value)}`;
  return html`<a href="${base}${target.iri({ uuid: value })}">${String(value)}</a>`;
}

function toSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export function renderLayout(title: string, content: Markup, { base }: Exchange): string {
  const links = listHydraEntries().map(
    ({ resource, path }) => html`<a href="${base}${path}">${resource.name}</a>\n`,
  );
  return String(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${styleElement}
</head>
<body>
<header><nav aria-label="Resources"><a href="${base}/">Entry point</a>
${links}<a href="${base}/docs">Documentation</a></nav></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`);
}

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

export function buildFormHeaders(media: string): Record<string, string> {
  return { "content-type": withCharset(media), ...(media === HTML ? getPageHeaders() : {}) };
}

/** Headers of every HTML page. They forbid scripts, external resources and framing. They allow the page's style sheet by its hash. */
export const getPageHeaders = once(
  (): Readonly<Record<string, string>> => ({
    "content-security-policy": [
      "default-src 'none'",
      `style-src 'sha256-${toBase64(getPlatform().digest(STYLE))}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "referrer-policy": "no-referrer",
  }),
);
