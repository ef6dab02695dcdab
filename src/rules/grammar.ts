/** Generated: types; `npm run docs` writes it from the schemas. */

import type { Violation } from "../operation/issue.ts";
import type { Duration } from "../world/time.ts";
import type { Condition, Names, Operators } from "./condition.ts";
import type { NamedMutation } from "./mutation.ts";

/** Which requests: every part that is given must match. */
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

/** Which exchanges: every part that is given must match. */
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
  /** Number of matches to skip first. */
  readonly after?: number | undefined;
  /** Maximum number of times that the rule applies. */
  readonly times?: number | undefined;
  /** Applies to every nth match. */
  readonly every?: number | undefined;
  /** Probability for each match, from the seed. */
  readonly chance?: number | undefined;
  /** Start in simulated time; `+10m` counts from when the rule is added. */
  readonly from?: string | undefined;
  /** End in simulated time, excluded. */
  readonly until?: string | undefined;
  /** Counts for each caller, or for all together. */
  readonly per?: "user" | "world" | undefined;
};

/** A fixed or random delay, or the time over which the body is sent. */
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

/** One of problem, respond, fault, mutate, hold and pass, and how long it takes. */
export type ActionInput = {
  /** Key of a problem that the operation documents. */
  readonly problem?: string | undefined;
  /** Title of the problem. */
  readonly title?: string | undefined;
  /** Violations of fields, for the problem. */
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
  /** Breaks the connection. */
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
  /** The real response, changed by named mutations. */
  readonly mutate?: NamedMutation | readonly NamedMutation[] | undefined;
  /** Name of a gate: waits until a test releases it. */
  readonly hold?: string | undefined;
  /** The service responds; later rules are skipped. */
  readonly pass?: true | undefined;
  /** Wall-clock time, at most 60s; with clock, any length. */
  readonly delay?: DelayInput | undefined;
  /** With delay: waits for the sandbox's clock instead of wall time. */
  readonly clock?: "virtual" | undefined;
  /** Moves the sandbox's clock. The time of the exchange stays. */
  readonly advance?: Duration | undefined;
};

/** One action, or a sequence of them. */
export type ThenInput = ActionInput & {
  /** One action for each match, in turn. */
  readonly sequence?: readonly ActionInput[] | undefined;
  /** Behavior after the end of the sequence. Default: `pass`. */
  readonly after?: "pass" | "last" | "cycle" | "fail" | undefined;
};

/** A rule as it is written. */
export type RuleInput = {
  /** Names the rule in journal and messages. Unique. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  /** Requests that the rule applies to. Default: all. */
  readonly when?: RequestMatcher | undefined;
  /** How often the rule applies. */
  readonly limit?: LimitInput | undefined;
  /** Stage of the request. The default depends on the effect. */
  readonly at?: "edge" | "handler" | "response" | undefined;
  /** Effect of the rule. */
  readonly then: ThenInput;
};
