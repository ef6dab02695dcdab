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
  /** So many matches pass first. */
  readonly after?: number | undefined;
  /** It acts so often, then steps aside. */
  readonly times?: number | undefined;
  /** It acts on each nth match. */
  readonly every?: number | undefined;
  /** Drawn from the seed, per match. */
  readonly chance?: number | undefined;
  /** Simulated time, included; `+10m` counts from when the rule came. */
  readonly from?: string | undefined;
  /** Simulated time, excluded. */
  readonly until?: string | undefined;
  /** Counted for each caller apart, or for all. */
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
  /** With problem: its text. */
  readonly title?: string | undefined;
  /** With problem: the violations of fields. */
  readonly violations?: readonly Violation[] | undefined;
  /** Exactly this answer. */
  readonly respond?:
    | {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly body?: Condition | undefined;
      }
    | undefined;
  /** With respond: the status is deliberately one that the operation does not document. */
  readonly undocumented?: true | undefined;
  /** The wire breaks. */
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
  /** The service answers; later rules do not. */
  readonly pass?: true | undefined;
  /** Wall time, at most 60s; with clock, of any length. */
  readonly delay?: DelayInput | undefined;
  /** With delay: waits for the sandbox's clock instead of wall time. */
  readonly clock?: "virtual" | undefined;
  /** Moves the sandbox's clock; the exchange itself keeps its instant. */
  readonly advance?: Duration | undefined;
};

/** One action, or a sequence of them. */
export type ThenInput = ActionInput & {
  /** One action for each match, in turn. */
  readonly sequence?: readonly ActionInput[] | undefined;
  /** With sequence: what follows its end. Default pass. */
  readonly after?: "pass" | "last" | "cycle" | "fail" | undefined;
};

/** A rule as it is written. */
export type RuleInput = {
  /** Names the rule in journal and messages. Unique. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  /** Which exchanges. Left out: all. */
  readonly when?: RequestMatcher | undefined;
  /** How often. */
  readonly limit?: LimitInput | undefined;
  /** Where in the life of a request. Default: as the effect needs. */
  readonly at?: "edge" | "handler" | "response" | undefined;
  /** What happens. */
  readonly then: ThenInput;
};
