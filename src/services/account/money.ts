/** Converts amounts: decimal strings in JSON, whole cents in code. Assumed: two decimals; the document shows no format. */

import { quote } from "../../errors/quote.ts";
import { UsageError } from "../../errors/usage-error.ts";

/** An amount in hundredths of the credit unit. */
export type Cents = bigint;

/** Pattern of an amount with up to two decimals, and any number of zeros after them. */
const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/;

/** Parses an amount: `"12.5"` -> 1250n. Throws a UsageError that names `field` if the string is not an amount. */
export function toCents(text: string, field: string): Cents {
  const [, sign, units, hundredths = ""] = AMOUNT.exec(text) ?? [];
  if (units === undefined) {
    const message = `${field}: ${quote(text)} is not an amount. Write a decimal with two digits after the dot, such as "12.50".`;
    throw new UsageError("badData", message);
  }
  const cents = BigInt(units + hundredths.padEnd(2, "0"));
  return sign === "-" ? -cents : cents;
}

/** Formats an amount: 1250n -> `"12.50"`. */
export function toAmount(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Converts whole credit units, such as the threshold of an action, to cents. */
export function unitsToCents(units: number): Cents {
  return BigInt(units) * 100n;
}
