/** Defines an endpoint: its route, its work, and the methods of `Controls` that call it. Everything else is read from these. */

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

/** The methods in groups, `clock.advance`, but for those of collections. */
type GroupMethods = {
  readonly [G in Exclude<keyof AllControls, "data">]: AllControls[G] extends AnyMethod
    ? { readonly [K in G]: AllControls[G] }
    : { readonly [K in keyof AllControls[G] & string as `${G}.${K}`]: AllControls[G][K] };
};
/** Those of collections, whose first argument says which one. */
type CollectionEndpoints = {
  readonly [K in Exclude<keyof CollectionMethods, "get"> as `data.${K}`]: (
    at: { readonly service: string; readonly collection: string },
    ...args: Parameters<CollectionMethods[K]>
  ) => ReturnType<CollectionMethods[K]>;
};
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;
type ControlMethods = UnionToIntersection<GroupMethods[keyof GroupMethods]> & CollectionEndpoints;

/** `clock.advance`, `use`, `data.upsert`, … */
export type MethodName = keyof ControlMethods;

export type MethodRequest = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

/** The controls of other worlds of the same sandbox. */
export type RemoteWorlds = { at(world: string): RemoteWorld };

/** How another process calls a method: what it sends for its arguments, and what the answer means. */
type RemoteCall<F, A> = F extends (...args: infer Args) => infer R
  ? {
      /** Left out: nothing is sent. */
      readonly request?: (...args: Args) => MethodRequest;
    } & (Awaited<R> extends void
      ? A extends undefined
        ? { readonly result?: undefined }
        : { readonly result: typeof discard }
      : A extends Awaited<R>
        ? { readonly result?: (answer: A, remote: RemoteWorlds) => Awaited<R> }
        : { readonly result: (answer: A, remote: RemoteWorlds) => Awaited<R> })
  : never;

/** For a method that returns nothing of what the route answers. */
export const discard = (): void => {};

type RemoteCalls<A> = { readonly [N in MethodName]?: RemoteCall<ControlMethods[N], A> };

type EndpointCall<P extends Shape, Q extends Shape, B extends z.ZodType> = {
  /** The controls of the addressed world. */
  readonly sandbox: LocalSandbox;
  readonly params: { readonly [K in keyof P]: z.output<P[K]> };
  readonly query: { readonly [K in keyof Q]: z.output<Q[K]> };
  readonly body: z.output<B>;
  readonly exchange: Exchange;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
};

/** What a row answers; nothing where it has no answer. */
type EndpointResult<T> = T extends undefined ? void | Promise<void> : T | Promise<T>;

type EndpointDefinition<
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType,
  A extends z.ZodType,
  V extends RemoteCalls<z.output<A>>,
> = {
  /** `POST /clock/advance` */
  readonly route: `${Uppercase<Method>} /${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Anybody may ask, whatever the sandbox asks of others. */
  readonly isOpen?: true;
  readonly params?: P;
  readonly query?: Q;
  /** Left out: of a change an empty object, of what only reads nothing. */
  readonly body?: B;
  readonly limitBytes?: number;
  readonly mostMembers?: number;
  /** Checks of the body that need the world. */
  readonly check?: (call: {
    readonly body: Partial<z.output<B>>;
    readonly sandbox: LocalSandbox;
  }) => readonly ValidationIssue[];
  /** The schema of the answer; left out: there is none, 204. */
  readonly answer?: A;
  /** Whether the answer is something new, 201; and where it has one, its path below the world's control API. */
  readonly created?: true | ((answer: z.output<A>) => string);
  /** What can go wrong beside an input that is not valid. */
  readonly problems?: readonly ProblemKey[];
  /** Throws a UsageError for a mistake; what was written before is undone. */
  readonly run: (call: EndpointCall<P, Q, B>) => EndpointResult<z.output<A>>;
  readonly methods: V;
  /** Without a sandbox: the example of the document, which shows no state. */
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
>(row: EndpointDefinition<P, Q, B, A, V>): { readonly operation: AnyOperation; readonly methods: V } {
  const [, method = "", path = ""] = /^(\S+) (\S+)$/.exec(row.route) ?? [];
  const isChange = /^(POST|PUT|PATCH)$/.test(method);
  const body = row.body ?? (isChange ? EmptyBody : undefined);
  const answer = row.answer ?? noContent;
  const status = row.answer === undefined ? 204 : row.created === undefined ? 200 : 201;
  const operation: AnyOperation = {
    method: method.toLowerCase() as Method, // as the route's type has it
    path,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tag: row.tag,
    source: SOURCE,
    security: row.isOpen === true ? "none" : "guard",
    request: {
      params: row.params === undefined ? noFields : z.object(row.params),
      query: row.query === undefined ? noFields : z.object(row.query),
      body,
      accepts: undefined,
      limitBytes: row.limitBytes,
      mostMembers: row.mostMembers,
    },
    responses: { [status]: answer },
    headers: typeof row.created === "function" ? { Location: "The path of what was created." } : {},
    // Every endpoint refuses unknown parameters of the query.
    problems: [...(body === undefined ? [] : BODY_PROBLEMS), "invalidInput", ...(row.problems ?? [])],
    invalid: undefined,
    resource: undefined,
    rules:
      row.check === undefined
        ? {}
        : { body: ({ body, state }) => row.check?.({ body, sandbox: state } as never) ?? [] },
    handle(call) {
      const toReply = (value: unknown): AnyReply => {
        const { created } = row;
        if (typeof created !== "function") return reply(status, value, {});
        return reply(status, value, { Location: call.exchange.base + created(value as never) });
      };
      const toProblem = (error: unknown): Problem => toEndpointProblem(error, operation);
      try {
        const { state, client } = call;
        // The pipeline has read the input with the schemas of this row.
        const result = row.run({ ...call, sandbox: state, signal: client.signal } as never);
        return result instanceof Promise ? result.then(toReply).catch(toProblem) : toReply(result);
      } catch (error) {
        return toProblem(error);
      }
    },
    example: (state) =>
      row.example?.((state || undefined) as LocalSandbox | undefined) ??
      (body === EmptyBody ? { body: {} } : {}),
  };
  return { operation: Object.freeze(operation), methods: row.methods };
}

const EmptyBody = z.object({}).meta({ id: "Nothing", description: "An empty object." });

const BODY_PROBLEMS: readonly ProblemKey[] = ["malformedBody", "bodyTooLarge", "unsupportedMedia"];

/** An unknown name is 404 where it is in the path; in query or body it is invalid input. */
function toEndpointProblem(error: unknown, { request: { params } }: AnyOperation): Problem {
  if (!(error instanceof UsageError)) throw error;
  const { code, message, place } = error;
  const isInPath = Object.hasOwn(params.shape, place.pointer?.slice(1) ?? "");
  const pointer = isInPath ? "" : (place.pointer ?? "");
  const isInput = toProblemKey(code) === "unknownName" && pointer !== "";
  const issue = { path: parsePointer(pointer), message, code };
  return fail(isInput ? "invalidInput" : toProblemKey(code), { title: message, issues: [issue] });
}
