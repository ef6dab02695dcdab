/** Types of rules and matchers. A rule allows only values of the operations that it names. Values are as in scenario files. */

import type { Times } from "../journal/verify.ts";
import type { Condition, Operators } from "../rules/condition.ts";
import type { FaultKind } from "../rules/effect.ts";
import type {
  ActionInput,
  Matcher as AnyMatcher,
  RuleInput as AnyRule,
  RequestMatcher,
  ThenInput,
} from "../rules/grammar.ts";
import type { AccountProblemKey } from "../services/account/surface.ts";
import type { MuseumProblemKey } from "../services/museum/surface.ts";
import type { Duration } from "../world/time.ts";
import type { DocumentedPart, OperationGlob } from "./operation-names.ts";

/** Statuses that every rule may return, even if the operation does not document them. */
type ServerError = 500 | 501 | 502 | 503 | 504 | 505 | 507 | 508 | 511;
type NameGlob = `${string}*${string}`;
/** Condition on a name: a name, a glob, a list of both, or operators. */
type NameCondition<Name extends string> =
  | Name
  | NameGlob
  | readonly (Name | NameGlob)[]
  | Operators
  | undefined;
/** Conditions by field name, or operators for the whole object. */
type FieldConditions<Name extends string> = { readonly [K in Name]?: Condition } & Operators;

type EnvironmentConditions = {
  readonly service?: NameCondition<"museum" | "account">;
  /** Key of an environment. */
  readonly environment?: NameCondition<"museum" | "account" | "accountSandbox">;
};

export type TypedWhen<N extends OperationGlob = OperationGlob> = Omit<
  RequestMatcher,
  "operation" | "service" | "environment" | "params" | "query" | "body"
> &
  EnvironmentConditions & {
    /** A name, a list of names, or globs: `account.list*`. */
    readonly operation?: N | readonly N[] | Operators | undefined;
    /** Path parameters by name. */
    readonly params?: FieldConditions<DocumentedPart<N, "params">> | undefined;
    /** Query parameters by name. */
    readonly query?: FieldConditions<DocumentedPart<N, "query">> | undefined;
    /** The JSON body of the request. */
    readonly body?: FieldConditions<DocumentedPart<N, "body">> | undefined;
  };

type Respond = NonNullable<ActionInput["respond"]>;
/** A response with a documented status, or with `undocumented: true`. */
type DocumentedResponse<Status extends number> =
  | {
      /** Returns exactly this response. A status that is not documented needs `undocumented: true`. */
      readonly respond?: (Omit<Respond, "status"> & { readonly status: Status }) | undefined;
      readonly undocumented?: undefined;
    }
  | {
      readonly respond: Respond;
      /** Allows a status in `respond` that the operation does not document. */
      readonly undocumented: true;
    };

type TypedAction<Problem extends string, Status extends number> = Omit<
  ActionInput,
  "problem" | "respond" | "undocumented"
> & {
  /** Key of a problem that the operation documents. */
  readonly problem?: Problem | undefined;
} & DocumentedResponse<Status>;

type TypedThen<Problem extends string, Status extends number> = TypedAction<Problem, Status> &
  Pick<ThenInput, "after"> & {
    /** Actions for successive matching requests: one for the first request, the next for the second request. */
    readonly sequence?: readonly TypedAction<Problem, Status>[] | undefined;
  };

/** A rule that only allows problems, statuses and fields of its operations. */
export type TypedRule<N extends OperationGlob = OperationGlob> = Omit<AnyRule, "when" | "then"> & {
  /** Requests that the rule applies to. Default: all requests. */
  readonly when?: TypedWhen<N> | undefined;
  /** Effect of the rule. */
  readonly then: TypedThen<DocumentedPart<N, "problem">, DocumentedPart<N, "status"> | ServerError>;
};

/** A rule for any operation. */
export type RuleInput = TypedRule;

/** Selects exchanges. An exchange must match all given fields. */
export type Matcher = Omit<AnyMatcher, "operation" | "service" | "environment" | "problem" | "fault"> &
  EnvironmentConditions & {
    /** A name, a list of names, or globs: `account.list*`. */
    readonly operation?: NameCondition<OperationGlob>;
    /** Key of the returned problem. */
    readonly problem?: NameCondition<MuseumProblemKey | AccountProblemKey>;
    /** Fault that a rule caused, such as `reset`. */
    readonly fault?: NameCondition<FaultKind>;
  };

/** A matcher, and how many exchanges must match (default: at least one). `within`: maximum wall-clock time to wait for them. */
export type Expectation = Matcher & {
  readonly times?: Times | undefined;
  readonly within?: Duration | number | undefined;
};
