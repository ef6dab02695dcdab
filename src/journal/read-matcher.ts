/** The matcher that a journal is asked with: a misspelt one is refused instead of finding nothing. */

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

/** The matcher itself, or for a string the matcher of that operation. Throws a UsageError for other values. */
export function toMatcher<T extends Matcher>(given: T | string): T {
  if (typeof given === "string") return { operation: given } as T; // an operation makes a whole matcher
  return assertObject(given, "A matcher");
}

/** Throws a UsageError that tells every mistake. */
export function readMatcher(given: Matcher, services: readonly Service[], callersOf: GetCallers): Matcher {
  const { value: written } = createValueSource(normalizeMatcher(given));
  const { issues = [], value } = check(MatcherSchema(), written);
  const wrong = new Set(issues.map(({ path: [part] }) => part));
  const right = Object.fromEntries(Object.entries(written as object).filter(([part]) => !wrong.has(part)));
  const matcher = value ?? (right as Matcher); // what the schema found nothing wrong with
  throwErrors(toErrors([...issues, ...findUnknownNames(matcher, services, callersOf)], locate));
  return matcher;
}

/** What a matcher that is well written names and is not there. */
export function findUnknownNames(
  matcher: Matcher,
  services: readonly Service[],
  callersOf: GetCallers,
): readonly ValidationIssue[] {
  return [...checkMatcher(matcher, services), ...checkUser(matcher, services, callersOf)];
}

/** Without what is undefined, with instants as texts and methods in upper case. */
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

function toIsoTime(instant: unknown): unknown {
  return instant instanceof Date && !Number.isNaN(instant.getTime()) ? toIso(instant.getTime()) : instant;
}
