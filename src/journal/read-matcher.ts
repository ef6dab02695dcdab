/** Validates the matchers of journal queries. Rejects unknown names, because such a query would silently find no exchange. */

import { assertObject } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import { toPointer } from "../http/json-pointer.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import { check } from "../operation/validate.ts";
import type { Matcher } from "../rules/grammar.ts";
import { MatcherSchema } from "../rules/matcher-schema.ts";
import { checkMatcher, checkUser, type GetCallers } from "../scenario/check-matcher.ts";
import { type ErrorLocator, throwErrors, toErrors } from "../scenario/scenario-errors.ts";
import { createValueSource } from "../scenario/source.ts";
import { toIso } from "../world/time.ts";

const locate: ErrorLocator = (message, path, _part, code) =>
  new UsageError(code === "unknownName" ? code : "badOption", message, { pointer: toPointer(path) });

/** Converts the name of an operation to a matcher. Throws a UsageError if `given` is neither a string nor an object. */
export function toMatcher<T extends Matcher>(given: T | string): T {
  if (typeof given === "string") return { operation: given } as T; // Safe: all other fields of a matcher are optional.
  return assertObject(given, "A matcher");
}

export function readMatcher(given: Matcher, services: readonly Service[], callersOf: GetCallers): Matcher {
  const { value: input } = createValueSource(normalizeMatcher(given));
  const { issues = [], value } = check(MatcherSchema(), input);
  const invalid = new Set(issues.map(({ path: [part] }) => part));
  const valid = Object.fromEntries(Object.entries(input as object).filter(([part]) => !invalid.has(part)));
  const matcher = value ?? (valid as Matcher); // Safe: the schema accepted the remaining fields.
  throwErrors(toErrors([...issues, ...findUnknownNames(matcher, services, callersOf)], locate));
  return matcher;
}

export function findUnknownNames(
  matcher: Matcher,
  services: readonly Service[],
  callersOf: GetCallers,
): readonly ValidationIssue[] {
  return [...checkMatcher(matcher, services), ...checkUser(matcher, services, callersOf)];
}

/** Removes undefined fields, formats dates as ISO 8601 and converts methods to uppercase. */
function normalizeMatcher(given: Matcher): Record<string, unknown> {
  const { method } = given;
  const known = {
    ...given,
    method: Array.isArray(method) ? method.map(toCapitals) : toCapitals(method),
    since: toIsoTime(given.since),
    until: toIsoTime(given.until),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function toCapitals(method: unknown): unknown {
  return typeof method === "string" ? method.toUpperCase() : method;
}

function toIsoTime(time: unknown): unknown {
  return time instanceof Date && !Number.isNaN(time.getTime()) ? toIso(time.getTime()) : time;
}
