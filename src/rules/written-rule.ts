/**
 * What a rule does, as it is written: plain types for those who write it in TypeScript. The grammar that checks it is in
 * rule.ts and beside; a test proves that both say the same. Come here to change what an editor shows of `then` or `limit`.
 */

import type { Violation } from "../operation/issue.ts";
import type { Duration } from "../world/time.ts";
import type { Condition } from "./condition.ts";
import type { FaultKind } from "./effect.ts";

/** Exactly this answer. */
type Respond<Status extends number> = {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Any JSON value. */
  readonly body?: Condition | undefined;
};

/** Wall time, at most 60s: fixed, drawn from a distribution by the seed, or over which the body is sent in pieces. */
type WrittenDelay =
  | Duration
  | { readonly uniform: readonly [from: Duration, to: Duration] }
  | { readonly lognormal: { readonly median: Duration; readonly sigma: number; readonly max: Duration } }
  | { readonly dribble: { readonly chunks: number; readonly over: Duration } };

export type NamedMutation = "extra" | "empty" | `${"drop" | "null" | "enum" | "long"}:/${string}`;

/** One of `problem`, `respond`, `fault`, `mutate`, `hold` and `pass`, and how long it takes. */
type Effect<Problem extends string> = {
  /** Key of a problem that the operation documents. */
  readonly problem?: Problem | undefined;
  /** With problem: its text. */
  readonly title?: string | undefined;
  /** With problem: the violations of fields. */
  readonly violations?: readonly Violation[] | undefined;
  /** The wire breaks. */
  readonly fault?: FaultKind | undefined;
  /** The real response, changed by named mutations. */
  readonly mutate?: NamedMutation | readonly NamedMutation[] | undefined;
  /** Name of a gate: waits until a test releases it. */
  readonly hold?: string | undefined;
  /** The service answers; later rules do not. */
  readonly pass?: true | undefined;
  /** Wall time, at most 60s. */
  readonly delay?: WrittenDelay | undefined;
  /** With delay: waits for the sandbox's clock instead of wall time. */
  readonly clock?: "virtual" | undefined;
  /** Moves the sandbox's clock; the exchange itself keeps its instant. */
  readonly advance?: Duration | undefined;
};

/** The answer has a status that the operation documents, or says that it deliberately has another. */
type Answered<Status extends number> =
  | {
      /** Exactly this answer. */
      readonly respond?: Respond<Status> | undefined;
      readonly undocumented?: undefined;
    }
  | {
      readonly respond: Respond<number>;
      /** With respond: the status is deliberately one that the operation does not document. */
      readonly undocumented: true;
    };

export type WrittenAction<Problem extends string = string, Status extends number = number> = Effect<Problem> &
  Answered<Status>;

/** One action, or a sequence of them. */
export type WrittenThen<Problem extends string = string, Status extends number = number> = WrittenAction<
  Problem,
  Status
> & {
  /** One action for each match, in turn. */
  readonly sequence?: readonly WrittenAction<Problem, Status>[] | undefined;
  /** With sequence: what follows its end. Default pass. */
  readonly after?: "pass" | "last" | "cycle" | "fail" | undefined;
};

/** How often a rule acts. */
export type WrittenLimit = {
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
