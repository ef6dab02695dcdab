/** Declares operations. A handler that returns an undeclared status, problem or body does not compile. */

import { z } from "zod";
import type { Exchange } from "../http/exchange.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { Timestamp } from "../world/time.ts";
import type { ValidationIssue } from "./issue.ts";
import type { AnyReply, Catalogue, Problem, ProblemDetails, reply } from "./problem.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type Shape = Readonly<Record<string, z.ZodType>>;
/** Schemas of the response bodies, by success status. `noContent` means no body. */
export type Responses = Readonly<Record<number, z.ZodType>>;
type MaybePromise<T> = T | Promise<T>;

export const noContent = z.undefined();
/** Schema of a path or query without parameters. */
export const noFields = z.object({});

/** Types that the operations of one service share. */
export type ServiceTypes = {
  readonly problems: Catalogue;
  readonly state: unknown;
  readonly identity: unknown;
  readonly settings: unknown;
  /** Statuses of responses to rejected credentials. Default: 401. */
  readonly refusesCallers?: number;
  /** Type of error bodies in the typed client. Default: unknown. */
  readonly refusal?: unknown;
};

/** Types of one declared operation, for its handler, its checks and the typed client. */
export type Declaration = {
  readonly security: string;
  readonly params: Shape;
  readonly query: Shape;
  readonly body: z.ZodType;
  readonly responses: Responses;
  readonly problems: string;
};

type ShapeValues<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> };

/** A success response: a declared status, and a value that matches the schema of this status. */
export type Reply<R extends Responses = Responses> = {
  [S in keyof R & number]: {
    readonly kind: "reply";
    readonly status: S;
    readonly value: z.output<R[S]>;
    readonly headers: Readonly<Record<string, string>>;
  };
}[keyof R & number];

type ReplyFunction<R extends Responses> = <S extends keyof R & number>(
  status: S,
  ...value: undefined extends z.output<R[S]>
    ? []
    : [value: z.output<R[S]>, headers?: Readonly<Record<string, string>>]
) => Reply<{ readonly [T in S]: R[T] }>;

/** The part of a handler's argument that is known before the body is read. */
export type EarlyCall<
  L extends ServiceTypes,
  D extends Pick<Declaration, "security" | "params" | "problems">,
> = {
  readonly params: ShapeValues<D["params"]>;
  readonly identity: D["security"] extends "none" ? undefined : L["identity"];
  readonly state: L["state"];
  readonly settings: L["settings"];
  readonly now: Timestamp;
  readonly exchange: Exchange;
  readonly fail: <Key extends D["problems"]>(problem: Key, details?: ProblemDetails) => Problem<Key>;
};

/** The argument of a handler. `S` is the type of the resource that the path identifies. */
type HandlerCall<L extends ServiceTypes, D extends Declaration, S> = EarlyCall<L, D> & {
  readonly query: ShapeValues<D["query"]>;
  readonly body: z.output<D["body"]>;
  readonly resource: S;
  readonly client: Pick<IncomingRequest, "signal">;
  readonly reply: ReplyFunction<D["responses"]>;
};

/** A valid request and its success response, built from a state of the service. For OpenAPI documents, `explain` and tests. */
export type Example = {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: unknown;
  /** Value of the success response. If undefined, the OpenAPI document shows no example response. */
  readonly reply?: unknown;
};

type OperationInfo<Settings = never> = {
  readonly method: Method;
  /** Relative to the base URL, with parameters in braces: `/special-events/{eventId}`. */
  readonly path: string;
  readonly summary: string;
  /** Description in the OpenAPI document. A function creates it from the settings. */
  readonly description?: string | ((settings: Settings) => string);
  /** Group of the operation in OpenAPI documents. */
  readonly tag: string;
  /** Section of the service's document that describes the operation, `Assumed: …`, or both. */
  readonly source: string;
};

type OperationSpec<L extends ServiceTypes, D extends Declaration, S> = OperationInfo<L["settings"]> & {
  /** Name of a security scheme of the service, or `none`. */
  readonly security: D["security"];
  readonly request?: {
    readonly params?: D["params"];
    readonly query?: D["query"];
    readonly body?: D["body"];
    /** Accepted media types of the body. The OpenAPI document shows only the first. Default: the media types of the codec. */
    readonly accepts?: readonly string[];
    /** Maximum size of the body in bytes. Default: the limit of the service. */
    readonly limitBytes?: number;
    /** Maximum number of members in all objects and lists of the body. Default: 50,000. */
    readonly mostMembers?: number;
  };
  readonly responses: D["responses"];
  /** Descriptions of the headers of a success response, by header name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Keys of the problems that the operation can return, besides the problems of its security scheme. */
  readonly problems: readonly D["problems"][];
  /** Key of the problem that reports invalid input. */
  readonly invalid?: D["problems"];
  /** Loads the resource that the path identifies. Runs before the body is read, so that an unknown resource is reported first. */
  readonly resource?: (call: EarlyCall<L, D>) => S | Problem<D["problems"]>;
  /** Checks that need settings or state. They receive only valid fields. Their issues are reported with the schema's issues. */
  readonly rules?: {
    readonly query?: (
      call: EarlyCall<L, D> & { readonly query: Partial<ShapeValues<D["query"]>> },
    ) => readonly ValidationIssue[];
    readonly body?: (
      call: EarlyCall<L, D> & { readonly body: Partial<z.output<D["body"]>> },
    ) => readonly ValidationIssue[];
  };
  readonly handle: (
    call: HandlerCall<L, D, S>,
  ) => MaybePromise<Reply<D["responses"]> | Problem<D["problems"]>>;
  readonly example: (state: L["state"]) => Example;
};

export type AnyEarlyCall = EarlyCall<ServiceTypes, Declaration>;
export type AnyCall = AnyEarlyCall & {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly resource: unknown;
  readonly client: Pick<IncomingRequest, "signal">;
  readonly reply: typeof reply;
};

/** An operation without its own types, for code that accepts any operation, such as the pipeline. */
export type AnyOperation = OperationInfo<unknown> & {
  readonly security: string;
  readonly request: {
    readonly params: z.ZodObject;
    readonly query: z.ZodObject;
    readonly body: z.ZodType | undefined;
    readonly accepts: readonly string[] | undefined;
    readonly limitBytes?: number | undefined;
    readonly mostMembers: number | undefined;
  };
  readonly responses: Responses;
  readonly headers: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  readonly invalid: string | undefined;
  readonly resource: ((call: AnyEarlyCall) => unknown) | undefined;
  readonly rules: {
    readonly query?: (call: AnyEarlyCall & Pick<AnyCall, "query">) => readonly ValidationIssue[];
    readonly body?: (call: AnyEarlyCall & Pick<AnyCall, "body">) => readonly ValidationIssue[];
  };
  readonly handle: (call: AnyCall) => MaybePromise<AnyReply | Problem>;
  readonly example: (state: unknown) => Example;
};

/** The types of an operation that the typed client needs. */
export type OperationTypes = Pick<Declaration, "params" | "query" | "body" | "responses" | "problems"> & {
  readonly refusals: number;
  readonly refusal: unknown;
};

/** An operation with its own types. `types` holds them for the compiler and has no value at run time. */
export type Operation<A extends OperationTypes = OperationTypes> = AnyOperation & { readonly types?: A };

/** Statuses of the problems of an operation and of its security scheme. */
type ErrorStatuses<L extends ServiceTypes, K extends keyof L["problems"], Sec> =
  | L["problems"][K]["status"]
  | (Sec extends "none" ? never : L extends { readonly refusesCallers: infer S extends number } ? S : 401);

/** Keys of the problems of an operation and of its security scheme. */
type ProblemKeys<L extends ServiceTypes, K extends string, Sec> =
  | K
  | (Sec extends "none" ? never : CallerProblems<L["problems"], ErrorStatuses<L, never, Sec>>);
type CallerProblems<C extends Catalogue, S> = {
  [P in keyof C & string]: C[P]["status"] extends S ? P : never;
}[keyof C & string];

type FullTypes<L extends ServiceTypes, D extends Declaration> = Pick<
  D,
  "params" | "query" | "body" | "responses"
> & {
  readonly problems: ProblemKeys<L, D["problems"], D["security"]>;
  readonly refusals: ErrorStatuses<L, D["problems"], D["security"]>;
  readonly refusal: L["refusal"];
};

/** Builds a Declaration from the type parameters of `operation`. */
type SpecTypes<Sec, P, Q, B, R, K> = {
  readonly security: Sec;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly responses: R;
  readonly problems: K;
};

/** Creates the function that declares operations of one service. */
export function createOperationFactory<L extends ServiceTypes>() {
  return function operation<
    const Sec extends string,
    const R extends Responses,
    const K extends keyof L["problems"] & string,
    P extends Shape = Record<never, never>,
    Q extends Shape = Record<never, never>,
    B extends z.ZodType = z.ZodUndefined,
    S = undefined,
  >(spec: OperationSpec<L, SpecTypes<Sec, P, Q, B, R, K>, S>) {
    const operation = {
      ...spec,
      headers: spec.headers ?? {},
      rules: spec.rules ?? {},
      request: {
        params: toObjectSchema(spec.request?.params),
        query: toObjectSchema(spec.request?.query),
        body: spec.request?.body,
        accepts: spec.request?.accepts,
        limitBytes: spec.request?.limitBytes,
        mostMembers: spec.request?.mostMembers,
      },
    };
    // Safe cast: the pipeline calls `handle` only with the values that the spec declares. Types cannot express this.
    return Object.freeze(operation) as unknown as Operation<FullTypes<L, SpecTypes<Sec, P, Q, B, R, K>>>;
  };
}

function toObjectSchema(shape: Shape | undefined): z.ZodObject {
  return shape === undefined ? noFields : z.object(shape);
}
