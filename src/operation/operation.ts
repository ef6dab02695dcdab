/** An operation is one value that everything else reads. An undeclared status, problem or reply does not compile. */

import { z } from "zod";
import type { Exchange } from "../http/exchange.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { Timestamp } from "../world/time.ts";
import type { ValidationIssue } from "./issue.ts";
import type { AnyReply, Catalogue, Problem, ProblemDetails, reply } from "./problem.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type Shape = Readonly<Record<string, z.ZodType>>;
/** Success status -> schema of the value; `noContent` where there is no body. */
export type Responses = Readonly<Record<number, z.ZodType>>;
type MaybePromise<T> = T | Promise<T>;

export const noContent = z.undefined();
/** The schema of a path without parameters, and of a query without any. */
export const noFields = z.object({});

/** What the operations of one service have in common: its problems, state, identity and settings. */
export type ServiceTypes = {
  readonly problems: Catalogue;
  readonly state: unknown;
  readonly identity: unknown;
  readonly settings: unknown;
  /** Statuses with which its security schemes refuse a caller; left out: 401 alone. */
  readonly refusesCallers?: number;
  /** The body of a refusal for the typed client; left out: unknown. */
  readonly refusal?: unknown;
};

/** What is declared of one operation, as types; the handler, the client and the checks are typed by it. */
export type Declaration = {
  readonly security: string;
  readonly params: Shape;
  readonly query: Shape;
  readonly body: z.ZodType;
  readonly responses: Responses;
  readonly problems: string;
};

type ShapeValues<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> };

/** A success: a declared status with a value of that status's schema. */
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

/** What is known before the body is read. */
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

/** Everything a handler receives; `S` is what the path names, as it was loaded. */
type HandlerCall<L extends ServiceTypes, D extends Declaration, S> = EarlyCall<L, D> & {
  readonly query: ShapeValues<D["query"]>;
  readonly body: z.output<D["body"]>;
  readonly resource: S;
  readonly client: Pick<IncomingRequest, "signal">;
  readonly reply: ReplyFunction<D["responses"]>;
};

/** A valid request and its success response, built from the base data: for OpenAPI, the docs and the conformance tests. */
export type Example = {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: unknown;
  /** Value of the response with the first declared status. Undefined: the document shows none. */
  readonly reply?: unknown;
};

/** What an operation is for, and where it is served. */
type OperationInfo<Settings = never> = {
  readonly method: Method;
  /** Relative to the base address, parameters in braces: `/special-events/{eventId}`. */
  readonly path: string;
  readonly summary: string;
  /** A text, or what makes it of the settings. */
  readonly description?: string | ((settings: Settings) => string);
  /** The group it is shown under. */
  readonly tag: string;
  /** Document and section, or `Assumed: …`. */
  readonly source: string;
};

type OperationSpec<L extends ServiceTypes, D extends Declaration, S> = OperationInfo<L["settings"]> & {
  /** A scheme of the service, or `none`. */
  readonly security: D["security"];
  readonly request?: {
    readonly params?: D["params"];
    readonly query?: D["query"];
    readonly body?: D["body"];
    /** Media types of the body, where they are not those of the service's codec; the first is the documented one. */
    readonly accepts?: readonly string[];
    /** The largest body, where it is not that of the service. */
    readonly limitBytes?: number;
    /** How many members all objects and lists of the body may have together; left out: 50,000. */
    readonly mostMembers?: number;
  };
  readonly responses: D["responses"];
  /** Headers of the success reply, name -> meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Keys of the service's catalogue. The security scheme's own problem is implied. */
  readonly problems: readonly D["problems"][];
  /** The problem that input with a wrong value is refused with. */
  readonly invalid?: D["problems"];
  /** Loads what the path names, before the body is read: an unknown name is refused whatever the body is. */
  readonly resource?: (call: EarlyCall<L, D>) => S | Problem<D["problems"]>;
  /**
   * Checks that need settings or state, and so cannot be in the schema. They receive the fields of the part that are
   * valid by themselves, and their findings are reported together with those of the schema.
   */
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

/** An operation as the interpreters see it. */
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

/** What the typed client reads of an operation. */
export type OperationTypes = Pick<Declaration, "params" | "query" | "body" | "responses" | "problems"> & {
  readonly refusals: number;
  readonly refusal: unknown;
};

/** An operation with its types. `types` exists for the compiler alone. */
export type Operation<A extends OperationTypes = OperationTypes> = AnyOperation & { readonly types?: A };

/** The statuses an operation may refuse with: those of its problems, and the scheme's own where it has one. */
type ErrorStatuses<L extends ServiceTypes, K extends keyof L["problems"], Sec> =
  | L["problems"][K]["status"]
  | (Sec extends "none" ? never : L extends { readonly refusesCallers: infer S extends number } ? S : 401);

/** The keys of the problems an operation may refuse with, its scheme's own included. */
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

/** The parts of a declaration, each inferred where it is written, as one. */
type SpecTypes<Sec, P, Q, B, R, K> = {
  readonly security: Sec;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly responses: R;
  readonly problems: K;
};

/** Creates the `operation` function for the types of one service. */
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
    // The pipeline hands each operation exactly the call its spec declares; types cannot express that.
    return Object.freeze(operation) as unknown as Operation<FullTypes<L, SpecTypes<Sec, P, Q, B, R, K>>>;
  };
}

function toObjectSchema(shape: Shape | undefined): z.ZodObject {
  return shape === undefined ? noFields : z.object(shape);
}
