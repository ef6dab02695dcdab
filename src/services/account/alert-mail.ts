/** Builds the alert mail of a presale action. Assumed: its subject and text, which the document does not specify. */

import { html } from "hono/html";
import type { StoredPreSale, StoredPreSaleAction } from "./stored.ts";

export type AlertMail = { readonly subject: string; readonly text: string; readonly html: string };

/** `preSale`: the presale after the usage or create request that triggered the action. */
export function buildAlertMail(
  action: Pick<StoredPreSaleAction, "uuid" | "threshold">,
  preSale: StoredPreSale,
  recipient: string,
): AlertMail {
  const left = preSale.current_credit_available;
  const rows: readonly (readonly [string, string])[] = [
    ["Credit left", left],
    ["Threshold", String(action.threshold)],
    ["Credit purchased", preSale.total_credit_purchased],
    ["Invoices sent", String(preSale.invoices_sent)],
    ["Invoices received", String(preSale.invoices_received)],
    ["Valid until", preSale.valid_until],
    ["Presale", preSale.uuid],
  ];
  const greeting = `Hello ${recipient},`;
  const news = `the credit of one of your presales is under ${action.threshold}: ${left} is left.`;
  const advice = "Usage that no presale covers is added to the consumptions of its month.";
  const reason = `You receive this message because of the presale action ${action.uuid}.`;
  return {
    subject: `Presale credit is low – ${left} left, under your threshold of ${action.threshold}`,
    text: [
      greeting,
      news,
      rows.map(([name, value]) => `  ${name}: ${value}`).join("\n"),
      advice,
      reason,
    ].join("\n\n"),
    html: String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Presale credit is low</title></head>
<body>
  <p>${greeting}</p>
  <p>${news}</p>
  <table>
${rows.map(([name, value]) => html`    <tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}  </table>
  <p>${advice}</p>
  <p><small>${reason}</small></p>
</body>
</html>
`),
  };
}
