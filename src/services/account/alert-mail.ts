// Owns the words of the alert mail. Assumed: all of them; the document shows no text.

import type { StoredPreSale, StoredPreSaleAction } from "./schemas.ts";

export type AlertMail = { readonly subject: string; readonly text: string; readonly html: string };

/** Wording for the person who watches the credit; every figure is the one the service shows at this instant. */
export function alertMail(
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
    html: page(`
  <p>${escapeHtml(greeting)}</p>
  <p>${escapeHtml(news)}</p>
  <table>
${rows.map(([name, value]) => `    <tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`).join("\n")}
  </table>
  <p>${escapeHtml(advice)}</p>
  <p><small>${escapeHtml(reason)}</small></p>`),
  };
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Presale credit is low</title></head>
<body>${body}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
