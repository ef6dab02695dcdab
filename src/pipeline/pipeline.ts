/** The life of a request, top to bottom. Each step continues or ends it with a problem or a rule's effect. */

import { type Exchange, openExchange } from "../http/exchange.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { JournalEntry } from "../journal/recorded-exchange.ts";
import { checkCredentials } from "../operation/credential-form.ts";
import type { AnyOperation } from "../operation/operation.ts";
import { type AnyReply, fail, isProblem, type Problem, reply } from "../operation/problem.ts";
import type { RenderContext, RenderedResponse } from "../operation/service.ts";
import { isValidReply } from "../operation/validate.ts";
import type { Effect, FaultKind } from "../rules/effect.ts";
import { createOriginWorld } from "../sandbox/origin.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import { type Commit, StorageError } from "./commit.ts";
import { type PartialCall, readInput } from "./input.ts";
import {
  applyEffect,
  completeResponse,
  createDefectResponse,
  type OutgoingResponse,
  withPreference,
  withSupportedFault,
  withWire,
} from "./outgoing-response.ts";
import { type Route, toSentPath } from "./route.ts";
import { withNearMiss } from "./unmatched.ts";

type PipelineOptions = {
  readonly commit: Commit | undefined;
  readonly access: { readonly faults?: readonly FaultKind[] | undefined };
};

/** `written`: a document, already rendered by its service. */
type RequestOutcome = AnyReply | { kind: "written"; rendered: RenderedResponse } | Problem | Effect;
type RequestRun = {
  readonly sandbox: SandboxCore;
  readonly route: Route;
  readonly asked: IncomingRequest;
  readonly context: RenderContext;
  readonly exchange: Exchange;
  /** Of the journal; the control API has none. */
  readonly entry: JournalEntry | undefined;
  /** What `Commit` had undone when the handler began, if it did. */
  undone: number | undefined;
};

/** Answers one request to one service in one world; without a promise where nothing has to be waited for. */
export function handleRequest(
  sandbox: SandboxCore,
  route: Route,
  asked: IncomingRequest,
  around: PipelineOptions,
): OutgoingResponse | Promise<OutgoingResponse> {
  return runSteps(processRequest(sandbox, route, asked, around));
}

function* processRequest(
  sandbox: SandboxCore,
  route: Route,
  asked: IncomingRequest,
  { commit, access }: PipelineOptions,
): Steps<OutgoingResponse> {
  const { world, journal } = sandbox;
  if (world.clock.hasDue) yield world.clock.runDue();
  const life = openRun(sandbox, route, asked);
  const { exchange } = life;
  let sent: OutgoingResponse;
  let made: number | undefined;
  try {
    const worked = (yield* applyStage("edge", life)) ?? (yield* runOperation(life, commit));
    const pending = commit?.flush(sandbox, life.undone);
    const outcome = pending === undefined ? worked : yield* awaitCommit(pending, worked, life);
    sent = yield* awaitValue(renderOutcome(life, outcome));
    if (outcome.kind !== "fault" && outcome.kind !== "gone") made = sent.status;
    const { length } = exchange.rules;
    const late = yield* applyStage("response", life, sent);
    // That a rule acted is part of what the answer shows; the work is stored either way.
    if (exchange.rules.length > length) yield* awaitValue(commit?.flush(sandbox, undefined)?.catch(() => {}));
    if (late !== undefined) sent = yield* awaitValue(renderOutcome(life, late, sent));
  } catch (defect) {
    sent = createDefectResponse(exchange, defect);
  }
  if (exchange.headers.has("prefer") && route.service.observed) sent = withPreference(sent, exchange);
  if (asked.isGone) exchange.gone = true;
  if (access.faults !== undefined) sent = withSupportedFault(sent, access.faults);
  if (route.operation === undefined && route.document === undefined)
    sent = withNearMiss(sandbox, route, exchange, sent);
  sent = completeResponse(sent, exchange, made);
  exchange.durationMs = world.wall.now() - (exchange.startedMs ?? 0);
  if (life.entry !== undefined) {
    journal.end(life.entry);
    sandbox.coverage.record(exchange);
  }
  return sent;
}

function openRun(sandbox: SandboxCore, route: Route, asked: IncomingRequest): RequestRun {
  const { world, journal } = sandbox;
  const { service, operation } = route;
  const exchange = openExchange({
    seq: service.observed ? journal.nextSeq() : 0,
    world: world.id,
    at: world.clock.now(),
    method: asked.method,
    path: toSentPath(route),
    suffix: route.suffix,
    search: asked.address.search,
    headers: asked.headers,
    base: route.base,
    origin: asked.address.origin,
    service: service.name,
    environment: route.environment.key,
    operation: operation === undefined ? undefined : route.name,
    params: operation === undefined ? NO_PARAMS : route.params,
    startedMs: world.wall.now(),
  });
  return {
    entry: service.observed ? journal.open(exchange) : undefined,
    sandbox,
    route,
    asked,
    exchange,
    undone: undefined,
    context: { exchange, operation, settings: sandbox.settingsOf(service) },
  };
}

const NO_PARAMS = Object.freeze({});

/** The rules of one stage; they never apply to the control API. */
function* applyStage(
  stage: "edge" | "handler" | "response",
  { sandbox, route, exchange, asked }: RequestRun,
  due?: OutgoingResponse,
): Steps<Effect | undefined> {
  if (!route.service.observed) return undefined;
  return yield* awaitValue(sandbox.ruleSet.apply(stage, exchange, due, asked));
}

/** From the route to the handler's outcome, in the contract's order: caller, media type, resource, input. */
function* runOperation(life: RequestRun, commit: Commit | undefined): Steps<RequestOutcome> {
  const { sandbox, route, asked, context, exchange } = life;
  const { service, environment, operation } = route;
  const { settings } = context;
  if (operation === undefined) {
    if (route.document === undefined) return service.codec.ownProblem(route.problem, context);
    const state = sandbox.getServiceState(service, environment);
    const base = () => service.observed && service.state(createOriginWorld(sandbox), environment, settings);
    const { document, params } = route;
    const rendered = yield* awaitValue(document({ context, service, state, base, params }));
    return isProblem(rendered) ? rendered : { kind: "written", rendered };
  }

  const caller = service.security[operation.security]?.authenticate?.({
    headers: asked.headers,
    world: sandbox.world,
    environment: environment.key,
    settings,
    exchange,
  });
  if (isProblem(caller)) {
    const finding = checkCredentials(asked.headers.get("authorization"));
    if (finding !== undefined) exchange.findings.push(finding);
    return preferOver(caller, life);
  }
  exchange.user = caller?.name;

  const media = service.codec.negotiate(context);
  if (typeof media !== "string") return preferOver(service.codec.ownProblem(media, context), life);
  exchange.media = media;

  const call: PartialCall = {
    params: exchange.params,
    query: exchange.query,
    body: undefined,
    resource: undefined,
    identity: caller?.identity,
    state: sandbox.getServiceState(service, environment),
    settings,
    now: exchange.at,
    exchange,
    client: asked,
    reply,
    fail,
  };
  const reading = readInput(service, operation, asked, context, call);
  if (reading instanceof Promise) exchange.waits = "body";
  const stopped = yield* awaitValue(reading);
  exchange.waits = undefined;
  if (stopped !== undefined) return preferOver(stopped, life);

  const effect = yield* applyStage("handler", life);
  if (effect !== undefined) return effect;
  // While the body arrived or a rule made the request wait, others may have changed or removed what its path names.
  call.resource = operation.resource?.(call);
  if (isProblem(call.resource)) return call.resource;

  if (commit !== undefined) life.undone = commit.undone;
  const { result, changes } = sandbox.world.store.transaction(() => operation.handle(call), isCommitted);
  exchange.changes = changes;
  return validateReply(operation, yield* awaitValue(result));
}

/** What the request prefers comes before its own errors. */
function preferOver(problem: Problem, { sandbox, route, exchange }: RequestRun): Problem | Effect {
  return (route.service.observed && sandbox.ruleSet.findPreferred("handler", exchange)) || problem;
}

/** A problem undoes what the handler wrote, unless it says otherwise. */
function isCommitted(outcome: unknown): boolean {
  return !isProblem(outcome) || outcome.keepsChanges === true;
}

/** Throws if a reply does not fit its declaration: a defect of ours, never shown as the service's answer. */
function validateReply(operation: AnyOperation, outcome: AnyReply | Problem): AnyReply | Problem {
  if (isProblem(outcome)) return outcome;
  const schema = operation.responses[outcome.status];
  if (schema === undefined)
    throw new Error(`${operation.method} ${operation.path} does not declare status ${outcome.status}`);
  if (!isValidReply(schema, outcome.value)) {
    const { error } = schema.safeParse(outcome.value);
    throw new Error(`${operation.method} ${operation.path} replied a wrong shape: ${error?.message}`);
  }
  return outcome;
}

/** The outcome once it is stored; a store that fails has undone all that the exchange wrote. */
function* awaitCommit(
  pending: Promise<void>,
  outcome: RequestOutcome,
  { route, exchange, context }: RequestRun,
): Steps<RequestOutcome> {
  exchange.waits = "store";
  try {
    yield pending;
    return outcome;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { message: title, isFull } = error;
    exchange.changes = [];
    exchange.findings.push({ key: "notStored", message: title });
    const problem = fail(isFull ? "storageFull" : "notStored", { title });
    return route.service.codec.ownProblem(problem, context);
  } finally {
    exchange.waits = undefined;
  }
}

/** Renders an outcome with the service's codec; an effect after the work is applied to the answer that was `due`. */
function renderOutcome(
  { route, context }: RequestRun,
  outcome: RequestOutcome,
  due?: OutgoingResponse,
): OutgoingResponse | Promise<OutgoingResponse> {
  const { codec } = route.service;
  const { exchange } = context;
  if (outcome.kind === "reply") return codec.render(outcome, context);
  if (outcome.kind === "written") return outcome.rendered;
  if (outcome.kind !== "problem") return applyEffect(outcome, exchange, due);
  exchange.problem = outcome.key;
  return withWire(codec.renderProblem(outcome, context), outcome);
}

/**
 * Yields the promises that it needs; while it meets none, it runs to its end at once and makes none of its own. So requests
 * that are sent in one tick do their work in that order: with `async` functions another could come in between.
 */
type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** The value, waited for if it is a promise. */
function* awaitValue<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // `runSteps` sends what the promise resolves with
}

/** Runs the steps: a promise of their result where one of them has to wait. */
function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  const step = steps.next();
  return step.done === true ? step.value : resumeSteps(steps, step.value);
}

async function resumeSteps<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let step: IteratorResult<Promise<unknown>, T> = { done: false, value: first };
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}
