/** Tries a request, a rule or a scenario on a copy of the world. */

import { readFields, readText } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import { encodePercent } from "../http/percent.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { AnyOperation, Example } from "../operation/operation.ts";
import type { Service, ServiceEnvironment } from "../operation/service.ts";
import { handleRequest } from "../pipeline/pipeline.ts";
import { findRoute } from "../pipeline/route.ts";
import { WebRequest } from "../pipeline/web-request.ts";
import { describeTarget, matchesTarget } from "../rules/matcher.ts";
import type { RuleStatus } from "../rules/rule.ts";
import { LOCAL_ORIGIN } from "../sandbox/addresses.ts";
import { applyScenario } from "../sandbox/apply-scenario.ts";
import type { Checkable } from "../sandbox/controls.ts";
import { SandboxCore } from "../sandbox/sandbox.ts";
import type { CheckReport, ExplainInput, Explanation } from "../sandbox/views.ts";
import { readScenario, type ScenarioSource } from "../scenario/library.ts";
import { collectErrors } from "../scenario/scenario-errors.ts";
import { account } from "../services/account/index.ts";
import type { AccountSettings } from "../services/account/settings.ts";
import { createTestToken } from "../services/account/test-tokens.ts";
import { toBasicAuth } from "../services/credentials.ts";
import { World } from "../world/world.ts";

/** The operation that a request addresses, its environment, and the request path relative to the service. */
type ExplainTarget = ServiceEnvironment & { readonly operation: AnyOperation; readonly path: string };

export async function check(
  sandbox: SandboxCore,
  what: Checkable,
  source: ScenarioSource,
): Promise<CheckReport> {
  const { rule, scenario } = readFields(what, ["rule", "scenario"], "check");
  if ((rule === undefined) === (scenario === undefined))
    throw new UsageError("badOption", 'Give either "rule" or "scenario".');
  const copy = copySandbox(sandbox);
  try {
    if (scenario !== undefined)
      await applyScenario(copy, readScenario(source, scenario, copy.services, copy.baseSettings));
    else copy.use(rule as Parameters<SandboxCore["use"]>[0]); // Safe cast: use() validates the rule.
    return { ok: true, mistakes: [] };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const mistakes = collectErrors(error).map(({ message, place: { pointer } }) => ({ message, pointer }));
    return { ok: false, mistakes };
  } finally {
    copy.end();
  }
}

/** Runs the request on a copy of the world. Takes missing parts of the request from the operation's example. */
export async function explain(sandbox: SandboxCore, question: ExplainInput): Promise<Explanation> {
  readFields(question, ["method", "path", "headers", "body"], "question");
  const copy = copySandbox(sandbox);
  try {
    const exchange = await runRequest(copy, question);
    const { method, path, operation, status, problem, fault, made, sent } = exchange;
    const rules = copy.ruleSet.list().map((rule) => {
      const trace = exchange.rules.find((applied) => applied.rule === rule.id);
      return trace === undefined
        ? { rule: rule.id, applied: false, why: explainSkip(rule, exchange) }
        : { rule: rule.id, applied: trace.outcome === "applied", why: trace.why };
    });
    const known = { method, path, operation, status, problem, fault, made, sent, rules };
    return JSON.parse(JSON.stringify(known)) as Explanation; // Removes undefined members, like the control API does over HTTP.
  } finally {
    copy.end();
  }
}

/** Copies the sandbox, with a separate journal and coverage. In the copy, delays in wall-clock time end immediately. */
function copySandbox(sandbox: SandboxCore): SandboxCore {
  const { id, world } = sandbox;
  const wall = { ...world.wall, pause: async () => {} };
  const own = { world: new World({ id, seed: world.random.seed, wall }) };
  return new SandboxCore({ ...sandbox.copy(id), ...own, coverage: undefined, journal: undefined });
}

/** Runs the request and returns its ended exchange. Releases every gate that pauses the request. */
async function runRequest(copy: SandboxCore, question: ExplainInput): Promise<RecordedExchange> {
  const target = resolveTarget(copy, question);
  const { base } = target.environment;
  const request = toRequest(copy, target, question);
  const { pathname } = new URL(request.url);
  const route = findRoute(target, base, pathname.slice(base.length), request.method, copy);
  const options = { commit: undefined, access: {} };
  const handled = handleRequest(copy, route, new WebRequest(request), options);
  const answered = Promise.resolve(handled).then(() => true);
  const { gates } = copy.ruleSet;
  const opened = async (): Promise<false> => {
    if (gates.waiting().length === 0) await gates.arrival();
    for (const { gate } of gates.waiting()) gates.release(gate);
    return false;
  };
  while (!(await Promise.race([answered, opened()])));
  return copy.journal.last ?? Promise.reject(new Error("the journal has no exchange of the request"));
}

/** Builds the request. Adds credentials, and takes missing path parameters and body from the operation's example. */
function toRequest(copy: SandboxCore, target: ExplainTarget, question: ExplainInput): Request {
  const { headers = {}, body: given } = question;
  const { service, environment, operation } = target;
  const example: Example = operation.example(copy.getServiceState(service, environment));
  const [path = "", query] = target.path.split("?");
  const params = Object.entries(example.params ?? {});
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodePercent(params.find(([param]) => param === name)?.[1] ?? "x"),
  );
  const body = given ?? example.body;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const sent = new Headers(buildCredentials(copy, target));
  if (text !== undefined) sent.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  const url = LOCAL_ORIGIN + environment.base + filled + (query === undefined ? "" : `?${query}`);
  const method = operation.method.toUpperCase();
  return new Request(url, { method, headers: sent, ...(text === undefined ? {} : { body: text }) });
}

function buildCredentials(copy: SandboxCore, target: ExplainTarget): Record<string, string> {
  if (target.operation.security === "none") return {};
  if (target.service !== account) return { ...toBasicAuth() };
  const settings = copy.settingsOf(account) as AccountSettings; // Safe cast: the account's schema validated them.
  return { authorization: `Bearer ${createTestToken(copy.world, target.environment.key, settings)}` };
}

/** Finds the first operation with this method and path. The path may start with the base path of an environment. */
function resolveTarget({ services }: SandboxCore, { method, path }: ExplainInput): ExplainTarget {
  const place = { pointer: "/path" };
  const noPath = `${JSON.stringify(path)} is not a path. Write "/special-events".`;
  if (!readText(path, "path").startsWith("/")) throw new UsageError("badOption", noPath, place);
  const upperMethod = readText(method, "method").toUpperCase();
  for (const service of services) {
    for (const environment of service.environments) {
      const within = path.startsWith(`${environment.base}/`) ? path.slice(environment.base.length) : path;
      const operation = matchOperation(service, upperMethod, within.split("?")[0] ?? "");
      if (operation !== undefined) return { service, environment, operation, path: within };
    }
  }
  const message = `No operation matches ${upperMethod} ${path}. "vitrine openapi" lists them.`;
  throw new UsageError("badOption", message, place);
}

function matchOperation({ operations }: Service, method: string, path: string): AnyOperation | undefined {
  return Object.values(operations).find((operation) => {
    const template = new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`);
    return operation.method.toUpperCase() === method && template.test(path);
  });
}

function explainSkip({ when, at }: RuleStatus, exchange: RecordedExchange): string {
  return matchesTarget(when, exchange)
    ? `the request ended before the stage "${at}"`
    : `it is for ${describeTarget(when)}`;
}
