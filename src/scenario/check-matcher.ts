/** Whether a matcher names what there is: one that does not would match nothing, and look like a result. */

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

/** The names of those who may call an environment; undefined: anybody. */
export type GetCallers = (service: Service, environment: Environment) => readonly string[] | undefined;

export function checkMatcher(matcher: Matcher, services: readonly Service[]): readonly ValidationIssue[] {
  const observed = services.filter((service) => service.observed);
  const environments = observed.flatMap((one) => one.environments);
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
    ...checkTexts(matcher),
    ...checkKnownNames("problem", problem, [...problemKeys]),
    ...checkKnownNames("finding", finding, FINDINGS),
    ...checkKnownNames("fault", fault, FAULTS),
  ];
}

/** A user whom no environment that the matcher means knows. */
export function checkUser(
  matcher: RequestMatcher,
  services: readonly Service[],
  callersOf: GetCallers,
): readonly ValidationIssue[] {
  const { user, environment } = matcher;
  if (user === undefined) return [];
  const known = new Set<string | undefined>([undefined]);
  for (const service of new Set(findOperations(matcher, services).map((one) => one.service))) {
    for (const place of service.environments) {
      if (environment !== undefined && !hasName(place.key, environment)) continue;
      const callers = callersOf(service, place);
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
      : `No user is like that. Known: ${users.slice(0, 12).join(", ")}.`;
  return [{ path: ["user"], message, code: "unknownName" }];
}

/** All operations that a matcher can mean; when it names nothing, all there are. */
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
  if (method !== undefined && !methods.some((one) => hasName(one, method))) return false;
  return path === undefined || toList(path)?.some((one) => matchesPath(operation, one)) !== false;
}

function matchesPath(operation: AnyOperation, path: string): boolean {
  if (path.includes("*")) return hasName(operation.path, path);
  const parts = path.split("/");
  const template = operation.path.split("/");
  return (
    parts.length === template.length &&
    template.every((one, index) => one.startsWith("{") || one === parts[index])
  );
}

/** The names as written; undefined where they are operators. */
function toList(names: Names): readonly string[] | undefined {
  if (typeof names === "string") return [names];
  return Array.isArray(names) ? (names as readonly string[]) : undefined; // isArray does not narrow a readonly list
}

function checkKnownNames(part: string, names: Names | undefined, known: readonly string[]) {
  return checkEach(part, names, (name) =>
    known.some((one) => hasName(one, name)) ? undefined : describeUnknownIn(part, name, known),
  );
}

function checkEach(part: string, names: Names | undefined, find: (name: string) => string | undefined) {
  const listed = names === undefined ? undefined : toList(names);
  return (listed ?? []).flatMap((name, index) => {
    const message = find(name);
    const path = typeof names === "string" ? [part] : [part, index];
    return message === undefined ? [] : [{ path, message, code: "unknownName" }];
  });
}

function describeUnknownIn(kind: string, name: string, known: readonly string[]): string {
  const whole = known.find((one) => one.endsWith(`.${name}`));
  if (whole !== undefined) return `Unknown ${kind} ${quote(name)}. Did you mean ${quote(whole)}?`;
  return describeUnknown(kind, name, known);
}

function checkPaths({ path }: Matcher, environments: readonly Environment[]): readonly ValidationIssue[] {
  return checkEach("path", path, (written) => {
    if (!written.startsWith("/") && !written.startsWith("*")) return "path must begin with / or *.";
    const environment = environments.find(({ base }) => written.startsWith(`${base}/`));
    if (environment !== undefined) {
      const within = written.slice(environment.base.length);
      return `A path is relative to the base address: write ${quote(within)}.`;
    }
    const plain = written.replaceAll(/\{[^/]*\}/g, "*");
    return plain === written
      ? undefined
      : `No request has braces in its path: write ${quote(plain)}, or name the operation.`;
  });
}

/** Names that exist one by one, but never in the same request. */
function checkCombination(matcher: Matcher, services: readonly Service[]): readonly ValidationIssue[] {
  const { operation, service, environment, method, path } = matcher;
  const isAsked = operation !== undefined && toList(operation) !== undefined;
  if (!isAsked || findOperations(matcher, services).length > 0) return [];
  const lost = (part: "environment" | "service" | "method" | "path", message: string) => {
    const rest = { environment, service, method, path, [part]: undefined };
    const found = findOperations({ operation, ...rest }, services).length > 0;
    return found ? [{ path: [part], message }] : [];
  };
  const [first = { path: ["operation"], message: "No request is all of this at once." }] = [
    ...lost("environment", "None of these operations is served in that environment."),
    ...lost("service", "None of these operations is of that service."),
    ...lost("method", "None of these operations has that method."),
    ...lost("path", "None of these operations has that path."),
  ];
  return [first];
}

/** An object without operators matches only objects, never a text. */
function checkTexts({ headers = {}, params = {}, user, accept }: Matcher): readonly ValidationIssue[] {
  const texts = [
    ...Object.entries(headers).map(([name, wanted]) => ["A header", wanted, ["headers", name]] as const),
    ...Object.entries(params).map(([name, wanted]) => ["A parameter", wanted, ["params", name]] as const),
    ["The user", user, ["user"]] as const,
    ["The Accept header", accept, ["accept"]] as const,
  ];
  return texts.flatMap(([what, condition, path]) => {
    const isObject = typeof condition === "object" && condition !== null && !Array.isArray(condition);
    if (!isObject || hasOperators(condition)) return [];
    const message = `${what} is a text, never an object: conditions on it are operators such as { "$contains": "…" }.`;
    return [{ path, message }];
  });
}

/** Fields of body, query and path that none of the named operations has can only be typing mistakes. */
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
