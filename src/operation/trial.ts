/**
 * What an operation answers to a request, tried in a world of its own whose changes are lost: the examples of an
 * OpenAPI document are such answers. Knows neither bytes nor rules.
 */

import type { AnyCall, AnyOperation, Example } from "./operation.ts";
import { type AnyReply, fail, invalidInput, isProblem, type Problem, reply } from "./problem.ts";
import type { RenderContext, Service } from "./service.ts";
import { validate } from "./validate.ts";

export type Trial = {
  readonly service: Service;
  /** A new copy of the state, as it is now. */
  readonly scratch: () => unknown;
  /** Who asks. */
  readonly identity: unknown;
  /** Of the exchange that the document answers. */
  readonly context: RenderContext;
};

type Filling = { -readonly [K in keyof AnyCall]: AnyCall[K] };
const WHERE = { params: "path", query: "query", body: "body" } as const;

/** The operation's reply or refusal; undefined where it would have to wait. `state` is changed by it. */
export function attempt(
  trial: Trial,
  operation: AnyOperation,
  { params = {}, query = {}, body }: Example,
  state = trial.scratch(),
): AnyReply | Problem | undefined {
  const { settings } = trial.context;
  const exchange = { ...trial.context.exchange, findings: [], search: "", params, query, body };
  const context: RenderContext = { exchange, operation, settings };
  const { identity } = trial;
  const { at: now } = exchange;
  const call: Filling = {
    params,
    query,
    body: undefined,
    resource: undefined,
    identity,
    state,
    settings,
    client: new AbortController(),
    now,
    exchange,
    reply,
    fail,
  };
  const wrong = check("params", params) ?? check("query", query);
  if (wrong !== undefined) return wrong;
  call.resource = operation.resource?.(call);
  if (isProblem(call.resource)) return call.resource;
  const wrongBody = operation.request.body === undefined ? undefined : check("body", body);
  if (wrongBody !== undefined) return wrongBody;
  const answer = operation.handle(call);
  return answer instanceof Promise ? undefined : answer;

  function check(part: keyof typeof WHERE, raw: unknown): Problem | undefined {
    const { request, rules } = operation;
    const own = part === "params" ? undefined : rules[part];
    const { issues } = validate(request[part] ?? request.params, raw, WHERE[part], (right) => {
      call[part] = right as Filling["params"]; // an object, where it is not the body
      return own?.(call) ?? [];
    });
    return issues && trial.service.codec.ownProblem(invalidInput(issues), context);
  }
}
