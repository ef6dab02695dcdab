/** Defines endpoints of the control API: route, handler, and the methods of `Controls` that call them. */

import { z } from "zod";
import { UsageError } from "../errors/usage-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { parsePointer } from "../http/json-pointer.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import {
  type AnyOperation,
  type Example,
  type Method,
  noContent,
  noFields,
  type Shape,
} from "../operation/operation.ts";
import { type AnyReply, fail, type Problem, reply } from "../operation/problem.ts";
import type { CollectionMethods, LocalSandbox, RemoteWorld, WorldMethods } from "../sandbox/controls.ts";
import { type ProblemKey, SOURCE, toProblemKey } from "./problems.ts";

type AnyMethod = (...args: never[]) => unknown;
type AllControls = WorldMethods<RemoteWorld>;

/** All methods except collection methods, under full names such as `clock.advance`. */
type GroupMethods = {
  readonly [G in Exclude<keyof AllControls, "data">]: AllControls[G] extends AnyMethod
    ? { readonly [K in G]: AllControls[G] }
    : { readonly [K in keyof AllControls[G] & string as `${G}.${K}`]: AllControls[G][K] };
};
/** Methods of collections. The first argument names the collection. */
type CollectionEndpoints = {
  readonly [K in Exclude<keyof CollectionMethods, "get"> as `data.${K}`]: (
    at: { readonly service: string; readonly collection: string },
    ...args: Parameters<CollectionMethods[K]>
  ) => ReturnType<CollectionMethods[K]>;
};
type UnionToIntersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;
type ControlMethods = UnionToIntersection<GroupMethods[keyof GroupMethods]> & CollectionEndpoints;

/** Full name of a method: `clock.advance`, `use`, `data.upsert`, … */
export type MethodName = keyof ControlMethods;

export type MethodRequest = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

/** Access to the other worlds of the same sandbox. */
export type RemoteWorlds = { at(world: string): RemoteWorld };

/** Converts the arguments of a method to an HTTP request, and the response body to its result. */
type RemoteCall<F, A> = F extends (...args: infer Args) => infer R
  ? {
      /** Builds the HTTP request. Default: no parameters, and an empty object if the endpoint takes a body. */
      readonly request?: (...args: Args) => MethodRequest;
    } & (Awaited<R> extends void
      ? A extends undefined
        ? { readonly result?: undefined }
        : { readonly result: typeof discard }
      : A extends Awaited<R>
        ? { readonly result?: (answer: A, remote: RemoteWorlds) => Awaited<R> }
        : { readonly result: (answer: A, remote: RemoteWorlds) => Awaited<R> })
  : never;

/** Value of `result` for a method that ignores the response body. */
export const discard = (): void => {};

type RemoteCalls<A> = { readonly [N in MethodName]?: RemoteCall<ControlMethods[N], A> };

type EndpointCall<P extends Shape, Q extends Shape, B extends z.ZodType> = {
  readonly sandbox: LocalSandbox;
  readonly params: { readonly [K in keyof P]: z.output<P[K]> };
  readonly query: { readonly [K in keyof Q]: z.output<Q[K]> };
  readonly body: z.output<B>;
  readonly exchange: Exchange;
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal;
};

type EndpointResult<T> = T extends undefined ? void | Promise<void> : T | Promise<T>;

type EndpointDefinition<
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType,
  A extends z.ZodType,
  V extends RemoteCalls<z.output<A>>,
> = {
  readonly route: `${Uppercase<Method>} /${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** If set, the OpenAPI document shows that no control token is needed. It does not change the check itself: see `guard.ts`. */
  readonly isOpen?: true;
  readonly params?: P;
  readonly query?: Q;
  /** Schema of the request body. Default: an empty object for POST, PUT and PATCH, no body for other methods. */
  readonly body?: B;
  readonly limitBytes?: number;
  readonly mostMembers?: number;
  /** Validates the body against the state of the world. */
  readonly check?: (call: {
    readonly body: Partial<z.output<B>>;
    readonly sandbox: LocalSandbox;
  }) => readonly ValidationIssue[];
  /** Schema of the response body. Default: no body, status 204. */
  readonly answer?: A;
  /** If set, the status is 201. A function returns the path for the `Location` header, relative to the control API. */
  readonly created?: true | ((answer: z.output<A>) => string);
  /** Problems in addition to those for an invalid body or input. */
  readonly problems?: readonly ProblemKey[];
  /** Executes the call. A UsageError becomes a problem; if `run` is synchronous, the pipeline then rolls back changes of the data. */
  readonly run: (call: EndpointCall<P, Q, B>) => EndpointResult<z.output<A>>;
  readonly methods: V;
  /** Builds an example call. `sandbox` is undefined for the OpenAPI document and MCP tools. */
  readonly example?: (sandbox: LocalSandbox | undefined) => Example;
};

export type AnyEndpoint = {
  readonly operation: AnyOperation;
  readonly methods: Readonly<Record<string, AnyRemoteCall>>;
};
export type AnyRemoteCall = {
  readonly request?: (...args: readonly unknown[]) => MethodRequest;
  readonly result?: (answer: unknown, remote: RemoteWorlds) => unknown;
};

export function defineEndpoint<
  const P extends Shape = Record<never, never>,
  const Q extends Shape = Record<never, never>,
  B extends z.ZodType = z.ZodUndefined,
  A extends z.ZodType = z.ZodUndefined,
  const V extends RemoteCalls<z.output<A>> = RemoteCalls<z.output<A>>,
>(endpoint: EndpointDefinition<P, Q, B, A, V>): { readonly operation: AnyOperation; readonly methods: V } {
  const [, method = "", path = ""] = /^(\S+) (\S+)$/.exec(endpoint.route) ?? [];
  const isChange = /^(POST|PUT|PATCH)$/.test(method);
  const body = endpoint.body ?? (isChange ? EmptyBody : undefined);
  const answer = endpoint.answer ?? noContent;
  const status = endpoint.answer === undefined ? 204 : endpoint.created === undefined ? 200 : 201;
  const operation: AnyOperation = {
    method: method.toLowerCase() as Method, // Safe cast: the type of `route` begins with a method.
    path,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tag: endpoint.tag,
    source: SOURCE,
    security: endpoint.isOpen === true ? "none" : "guard",
    request: {
      params: endpoint.params === undefined ? noFields : z.object(endpoint.params),
      query: endpoint.query === undefined ? noFields : z.object(endpoint.query),
      body,
      accepts: undefined,
      limitBytes: endpoint.limitBytes,
      mostMembers: endpoint.mostMembers,
    },
    responses: { [status]: answer },
    headers: typeof endpoint.created === "function" ? { Location: "The path of what was created." } : {},
    // Every endpoint rejects unknown query parameters with `invalidInput`.
    problems: [...(body === undefined ? [] : BODY_PROBLEMS), "invalidInput", ...(endpoint.problems ?? [])],
    invalid: undefined,
    resource: undefined,
    rules:
      endpoint.check === undefined
        ? {}
        : { body: ({ body, state }) => endpoint.check?.({ body, sandbox: state } as never) ?? [] },
    handle(call) {
      const toReply = (value: unknown): AnyReply => {
        const { created } = endpoint;
        if (typeof created !== "function") return reply(status, value, {});
        return reply(status, value, { Location: call.exchange.base + created(value as never) });
      };
      const toProblem = (error: unknown): Problem => toEndpointProblem(error, operation);
      try {
        const { state, client } = call;
        // Safe cast: the pipeline parsed the input with the schemas of this endpoint.
        const result = endpoint.run({ ...call, sandbox: state, signal: client.signal } as never);
        return result instanceof Promise ? result.then(toReply).catch(toProblem) : toReply(result);
      } catch (error) {
        return toProblem(error);
      }
    },
    example: (state) =>
      endpoint.example?.((state || undefined) as LocalSandbox | undefined) ??
      (body === EmptyBody ? { body: {} } : {}),
  };
  return { operation: Object.freeze(operation), methods: endpoint.methods };
}

const EmptyBody = z.object({}).meta({ id: "Nothing", description: "An empty object." });

const BODY_PROBLEMS: readonly ProblemKey[] = ["malformedBody", "bodyTooLarge", "unsupportedMedia"];

/** Converts a UsageError to a problem. An unknown name in the path becomes a 404, in query or body `invalidInput`. */
function toEndpointProblem(error: unknown, { request: { params } }: AnyOperation): Problem {
  if (!(error instanceof UsageError)) throw error;
  const { code, message, place } = error;
  const isInPath = Object.hasOwn(params.shape, place.pointer?.slice(1) ?? "");
  const pointer = isInPath ? "" : (place.pointer ?? "");
  const isInput = toProblemKey(code) === "unknownName" && pointer !== "";
  const issue = { path: parsePointer(pointer), message, code };
  return fail(isInput ? "invalidInput" : toProblemKey(code), { title: message, issues: [issue] });
}
