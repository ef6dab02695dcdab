/**
 * `vitrine explain`: which rule of a scenario fires for a request, and why the others do not. The request is played in
 * a sandbox of its own; the report comes from its journal.
 */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { LiveSandbox } from "../live-sandbox.ts";
import type { AnyOperation } from "../operation/operation.ts";
import type { Place, Service } from "../operation/service.ts";
import { isNamed, nameOf } from "../rules/matcher.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type { GivenScenario } from "../typed-scenario.ts";
import { createSandbox } from "../vitrine.ts";
import { wallClock } from "../world/clock.ts";
import { UsageError } from "../world/usage-error.ts";
import { defineCommand } from "./command.ts";

export const explain = defineCommand({
  name: "explain",
  summary: "show which rule of a scenario fires for a request, and why the others do not",
  takes: { name: "SCENARIO 'METHOD PATH'", least: 2, most: 2 },
  flags: {
    header: { value: "'NAME: VALUE'", many: true, about: "a header of the request" },
    body: { value: "JSON", about: "its body (default: a valid one)" },
    clock: { value: "WHEN", about: "when it is sent (default: as the scenario says)" },
  },
  async run({ flags, operands: [scenario = "", request = ""], io }) {
    const wall = { ...wallClock, pause: async () => {} };
    await using sandbox = await createSandbox({
      scenario: scenario as GivenScenario,
      clock: flags.clock,
      wall,
    });
    const exchange = await play(sandbox, toRequest(sandbox, request, flags));
    io.out(report(exchange, sandbox.rules.list()));
    return 0;
  },
});

/** An operation in one environment, with a path within the service that matches it. */
type Target = Place & { readonly operation: AnyOperation; readonly path: string };

type RequestOptions = { readonly header: readonly string[]; readonly body: string | undefined };

/** The request with what it lacks filled in from the operation's own example: parameters, credentials, body. */
function toRequest(sandbox: LiveSandbox, text: string, { header, body }: RequestOptions): Request {
  const [, method = "", target = ""] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(text.trim()) ?? [];
  if (target === "") throw wrong(`${JSON.stringify(text)} is not a request. Write 'POST /special-events'.`);
  const [path = "", query] = target.split("?");
  const found = findTarget(sandbox.core.services, method.toUpperCase(), path);
  if (found === undefined)
    throw wrong(`No operation matches ${method.toUpperCase()} ${path}. "vitrine openapi" lists them.`);
  const { service, environment, operation } = found;
  const example = operation.example(sandbox.core.stateOf(service, environment));
  const filled = found.path.replace(/\{(\w+)\}/g, (_whole, name: string) => example.params?.[name] ?? "x");
  const sent = body ?? (example.body === undefined ? undefined : JSON.stringify(example.body));
  const headers = new Headers(credentials(sandbox, environment.key));
  if (sent !== undefined) headers.set("content-type", "application/json");
  for (const line of header) {
    const colon = line.indexOf(":");
    if (colon < 1) throw wrong(`--header ${JSON.stringify(line)} has no colon.`);
    headers.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Request(sandbox.urls[environment.key] + filled + (query === undefined ? "" : `?${query}`), {
    method: method.toUpperCase(),
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  });
}

function wrong(message: string): UsageError {
  return new UsageError("badOption", message);
}

function credentials(sandbox: LiveSandbox, environment: string): Record<string, string> {
  if (environment === "museum") return { ...sandbox.auth.basic() };
  const account = environment === "accountSandbox" ? environment : "account";
  return { authorization: `Bearer ${sandbox.auth.token({ environment: account })}` };
}

/** The first operation with this method whose path matches, with or without the base address before it. */
function findTarget(services: readonly Service[], method: string, path: string): Target | undefined {
  for (const service of services.filter(({ observed }) => observed)) {
    for (const environment of service.environments) {
      const within = path.startsWith(`${environment.base}/`) ? path.slice(environment.base.length) : path;
      for (const operation of Object.values(service.operations)) {
        const template = new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`);
        if (operation.method.toUpperCase() === method && template.test(within))
          return { service, environment, operation, path: within };
      }
    }
  }
  return undefined;
}

/** The exchange as finally recorded. Gates open by themselves, and a reply that hangs is not awaited. */
async function play(sandbox: LiveSandbox, request: Request): Promise<RecordedExchange> {
  let exchange: RecordedExchange | undefined;
  sandbox.journal.subscribe((entry) => {
    exchange = entry;
  });
  sandbox.fetch(request).catch(() => {}); // a wire fault: the journal shows it
  while (exchange === undefined) {
    for (const { gate } of sandbox.gates.waiting()) sandbox.gates.release(gate);
    await new Promise(setImmediate);
  }
  return exchange;
}

function report(exchange: RecordedExchange, rules: readonly RuleStatus[]): string {
  const { method, path, operation = "no operation" } = exchange;
  const lines = rules.map((rule) => {
    const trace = exchange.rules.find(({ rule: id }) => id === rule.id);
    return trace === undefined
      ? `  skipped  ${rule.id}: ${whyNotAsked(rule, exchange)}`
      : `  ${trace.outcome.padEnd(8)} ${rule.id}: ${trace.why}`;
  });
  const none = lines.length === 0 ? ["  The scenario has no rules."] : lines;
  return [`${method} ${path} is ${operation}; ${outcomeOf(exchange)}.`, ...none, ""].join("\n");
}

/** What the client gets, and of an answer that it does not get that it was made. */
function outcomeOf({ status, problem, fault, made, sent }: RecordedExchange): string {
  const refusal = problem === undefined ? "" : `, ${problem}`;
  const broken = fault === undefined ? "" : `, fault ${fault}`;
  const part = sent === undefined ? "" : `, ${sent.bytes} of the ${sent.of} bytes of its body are sent`;
  if (status !== undefined) return `the answer is ${status}${refusal}${broken}${part}`;
  return made === undefined
    ? `no answer is sent${broken}`
    : `no answer is sent${broken}; ${made}${refusal} was made`;
}

function whyNotAsked({ when, at }: RuleStatus, exchange: RecordedExchange): string {
  return isNamed(when, exchange) ? `the request ended before the stage "${at}"` : `it is for ${nameOf(when)}`;
}
