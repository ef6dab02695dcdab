/** Validates the names in a matcher. A matcher with an unknown name would match no request, so it is an error. */

import { describeUnknown } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import { FINDINGS } from "../http/exchange.ts";
import { listFields } from "../operation/fields.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { AnyOperation } from "../operation/operation.ts";
import {
  type Environment,
  listOperationNames,
  listOperations,
  type NamedOperation,
  type Service,
} from "../operation/service.ts";
import { hasOperators, matchesCondition, type Names, TEXT_MODE } from "../rules/condition.ts";
import { FAULTS } from "../rules/effect.ts";
import type { Matcher, RequestMatcher } from "../rules/grammar.ts";
import { hasName } from "../rules/matcher.ts";

/** Returns the names of the users that may call an environment, or undefined if any user may call it. */
export type GetCallers = (service: Service, environment: Environment) => readonly string[] | undefined;

export function checkMatcher(matcher: Matcher, services: readonly Service[]): readonly ValidationIssue[] {
  const observed = services.filter((service) => service.observed);
  const environments = observed.flatMap((each) => each.environments);
  const environmentKeys = environments.map(({ key }) => key);
  const serviceNames = observed.map(({ name }) => name);
  const { operation, service, environment, problem, finding, fault } = matcher;
  const unknown = [
    ...checkKnownNames("operation", operation, listOperationNames(services)),
    ...checkKnownNames("service", service, serviceNames),
    ...checkKnownNames("environment", environment, environmentKeys),
  ];
  const problemKeys = new Set(observed.flatMap(({ problems }) => Object.keys(problems)));
  return [
    ...unknown,
    ...checkPaths(matcher, environments),
    ...(unknown.length === 0 ? checkCombination(matcher, services) : []),
    ...checkFields(matcher, services),
    ...checkStringParts(matcher),
    ...checkKnownNames("problem", problem, [...problemKeys]),
    ...checkKnownNames("finding", finding, FINDINGS),
    ...checkKnownNames("fault", fault, FAULTS),
  ];
}

/** Reports an issue if `user` matches no known user in the environments that the matcher selects. */
export function checkUser(
  matcher: RequestMatcher,
  services: readonly Service[],
  callersOf: GetCallers,
): readonly ValidationIssue[] {
  const { user, environment } = matcher;
  if (user === undefined) return [];
  const known = new Set<string | undefined>([undefined]);
  for (const service of new Set(findOperations(matcher, services).map((found) => found.service))) {
    for (const candidate of service.environments) {
      if (environment !== undefined && !hasName(candidate.key, environment)) continue;
      const callers = callersOf(service, candidate);
      if (callers === undefined) return [];
      for (const name of callers) known.add(name);
    }
  }
  const names = [...known];
  if (known.size === 1 || names.some((name) => matchesCondition(name, user, TEXT_MODE))) return [];
  const users = names.filter((name) => name !== undefined);
  const message =
    typeof user === "string"
      ? describeUnknown("user", user, users)
      : `No user matches this condition. Known users: ${users.slice(0, 12).join(", ")}.`;
  return [{ path: ["user"], message, code: "unknownName" }];
}

/** Finds the operations whose requests the matcher can match. An empty matcher finds all operations. */
export function findOperations(
  matcher: RequestMatcher,
  services: readonly Service[],
): readonly NamedOperation[] {
  const { environment, service: wanted } = matcher;
  return listOperations(services.filter((service) => service.observed)).filter(
    ({ service, name, operation }) =>
      canMatch(matcher, name, operation) &&
      (wanted === undefined || hasName(service.name, wanted)) &&
      (environment === undefined || service.environments.some(({ key }) => hasName(key, environment))),
  );
}

function canMatch({ operation: names, method, path }: RequestMatcher, name: string, operation: AnyOperation) {
  if (names !== undefined && !hasName(name, names)) return false;
  const methods = operation.method === "get" ? ["GET", "HEAD"] : [operation.method.toUpperCase()];
  if (method !== undefined && !methods.some((name) => hasName(name, method))) return false;
  return path === undefined || toList(path)?.some((pattern) => matchesPath(operation, pattern)) !== false;
}

/** Whether the operation can have a path that matches. Compares only the text before the first `*` with a path parameter. */
function matchesPath(operation: AnyOperation, path: string): boolean {
  const [start = "", ...rest] = path.split("*");
  const isPattern = rest.length > 0;
  if (isPattern && !operation.path.includes("{")) return hasName(operation.path, path);
  const parts = start.split("/");
  const template = operation.path.split("/");
  if (isPattern ? parts.length > template.length : parts.length !== template.length) return false;
  return parts.every((part, index) => {
    const known = template[index] ?? "";
    const isCut = isPattern && index === parts.length - 1;
    return known.startsWith("{") || (isCut ? known.startsWith(part) : known === part);
  });
}

/** Returns the names as a list, or undefined for operators. */
function toList(names: Names): readonly string[] | undefined {
  if (typeof names === "string") return [names];
  return Array.isArray(names) ? (names as readonly string[]) : undefined; // Safe cast: `isArray` does not narrow readonly arrays.
}

function checkKnownNames(part: string, names: Names | undefined, known: readonly string[]) {
  return checkEach(part, names, (name) =>
    known.some((candidate) => hasName(candidate, name)) ? undefined : describeUnknownIn(part, name, known),
  );
}

function checkEach(part: string, names: Names | undefined, find: (name: string) => string | undefined) {
  const listed = (names === undefined ? undefined : toList(names)) ?? [];
  return listed.flatMap((name, index) => {
    const message = find(name);
    const path = typeof names === "string" ? [part] : [part, index];
    return message === undefined ? [] : [{ path, message, code: "unknownName" }];
  });
}

function describeUnknownIn(kind: string, name: string, known: readonly string[]): string {
  const fullName = known.find((candidate) => candidate.endsWith(`.${name}`));
  if (fullName !== undefined) return `Unknown ${kind} ${quote(name)}. Did you mean ${quote(fullName)}?`;
  return describeUnknown(kind, name, known);
}

function checkPaths({ path }: Matcher, environments: readonly Environment[]): readonly ValidationIssue[] {
  return checkEach("path", path, (written) => {
    if (!written.startsWith("/") && !written.startsWith("*")) return "path must begin with / or *.";
    const environment = environments.find(({ base }) => written.startsWith(`${base}/`));
    if (environment !== undefined) {
      const within = written.slice(environment.base.length);
      return `A path is relative to the base URL: write ${quote(within)}.`;
    }
    const plain = written.replaceAll(/\{[^/]*\}/g, "*");
    return plain === written
      ? undefined
      : `No request has braces in its path: write ${quote(plain)}, or name the operation.`;
  });
}

/** Reports names that exist, if no request can match all of them at the same time. */
function checkCombination(matcher: Matcher, services: readonly Service[]): readonly ValidationIssue[] {
  const { operation, service, environment, method, path } = matcher;
  const namesOperation = operation !== undefined && toList(operation) !== undefined;
  if (!namesOperation || findOperations(matcher, services).length > 0) return [];
  const testPart = (part: "environment" | "service" | "method" | "path", message: string) => {
    const rest = { environment, service, method, path, [part]: undefined };
    const found = findOperations({ operation, ...rest }, services).length > 0;
    return found ? [{ path: [part], message }] : [];
  };
  const [first = { path: ["operation"], message: "No request can match all of these parts." }] = [
    ...testPart("environment", "None of these operations is served in that environment."),
    ...testPart("service", "None of these operations is of that service."),
    ...testPart("method", "None of these operations has that method."),
    ...testPart("path", "None of these operations has that path."),
  ];
  return [first];
}

/** Reports conditions that are objects without operators. They match only objects, but these parts of a request are strings. */
function checkStringParts({ headers = {}, params = {}, user, accept }: Matcher): readonly ValidationIssue[] {
  const conditions = [
    ...Object.entries(headers).map(([name, wanted]) => ["A header", wanted, ["headers", name]] as const),
    ...Object.entries(params).map(([name, wanted]) => ["A parameter", wanted, ["params", name]] as const),
    ["The user", user, ["user"]] as const,
    ["The Accept header", accept, ["accept"]] as const,
  ];
  return conditions.flatMap(([part, condition, path]) => {
    const isObject = typeof condition === "object" && condition !== null && !Array.isArray(condition);
    if (!isObject || hasOperators(condition)) return [];
    const message = `${part} is a string, not an object. Use operators such as { "$contains": "…" }.`;
    return [{ path, message }];
  });
}

/** Reports fields of body, query and path parameters that none of the matcher's operations has. */
function checkFields(matcher: Matcher, services: readonly Service[]): readonly ValidationIssue[] {
  const { operation } = matcher;
  const named = findOperations({ operation }, services);
  if (operation === undefined || named.length === 0) return [];
  return (["body", "query", "params"] as const).flatMap((part) => {
    const given = matcher[part];
    if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
    const schemas = named.flatMap(({ operation: { request } }) => request[part] ?? []);
    const known = [...new Set(schemas.flatMap((schema) => listFields(schema, [])))];
    const unknown = Object.keys(given).filter(
      (key) => !key.startsWith("$") && !known.includes(key.replace(/\[\]$/, "")),
    );
    if (schemas.length === 0 || (unknown.length > 0 && known.length === 0 && part !== "body"))
      return [{ path: [part], kind: "unknown" as const, message: `${operation} has no ${part}.` }];
    if (known.length === 0) return [];
    return unknown.map((key) => {
      const message = describeUnknown(`field of the ${part}`, key, known);
      return { path: [part, key], kind: "unknown" as const, message };
    });
  });
}
