/** Parses and formats times and durations. */

import ms from "ms";
import { quote } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import { BoundedCache } from "./recent.ts";

/** Simulated or wall-clock time, in whole milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;

/** A calendar date in UTC, `YYYY-MM-DD`. */
export type CalendarDate = string;

export const DAY_MS = 86_400_000;
export const MIN_TIMESTAMP: Timestamp = Date.parse("1970-01-02T00:00:00Z");
export const MAX_TIMESTAMP: Timestamp = Date.parse("9999-12-01T00:00:00Z");

/** A duration such as `500ms`, `30s`, `15m`, `24h`, `3d`. */
export type Duration = `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
/** Maximum duration: about 1,000 years, so that sums of times stay exact. */
const MAX_DURATION_DAYS = 366_000;
/** Maximum timeout in wall-clock time: one day. Timers support at most 24.8 days. */
const MAX_WAIT_MS = DAY_MS;

/** Converts a duration such as `30s`, or a number of ms, to ms. Throws a UsageError if it is invalid or too long. */
export function parseDuration(given: string | number): number {
  const text = typeof given === "number" ? `${given}ms` : given;
  const isDuration = typeof text === "string" && DURATION_PATTERN.test(text);
  const milliseconds = isDuration ? Math.round(ms(text as ms.StringValue)) : undefined; // Safe cast: it matches the pattern.
  if (milliseconds !== undefined && milliseconds <= MAX_DURATION_DAYS * DAY_MS) return milliseconds;
  throw new UsageError(
    "badDuration",
    milliseconds === undefined
      ? `${quote(given)} is not a duration. Write a number with ms, s, m, h or d, such as "500ms", "30s" or "24h".`
      : `${quote(given)} is too long: a duration is at most ${MAX_DURATION_DAYS}d. Write several.`,
  );
}

/** Parses a wall-clock timeout. Throws a UsageError above 24 hours. */
export function parseTimeout(text: string | number): number {
  const milliseconds = parseDuration(text);
  if (milliseconds <= MAX_WAIT_MS) return milliseconds;
  throw new UsageError("badDuration", `${quote(text)} is too long: within is wall time and at most 24h.`);
}

/** Parses a duration with an optional sign: `+3d`, `-2h`. */
export function parseOffset(text: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  return sign * parseDuration(text.replace(/^[+-]/, ""));
}

/** Parses ISO 8601; a date without time is midnight UTC. Throws a UsageError for other input. */
export function parseTimestamp(input: string | Date): Timestamp {
  const time = input instanceof Date ? input.getTime() : isTimestamp(input) ? Date.parse(input) : Number.NaN;
  if (Number.isFinite(time)) return time;
  throw new UsageError(
    "badInstant",
    `${quote(input instanceof Date ? String(input) : input)} is not a time. Write ISO 8601 with a zone, such as "2026-03-01T09:00:00Z".`,
  );
}

/** Whether `parseTimestamp` accepts the string. */
export function isTimestamp(text: string): boolean {
  return (
    TIMESTAMP_PATTERN.test(text) && Number.isFinite(Date.parse(text)) && isCalendarDate(text.slice(0, 10))
  );
}

/** Formats ISO 8601 in UTC: `2026-03-01T09:00:00.000Z`. */
export function toIso(time: Timestamp): string {
  return new Date(time).toISOString();
}

export function toDate(time: Timestamp): CalendarDate {
  const day = Math.floor(time / DAY_MS);
  return dateCache.get(day) ?? dateCache.set(day, toIso(time).slice(0, 10));
}

/** Cache of dates by number of days since 1970. Without the cache, an HTTP request for a list takes 4 % more CPU time. */
const dateCache = new BoundedCache<CalendarDate, number>(1_000);

/** Whether a `YYYY-MM-DD` date exists: 2024-02-29 does, 2026-02-30 does not. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // `Date` moves a day beyond the end of the month to the next month.
  return new Date(text).getUTCDate() === Number(text.slice(8));
}

/** Last date with a four-digit year. */
export const MAX_DATE: CalendarDate = "9999-12-31";
const MAX_DATE_START = toDayStart(MAX_DATE);

/** Adds days, or subtracts them if `days` is negative. The result is at most `MAX_DATE`. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toDate(Math.min(toDayStart(date) + days * DAY_MS, MAX_DATE_START));
}

export function countDays(from: CalendarDate, to: CalendarDate): number {
  return Math.round((toDayStart(to) - toDayStart(from)) / DAY_MS);
}

function toDayStart(date: CalendarDate): Timestamp {
  return Date.parse(`${date}T00:00:00Z`);
}
