/** Splits collections into pages, and parses `page` and filters like PHP. Assumed: the page size, and the treatment of invalid values. */

import { fail, type Problem } from "../../operation/problem.ts";
import { getCached } from "../../world/recent.ts";
import type { ResultPage } from "./schemas.ts";
import type { AccountSettings } from "./settings.ts";

/** Number at the start of a string. PHP ignores the rest: `2abc` is 2, `1.9` is 1, ` 2` is 2. */
const LEADING_NUMBER = /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/i;
/** Valid filter value: an integer without leading zeros and without other characters. */
const INTEGER = /^[+-]?(?:0|[1-9]\d*)$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** Returns the page number or a problem. A missing `page`, or a list `page[]`, selects page 1. */
export function readPage(raw: unknown, settings: AccountSettings): bigint | Problem<"invalidPage"> {
  const number = typeof raw === "string" ? toInteger(LEADING_NUMBER.exec(raw)?.[1] ?? "0") : 1n;
  const fits = (number - 1n) * BigInt(settings.pageSize) <= MAX_INT64;
  if (number >= 1n && fits) return number;
  if (settings.badPage === "first") return 1n;
  const title = fits ? "Page should not be less than 1" : "Page parameter is too large.";
  return fail("invalidPage", { title });
}

/** Converts to an integer like PHP: truncates fractions, and clamps the number to 64 bits. */
function toInteger(number: string): bigint {
  const finite = Math.max(-(2 ** 63), Math.min(Number(number), 2 ** 63));
  const whole = BigInt(/^[+-]?\d+$/.test(number) ? number : Math.trunc(finite));
  return whole > MAX_INT64 ? MAX_INT64 : whole;
}

/** Returns the integers of a filter; undefined if it is empty or a value is invalid. Ignores keys that are not integers: `month[x]=1`. */
export function readIntegers(raw: unknown): readonly number[] | undefined {
  const texts = typeof raw === "string" ? [raw] : collectStrings(Object.entries(raw ?? {}));
  return texts.length > 0 && texts.every(isInteger) ? texts.map(Number) : undefined;
}

function isInteger(text: string): boolean {
  if (!INTEGER.test(text.trim())) return false;
  const number = BigInt(text);
  return number <= MAX_INT64 && number >= -MAX_INT64 - 1n;
}

function collectStrings(entries: readonly (readonly [string, unknown])[]): readonly string[] {
  return entries.flatMap(([key, value]) => (INTEGER.test(key) && typeof value === "string" ? [value] : []));
}

/** Returns one page of items, which is empty after the last page. Caches the pages of frozen lists. */
export function buildPage<T>(items: readonly T[], page: bigint, pageSize: number): ResultPage<T> {
  const take = (): ResultPage<T> => {
    const from = Number(page - 1n) * pageSize;
    const shown = Object.freeze(items.slice(from, from + pageSize));
    return Object.freeze({ items: shown, totalItems: items.length, page, pageSize });
  };
  if (!Object.isFrozen(items)) return take();
  return getCached(items, `${page} of ${pageSize}`, () => [take(), 200 + 8 * pageSize]);
}
