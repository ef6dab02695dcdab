/**
 * The life of a request, top to bottom. Each step either continues or ends the work with a problem or a
 * rule's effect; the service's codec renders whatever ends it. Independent of services and sockets.
 */

import { mountsBeside, NEAR_MISS_HEADER, nearMiss } from "../journal/near-miss.ts";
import type { Exchange } from "../operation/exchange.ts";
import { type AnyOperation, type AnyReply, reply } from "../operation/operation.ts";
import { fail, isProblem, type Problem, type StandardProblem } from "../operation/problem.ts";
import { problemJson } from "../operation/problem-json.ts";
import type { RenderContext, Rendered, Service } from "../operation/service.ts";
import { type Effect, isEffect } from "../rules/effect.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { toInput } from "./input.ts";
import { openExchange, type Route } from "./route.ts";
import { overlay, type Sent, toResponse, withWire } from "./sent.ts";

/** A document, already rendered by its service. */
type Written = { readonly kind: "written"; readonly rendered: Rendered };
type Outcome = AnyReply | Written | Problem | Effect;

/** Answers one request to one service in one world. */
export async function answer(sandbox: Sandbox, route: Route, request: Request): Promise<Response> {
  const { journal, coverage, world } = sandbox;
  await world.clock.runDue();
  const startedMs = world.wall.now();
  const { generation } = journal;
  const exchange = openExchange(sandbox, route, request);
  const context: RenderContext = {
    exchange,
    operation: route.operation,
    settings: sandbox.settingsOf(route.service),
  };
  const signal = (): AbortSignal => request.signal;
  let sent: Sent;
  try {
    const outcome =
      (await sandbox.rules.apply("edge", exchange, { signal })) ??
      (await work(sandbox, route, request, context));
    sent = await render(route.service, outcome, context);
    const late = await sandbox.rules.apply("response", exchange, { signal, due: sent });
    if (late !== undefined) sent = await render(route.service, late, context, sent);
  } catch (defect) {
    sent = defectReply(exchange, defect);
  }
  if (route.operation === undefined && route.document === undefined)
    sent = withNearMiss(sandbox, route, exchange, sent);
  const response = toResponse(sent, exchange);
  exchange.startedMs = startedMs;
  exchange.durationMs = world.wall.now() - startedMs;
  if (route.service.observed) {
    journal.record(exchange, generation);
    coverage.record(exchange);
  }
  return response;
}

/** From the route to the handler's outcome, in the contract's order: caller, media type, resource, input. */
async function work(
  sandbox: Sandbox,
  route: Route,
  request: Request,
  context: RenderContext,
): Promise<Outcome> {
  const { service, environment, operation } = route;
  const { exchange, settings } = context;
  const own = (problem: StandardProblem): Problem => service.codec.ownProblem(problem, context);
  if (operation === undefined) {
    if (route.document === undefined) return own(route.problem);
    const state = sandbox.stateOf(service, environment);
    const rendered = route.document({ context, service, state, params: route.params });
    return isProblem(rendered) ? rendered : { kind: "written", rendered };
  }

  const scheme = service.security[operation.security];
  const caller = scheme?.authenticate({
    headers: request.headers,
    world: sandbox.world,
    environment: environment.key,
    settings,
    exchange,
  });
  if (isProblem(caller)) return caller;
  if (caller !== undefined) exchange.identity = caller.name;

  const media = service.codec.negotiate(context);
  if (typeof media !== "string") return own(media);
  exchange.media = media;

  const state = sandbox.stateOf(service, environment);
  const early = { identity: caller?.identity, state, settings, now: exchange.at, exchange, fail };
  const input = await toInput(service, operation, request, context, early);
  if (isProblem(input)) return input;

  const effect = await sandbox.rules.apply("handler", exchange, { signal: () => request.signal });
  if (effect !== undefined) return effect;

  const call = { ...early, ...input, reply };
  const { result, changes } = sandbox.world.store.transaction(
    () => operation.handle(call),
    (outcome) => !isProblem(outcome) || outcome.keepsChanges === true,
  );
  exchange.changes = changes;
  return verified(operation, await result);
}

/** Throws if a reply does not fit its declaration: a defect of ours, never shown as the service's answer. */
function verified(operation: AnyOperation, outcome: AnyReply | Problem): AnyReply | Problem {
  if (isProblem(outcome)) return outcome;
  const schema = operation.responses[outcome.status];
  if (schema === undefined)
    throw new Error(`${operation.method} ${operation.path} does not declare status ${outcome.status}`);
  const check = schema.safeParse(outcome.value);
  if (!check.success)
    throw new Error(`${operation.method} ${operation.path} replied a wrong shape: ${check.error.message}`);
  return outcome;
}

/** Renders an outcome with the service's codec; an effect after the work is applied to the answer that was `due`. */
async function render(
  { codec }: Service,
  outcome: Outcome,
  context: RenderContext,
  due?: Sent,
): Promise<Sent> {
  if (isEffect(outcome) && outcome.kind !== "problem") return overlay(outcome, context.exchange, due);
  if (outcome.kind === "reply") return codec.render(outcome, context);
  if (outcome.kind === "written") return outcome.rendered;
  context.exchange.problem = outcome.key;
  return withWire(codec.renderProblem(outcome, context), outcome);
}

/** Adds to the answer which operation was closest, and what differs. */
function withNearMiss(sandbox: Sandbox, route: Route, exchange: Exchange, sent: Sent): Sent {
  const { method, base, path } = exchange;
  const near = nearMiss(mountsBeside(sandbox.services, route), { method, path: base + path });
  if (near === undefined) return sent;
  exchange.findings.push({ key: "nearMiss", message: near.message });
  return { ...sent, headers: { ...sent.headers, [NEAR_MISS_HEADER]: near.message } };
}

/** 500, marked as the simulator's own; the stack stays in the journal. */
function defectReply(exchange: Exchange, defect: unknown): Sent {
  const stack = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
  exchange.findings.push({ key: "defect", message: stack });
  const title = "A defect of the sandbox itself; the journal has the details.";
  const members = { type: "urn:vitrine:defect", title, exchange: exchange.seq };
  return problemJson(500, members, { "x-vitrine-defect": "1" });
}
