/**
 * The matcher that a journal is asked with: checked like that of a rule, so that a misspelt one is refused instead of
 * finding nothing.
 */

import { UsageError } from "../errors/usage-error.ts";
import { toPointer } from "../http/json-pointer.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { Service } from "../operation/service.ts";
import { check } from "../operation/validate.ts";
import type { Matcher } from "../rules/grammar.ts";
import { MatcherSchema } from "../rules/matcher-schema.ts";
import { type CallersOf, callerIssues, matcherIssues } from "../scenario/check-matcher.ts";
import { type Locate, throwAll, toMistakes } from "../scenario/scenario-errors.ts";
import { valueSource } from "../scenario/source.ts";
import { toIso } from "../world/time.ts";

const locate: Locate = (message, path, _part, code) =>
  new UsageError(code === "unknownName" ? code : "badOption", message, { pointer: toPointer(path) });

/** Throws a UsageError that tells every mistake. */
export function readMatcher(given: Matcher, services: readonly Service[], callersOf: CallersOf): Matcher {
  const { value: written } = valueSource(asWritten(given));
  const { issues = [], value } = check(MatcherSchema(), written);
  const wrong = new Set(issues.map(({ path: [part] }) => part));
  const right = Object.fromEntries(Object.entries(written as object).filter(([part]) => !wrong.has(part)));
  const matcher = value ?? (right as Matcher); // what the schema found nothing wrong with
  throwAll(toMistakes([...issues, ...unknownNames(matcher, services, callersOf)], locate));
  return matcher;
}

/** What a matcher that is well written names and is not there. */
export function unknownNames(
  matcher: Matcher,
  services: readonly Service[],
  callersOf: CallersOf,
): readonly ValidationIssue[] {
  return [...matcherIssues(matcher, services), ...callerIssues(matcher, services, callersOf)];
}

/** Without what is undefined, with instants as texts and methods in upper case. */
function asWritten(given: Matcher): Record<string, unknown> {
  const { method } = given;
  const known = {
    ...given,
    method: Array.isArray(method) ? method.map(upperCase) : upperCase(method),
    since: asIso(given.since),
    until: asIso(given.until),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function upperCase(method: unknown): unknown {
  return typeof method === "string" ? method.toUpperCase() : method;
}

function asIso(instant: unknown): unknown {
  return instant instanceof Date && !Number.isNaN(instant.getTime()) ? toIso(instant.getTime()) : instant;
}
