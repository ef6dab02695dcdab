/** Rules and matchers typed by the operations they name. The values are the same JSON as in a file. */

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

/** Any server can fail, whatever it documents. */
type ServerError = 500 | 501 | 502 | 503 | 504 | 505 | 507 | 508 | 511;
type NameGlob = `${string}*${string}`;
/** A name, a list of names, globs, or operators. */
type NameCondition<Name extends string> =
  | Name
  | NameGlob
  | readonly (Name | NameGlob)[]
  | Operators
  | undefined;
/** By name of the field; operators hold for the whole. */
type FieldConditions<Name extends string> = { readonly [K in Name]?: Condition } & Operators;

type EnvironmentConditions = {
  readonly service?: NameCondition<"museum" | "account">;
  /** Key of a base address. */
  readonly environment?: NameCondition<"museum" | "account" | "accountSandbox">;
};

/** Which exchanges: every part that is given must fit. */
export type TypedWhen<N extends OperationGlob = OperationGlob> = Omit<
  RequestMatcher,
  "operation" | "service" | "environment" | "params" | "query" | "body"
> &
  EnvironmentConditions & {
    /** A name, a list of names, or globs: `account.list*`. */
    readonly operation?: N | readonly N[] | Operators | undefined;
    /** Parameters of the path, by name. */
    readonly params?: FieldConditions<DocumentedPart<N, "params">> | undefined;
    /** Parameters of the query, by name. */
    readonly query?: FieldConditions<DocumentedPart<N, "query">> | undefined;
    /** The JSON body of the request. */
    readonly body?: FieldConditions<DocumentedPart<N, "body">> | undefined;
  };

type Respond = NonNullable<ActionInput["respond"]>;
/** A response has a status that the operation documents, or says that it deliberately has another. */
type DocumentedResponse<Status extends number> =
  | {
      /** Exactly this answer. A status that is not documented needs `undocumented: true`. */
      readonly respond?: (Omit<Respond, "status"> & { readonly status: Status }) | undefined;
      readonly undocumented?: undefined;
    }
  | {
      readonly respond: Respond;
      /** With respond: the status is deliberately one that the operation does not document. */
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
    /** One action for each match, in turn. */
    readonly sequence?: readonly TypedAction<Problem, Status>[] | undefined;
  };

/** A rule typed by the operations it names: it allows only their problems, statuses and fields. */
export type TypedRule<N extends OperationGlob = OperationGlob> = Omit<AnyRule, "when" | "then"> & {
  /** Which exchanges. Left out: all. */
  readonly when?: TypedWhen<N> | undefined;
  /** What happens. */
  readonly then: TypedThen<DocumentedPart<N, "problem">, DocumentedPart<N, "status"> | ServerError>;
};

/** Any rule as it is written. */
export type RuleInput = TypedRule;

/** Which exchanges are wanted: every part that is given must fit. */
export type Matcher = Omit<AnyMatcher, "operation" | "service" | "environment" | "problem" | "fault"> &
  EnvironmentConditions & {
    /** A name, a list of names, or globs: `account.list*`. */
    readonly operation?: NameCondition<OperationGlob>;
    /** Key of the problem that was answered. */
    readonly problem?: NameCondition<MuseumProblemKey | AccountProblemKey>;
    /** What broke on the wire. */
    readonly fault?: NameCondition<FaultKind>;
  };

/**
 * A matcher and how often it should match, by default at least once. `within` waits, in wall time, until the lower
 * bound is reached; where nothing has to come (`times: 0`), it waits the whole time for what should not.
 */
export type Expectation = Matcher & {
  readonly times?: Times | undefined;
  readonly within?: Duration | number | undefined;
};
