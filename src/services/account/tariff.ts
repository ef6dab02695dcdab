/** Divides the price of invoices among the pots that pay for them. Pure; knows no presale and no store. */

import type { Cents } from "./money.ts";

export type Invoices = { readonly sent: number; readonly received: number };

/** What a pot pays, and how many of the invoices it pays off. */
export type Part = { readonly paid: Cents } & Invoices;

/**
 * Divides the price of invoices over credits, in order, each used up before the next; `rest` is what none covers.
 * Money is divided exactly, so one invoice may be paid from two pots: it counts for the one that paid its last cent.
 * Invoices are paid for one after the other, those sent before those received. Assumed, all of it.
 */
export function split(
  credits: readonly Cents[],
  { sent, received }: Invoices,
  price: Cents,
): { readonly parts: readonly Part[]; readonly rest: Part } {
  const due = price * BigInt(sent + received);
  let covered: Cents = 0n;
  const pay = (paid: Cents): Part => {
    const from = Number(covered / price);
    covered += paid;
    const to = Number(covered / price);
    const ofSent = Math.min(to, sent) - Math.min(from, sent);
    return { paid, sent: ofSent, received: to - from - ofSent };
  };
  const parts = credits.map((credit) => pay(credit < due - covered ? credit : due - covered));
  return { parts, rest: pay(due - covered) };
}
