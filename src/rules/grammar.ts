/** Generated: types of the schemas. To update this file, run `npm run docs`. */

import type { Violation } from "../operation/issue.ts";
import type { Duration } from "../world/time.ts";
import type { Condition, Names, Operators } from "./condition.ts";
import type { NamedMutation } from "./mutation.ts";

/** Selects requests that match every given part. */
export type RequestMatcher = {
  /** Name of an operation, or a pattern such as `account.list*`. */
  readonly operation?: Names | undefined;
  /** Name of the service: `museum` or `account`. */
  readonly service?: Names | undefined;
  /** Name of the environment, such as `accountSandbox`. */
  readonly environment?: Names | undefined;
  /** HTTP method, such as `POST`. */
  readonly method?: Names | undefined;
  /** Path after the base URL, such as `/special-events/*`. */
  readonly path?: Names | undefined;
  /** Path parameters: `{ name: value }`. */
  readonly params?: Readonly<Record<string, Condition>> | undefined;
  /** Query parameters: `{ name: value }`. */
  readonly query?: Readonly<Record<string, Condition>> | undefined;
  /** Request headers: `{ name: value }`. */
  readonly headers?: Readonly<Record<string, Condition>> | undefined;
  /** JSON body of the request. */
  readonly body?: Condition | undefined;
  /** Name of the user who sent the request. */
  readonly user?: Condition | undefined;
  /** Value of the header `Accept`. */
  readonly accept?: Condition | undefined;
};

/** Selects exchanges that match every given part. */
export type Matcher = RequestMatcher & {
  /** Status of the response, such as `404` or `{ "$gte": 500 }`. */
  readonly status?: number | readonly number[] | Operators | undefined;
  /** Name of the problem in the response, such as `eventNotFound`. */
  readonly problem?: Names | undefined;
  /** Id of a rule that was applied to the request. */
  readonly rule?: Names | undefined;
  /** Name of a finding, such as `unknownField`. */
  readonly finding?: Names | undefined;
  /** Fault that broke the connection, such as `reset`. */
  readonly fault?: Names | undefined;
  /** Whether the client closed the connection before the response. */
  readonly gone?: boolean | undefined;
  /** `open` (no response yet) or `ended`. */
  readonly state?: "open" | "ended" | undefined;
  /** Text in the URL or in a body; case is ignored. */
  readonly text?: string | undefined;
  /** Number of an exchange: exchanges with a higher number match. */
  readonly after?: number | undefined;
  /** The request arrived at this time of the sandbox's clock, or later. */
  readonly since?: string | Date | undefined;
  /** The request arrived before this time of the sandbox's clock. */
  readonly until?: string | Date | undefined;
};

/** How often a rule applies. */
export type LimitInput = {
  /** Number of matching requests to skip first. */
  readonly after?: number | undefined;
  /** Maximum number of times that the rule applies. */
  readonly times?: number | undefined;
  /** Applies the rule to every nth matching request. */
  readonly every?: number | undefined;
  /** Probability for each match. The seed decides. */
  readonly chance?: number | undefined;
  /** Start, in simulated time. `+10m`: 10 minutes after you add the rule. */
  readonly from?: string | undefined;
  /** End of the time window (excluded), in simulated time. */
  readonly until?: string | undefined;
  /** Counts for each user, or for the world (default). */
  readonly per?: "user" | "world" | undefined;
};

/** A fixed or random delay. `dribble`: sends the body in pieces, slowly. */
export type DelayInput =
  | Duration
  | {
      readonly uniform: readonly [Duration, Duration];
    }
  | {
      readonly lognormal: {
        readonly median: Duration;
        readonly sigma: number;
        readonly max: Duration;
      };
    }
  | {
      readonly dribble: {
        readonly chunks: number;
        readonly over: Duration;
      };
    };

/** One of problem, respond, fault, mutate, hold and pass. `delay` and `advance` can be added, or used alone. */
export type ActionInput = {
  /** Key of a problem that the operation documents. */
  readonly problem?: string | undefined;
  /** Title of the problem. */
  readonly title?: string | undefined;
  /** Invalid fields that the problem lists. */
  readonly violations?: readonly Violation[] | undefined;
  /** Returns exactly this response. */
  readonly respond?:
    | {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly body?: Condition | undefined;
      }
    | undefined;
  /** With respond: allows a status that the operation does not document. */
  readonly undocumented?: true | undefined;
  /** Breaks the connection in this way. */
  readonly fault?:
    | "reset"
    | "empty"
    | "truncate"
    | "bad-chunk"
    | "garbage"
    | "hang"
    | "slow-close"
    | "dribble"
    | undefined;
  /** Changes the response of the service. */
  readonly mutate?: NamedMutation | readonly NamedMutation[] | undefined;
  /** Pauses the request at the gate with this name, until a test releases it. */
  readonly hold?: string | undefined;
  /** Lets the service respond, and skips the later rules. */
  readonly pass?: true | undefined;
  /** Wall-clock time, up to 60s. With `clock`: simulated time, no maximum. */
  readonly delay?: DelayInput | undefined;
  /** With `delay`: waits in simulated time instead of wall-clock time. */
  readonly clock?: "virtual" | undefined;
  /** Moves the clock forward. The exchange keeps its time of arrival. */
  readonly advance?: Duration | undefined;
};

/** One action, or a sequence of actions. */
export type ThenInput = ActionInput & {
  /** Actions, one for each match, in this order. */
  readonly sequence?: readonly ActionInput[] | undefined;
  /** Behavior after the end of the sequence. Default: `pass`. */
  readonly after?: "pass" | "last" | "cycle" | "fail" | undefined;
};

/** A rule, in the format of scenarios and of `use`. */
export type RuleInput = {
  /** Unique id, shown in the journal and in messages. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  /** Requests that the rule applies to. Default: all. */
  readonly when?: RequestMatcher | undefined;
  /** How often the rule applies. */
  readonly limit?: LimitInput | undefined;
  /** Stage of the request handling. Default: depends on the effect. */
  readonly at?: "edge" | "handler" | "response" | undefined;
  /** Effect of the rule. */
  readonly then: ThenInput;
};
