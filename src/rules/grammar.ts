/** Generated: types; `npm run docs` writes it from the schemas. */

import type { Violation } from "../operation/issue.ts";
import type { Duration } from "../world/time.ts";
import type { Condition, Names, Operators } from "./condition.ts";
import type { NamedMutation } from "./mutation.ts";

/** Which requests: every part that is given must match. */
export type RequestMatcher = {
  /** A name, a list of names, or globs: `account.list*`. */
  readonly operation?: Names | undefined;
  /** `museum`, `account`. */
  readonly service?: Names | undefined;
  /** Key of a base URL: `accountSandbox`. */
  readonly environment?: Names | undefined;
  /** `POST`, or a list. */
  readonly method?: Names | undefined;
  /** Path relative to the base URL. `*` matches any characters. */
  readonly path?: Names | undefined;
  /** Path parameters, by name. */
  readonly params?: Readonly<Record<string, Condition>> | undefined;
  /** Query parameters, by name. */
  readonly query?: Readonly<Record<string, Condition>> | undefined;
  /** Request headers, by name. */
  readonly headers?: Readonly<Record<string, Condition>> | undefined;
  /** The JSON body of the request. */
  readonly body?: Condition | undefined;
  /** Name of the caller. */
  readonly user?: Condition | undefined;
  /** The Accept header as sent. */
  readonly accept?: Condition | undefined;
};

/** Which exchanges: every part that is given must match. */
export type Matcher = RequestMatcher & {
  /** Status of the response: `404`, a list, or operators: `{ "$gte": 500 }`. */
  readonly status?: number | readonly number[] | Operators | undefined;
  /** Key of the problem in the response: `eventNotFound`. */
  readonly problem?: Names | undefined;
  /** Id of an applied rule. */
  readonly rule?: Names | undefined;
  /** Key of a finding: `unknownField`. */
  readonly finding?: Names | undefined;
  /** Fault that broke the connection: `reset`. */
  readonly fault?: Names | undefined;
  /** Whether the client left before the response. */
  readonly gone?: boolean | undefined;
  /** `open` or `ended`. Default: both. */
  readonly state?: "open" | "ended" | undefined;
  /** Text in the URL or a body, in any case. */
  readonly text?: string | undefined;
  /** Only exchanges after this number. */
  readonly after?: number | undefined;
  /** At or after this time, by the sandbox's clock. */
  readonly since?: string | Date | undefined;
  /** Before this time. */
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
