/** Processes a request in steps, such as rules, authentication and handler. A step can end it with a problem or rule effect. */

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
import { endAfterHang } from "./hang.ts";
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

/** Result of a request before rendering. `written`: a document, such as the OpenAPI document, that is already rendered. */
type RequestOutcome = AnyReply | { kind: "written"; rendered: RenderedResponse } | Problem | Effect;
type RequestRun = {
  readonly sandbox: SandboxCore;
  readonly route: Route;
  readonly request: IncomingRequest;
  readonly context: RenderContext;
  readonly exchange: Exchange;
  /** Undefined for the control API: the journal does not record it. */
  readonly entry: JournalEntry | undefined;
  /** Value of `commit.undone` when the handler started. A different value at the commit reveals a rollback in between. */
  undone: number | undefined;
};

/** Handles a request to a service in a world. Returns synchronously if no step has to wait. */
export function handleRequest(
  sandbox: SandboxCore,
  route: Route,
  request: IncomingRequest,
  options: PipelineOptions,
): OutgoingResponse | Promise<OutgoingResponse> {
  return runSteps(processRequest(sandbox, route, request, options));
}

function* processRequest(
  sandbox: SandboxCore,
  route: Route,
  request: IncomingRequest,
  { commit, access }: PipelineOptions,
): Steps<OutgoingResponse> {
  const { world } = sandbox;
  if (world.clock.hasDue) yield world.clock.runDue();
  const run = openRun(sandbox, route, request);
  const { exchange } = run;
  let sent: OutgoingResponse;
  let made: number | undefined;
  try {
    const result = (yield* applyStage("edge", run)) ?? (yield* runOperation(run, commit));
    const pending = commit?.flush(sandbox, run.undone);
    const outcome = pending === undefined ? result : yield* awaitCommit(pending, result, run);
    sent = yield* awaitValue(renderOutcome(run, outcome));
    if (outcome.kind !== "fault" && outcome.kind !== "gone") made = sent.status;
    const { length } = exchange.rules;
    const late = yield* applyStage("response", run, sent);
    // Stores the counters that the rules changed. Ignores a failed write, because the data of the request is already stored.
    if (exchange.rules.length > length) yield* awaitValue(commit?.flush(sandbox, undefined)?.catch(() => {}));
    if (late !== undefined) sent = yield* awaitValue(renderOutcome(run, late, sent));
  } catch (defect) {
    sent = createDefectResponse(exchange, defect);
  }
  if (exchange.headers.has("prefer") && route.service.observed) sent = withPreference(sent, exchange);
  if (request.isGone) exchange.gone = true;
  if (access.faults !== undefined) sent = withSupportedFault(sent, access.faults);
  if (route.operation === undefined && route.document === undefined)
    sent = withNearMiss(sandbox, route, exchange, sent);
  sent = completeResponse(sent, exchange, made);
  if (run.entry === undefined) return sent;
  if (exchange.fault === "hang") void endAfterHang(run.entry, sandbox, request);
  else {
    exchange.durationMs = world.wall.now() - (exchange.startedMs ?? 0);
    sandbox.journal.end(run.entry);
  }
  sandbox.coverage.record(exchange);
  return sent;
}

function openRun(sandbox: SandboxCore, route: Route, request: IncomingRequest): RequestRun {
  const { world, journal } = sandbox;
  const { service, operation } = route;
  const exchange = openExchange({
    seq: service.observed ? journal.nextSeq() : 0,
    world: world.id,
    at: world.clock.now(),
    method: request.method,
    path: toSentPath(route),
    suffix: route.suffix,
    search: request.address.search,
    headers: request.headers,
    base: route.base,
    origin: request.address.origin,
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
    request,
    exchange,
    undone: undefined,
    context: { exchange, operation, settings: sandbox.settingsOf(service) },
  };
}

const NO_PARAMS = Object.freeze({});

/** Applies the rules of a stage. Rules never apply to the control API. */
function* applyStage(
  stage: "edge" | "handler" | "response",
  { sandbox, route, exchange, request }: RequestRun,
  due?: OutgoingResponse,
): Steps<Effect | undefined> {
  if (!route.service.observed) return undefined;
  return yield* awaitValue(sandbox.ruleSet.apply(stage, exchange, due, request));
}

/** Runs an operation: authenticates the caller, negotiates the media type, reads the input, calls the handler. */
function* runOperation(run: RequestRun, commit: Commit | undefined): Steps<RequestOutcome> {
  const { sandbox, route, request, context, exchange } = run;
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
    headers: request.headers,
    world: sandbox.world,
    environment: environment.key,
    settings,
    exchange,
  });
  if (isProblem(caller)) {
    const finding = checkCredentials(request.headers.get("authorization"));
    if (finding !== undefined) exchange.findings.push(finding);
    return preferOver(caller, run);
  }
  exchange.user = caller?.name;

  const media = service.codec.negotiate(context);
  if (typeof media !== "string") return preferOver(service.codec.ownProblem(media, context), run);
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
    client: request,
    reply,
    fail,
  };
  const reading = readInput(service, operation, request, context, call);
  if (reading instanceof Promise) exchange.waits = "body";
  const stopped = yield* awaitValue(reading);
  exchange.waits = undefined;
  if (stopped !== undefined) return preferOver(stopped, run);

  const effect = yield* applyStage("handler", run);
  if (effect !== undefined) return effect;
  // Loads the resource again: other requests may have changed it while this one waited for its body or a rule.
  call.resource = operation.resource?.(call);
  if (isProblem(call.resource)) return call.resource;

  if (commit !== undefined) run.undone = commit.undone;
  const { result, changes } = sandbox.world.store.transaction(() => operation.handle(call), isCommitted);
  exchange.changes = changes;
  return validateReply(operation, yield* awaitValue(result));
}

/** Returns the effect that the request's Prefer header selects. Without such an effect, returns the problem. */
function preferOver(problem: Problem, { sandbox, route, exchange }: RequestRun): Problem | Effect {
  return (route.service.observed && sandbox.ruleSet.findPreferred("handler", exchange)) || problem;
}

/** Whether to commit the transaction. A problem rolls it back, unless `keepsChanges` is set. */
function isCommitted(outcome: unknown): boolean {
  return !isProblem(outcome) || outcome.keepsChanges === true;
}

/** Throws if the operation does not declare the status of the reply, or if the reply does not match its schema. */
function validateReply(operation: AnyOperation, outcome: AnyReply | Problem): AnyReply | Problem {
  if (isProblem(outcome)) return outcome;
  const schema = operation.responses[outcome.status];
  if (schema === undefined)
    throw new Error(`${operation.method} ${operation.path} does not declare status ${outcome.status}`);
  if (!isValidReply(schema, outcome.value)) {
    const { error } = schema.safeParse(outcome.value);
    throw new Error(`${operation.method} ${operation.path} returned an invalid body: ${error?.message}`);
  }
  return outcome;
}

/** Waits until the changes are stored. Returns a problem if the write failed and was rolled back. */
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

/** Renders a reply or problem with the service's codec. Applies the effect of a rule to the response `due`. */
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

/** Yields promises to wait for, and runs synchronously in between. Requests that arrive in one tick thus run in order. */
type Steps<T> = Generator<Promise<unknown>, T, unknown>;

function* awaitValue<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value; // Safe cast: `resumeSteps` passes the resolved value.
}

/** Runs the steps. Returns a promise if a step has to wait. */
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
