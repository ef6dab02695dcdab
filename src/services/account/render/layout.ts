// Owns what all pages of the account have in common: head, navigation, footer.

import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Exchange } from "../../../operation/exchange.ts";
import { entries } from "./entrypoint.ts";
import { styleElement } from "./style.ts";

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A whole page; everything that is put in is escaped. */
export function layout(title: string, content: Markup, { base }: Exchange): string {
  const links = entries().map(({ resource, path }) => html`<a href="${base}${path}">${resource.name}</a>\n`);
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
