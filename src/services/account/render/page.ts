// Owns the page of an item or a collection: the plain fields for a person to read, and links to follow.
// Assumed: the document promises the plain data as text/html and shows no page.

import { html } from "hono/html";
import type { Exchange } from "../../../operation/exchange.ts";
import { pathOf, type Resource, resources } from "../schemas.ts";
import { hydraView } from "./hydra-view.ts";
import { type Fields, type Shown, toPlain } from "./json-ld.ts";
import { layout, type Markup } from "./layout.ts";

export function resourcePage(shown: Shown, exchange: Exchange): string {
  const { resource } = shown;
  const content = shown.kind === "item" ? itemContent(shown.item, exchange) : pageContent(shown, exchange);
  const title = shown.kind === "item" ? resource.name : `${resource.name} collection`;
  const json = JSON.stringify(toPlain(shown), null, 2);
  return layout(
    title,
    html`${content}
<details><summary>The same as JSON</summary><div class="card"><pre>${json}</pre></div></details>`,
    exchange,
  );
}

function itemContent(item: Fields, exchange: Exchange): Markup {
  const rows = Object.entries(item).map(
    ([name, value]) => html`<dt>${name}</dt><dd>${shownValue(name, value, exchange)}</dd>\n`,
  );
  return html`<dl class="card">${rows}</dl>`;
}

function pageContent(shown: Extract<Shown, { kind: "page" }>, exchange: Exchange): Markup {
  const { page, resource } = shown;
  const count = `${page.totalItems} ${page.totalItems === 1 ? "item" : "items"}`;
  const links = pageLinks(shown, exchange);
  if (page.items.length === 0) return html`<p class="quiet">${count}; none on this page.</p>${links}`;
  return html`<p class="quiet">${count}.</p>
<div class="card">${table(resource, page.items, exchange)}</div>
${links}`;
}

function table(resource: Resource, items: readonly Fields[], exchange: Exchange): Markup {
  const names = Object.keys(items[0] ?? {});
  const heads = names.map((name) => html`<th scope="col" class="${kind(items[0]?.[name])}">${name}</th>`);
  const rows = items.map((item) => {
    const cells = names.map((name, index) =>
      index === 0
        ? html`<td data-name="${name}"><a href="${exchange.base}${resource.iri(item)}">${String(item[name])}</a></td>`
        : html`<td data-name="${name}" class="${kind(item[name])}">${shownValue(name, item[name], exchange)}</td>`,
    );
    return html`<tr>${cells}</tr>\n`;
  });
  return html`<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}

function pageLinks({ page, resource }: Extract<Shown, { kind: "page" }>, exchange: Exchange): Markup {
  const view = hydraView(exchange.base + pathOf(resource), exchange.search, page);
  const links = (["first", "previous", "next", "last"] as const).flatMap((rel) => {
    const href = view?.[`hydra:${rel}`];
    return href === undefined ? [] : [html`<a rel="${rel}" href="${href}">${rel}</a>\n`];
  });
  return links.length === 0 ? html`` : html`<nav class="pages" aria-label="Pages">${links}</nav>`;
}

/** Amounts are texts on the wire, and read like numbers. */
function kind(value: unknown): string {
  return /^-?\d+(\.\d+)?$/.test(String(value)) ? "number" : "text";
}

/** A value as text; `pre_sale_uuid` is a link to the presale it names. */
function shownValue(name: string, value: unknown, { base }: Exchange): Markup {
  if (value === null) return html`<span class="quiet">null</span>`;
  const target = [...resources.values()].find((resource) => name === `${snakeCase(resource.name)}_uuid`);
  return target === undefined
    ? html`${String(value)}`
    : html`<a href="${base}${target.iri({ uuid: value })}">${String(value)}</a>`;
}

/** `PreSale` is `pre_sale`. */
function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
