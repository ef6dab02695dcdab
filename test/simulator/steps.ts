// What can happen in a simulation, as plain data. Steps name things by numbers that are looked up when the step is played,
// so that a trace from which steps were taken out still means something.

import type { Duration } from "../../src/world/time.ts";
import type { AccountKey, EnvironmentKey, OperationName } from "./operations.ts";

/** Which thing a path or a field names. */
export type Which = {
  /** Of the caller; no longer there; of another user; never there; not even a UUID. */
  readonly of: "present" | "gone" | "foreign" | "nobody" | "malformed";
  readonly pick: number;
  readonly upperCase?: boolean;
};

export const TOKEN_DEFECTS = [
  "expired",
  "not-yet-valid",
  "bad-signature",
  "alg-none",
  "wrong-key",
  "other-environment",
  "missing-claim",
  "wrong-roles",
  "malformed",
  "huge",
] as const;
export type TokenDefect = (typeof TOKEN_DEFECTS)[number];

/** With what a client shows who it is. */
export type Caller =
  | { readonly kind: "none" | "garbled" }
  | { readonly kind: "basic"; readonly user: string }
  /** The token that the client has, of its last login or one made for it. */
  | { readonly kind: "session" }
  /** A token that any client ever had, of any world and environment. */
  | { readonly kind: "token"; readonly pick: number }
  | { readonly kind: "defect"; readonly defect: TokenDefect };

export type Body =
  | { readonly raw: string }
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      /** A field that names an entity. */
      readonly names?: { readonly field: string; readonly which: Which };
      /** A login with the password that holds now. */
      readonly rightPassword?: boolean;
    };

/** One request of one client. */
export type Ask = {
  readonly client: number;
  readonly environment: EnvironmentKey;
  readonly operation: OperationName;
  readonly caller: Caller;
  readonly which?: Which;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Body;
  /** Of the body; null: none. Default: application/json. */
  readonly media?: string | null;
  readonly accept?: string;
  /** The body comes after the head. */
  readonly slow?: boolean;
  /** The problem that the request's own header asks for. */
  readonly respond?: string;
};

export const BOUNDARIES = ["token", "throttle", "running", "preSale", "midnight"] as const;

/** A rule as it is written; the simulator writes no others. */
export type RuleText = {
  readonly id: string;
  readonly at: "edge" | "handler" | "response";
  readonly when: {
    readonly operation: string;
    readonly environment?: string;
    readonly user?: string;
    readonly body?: Readonly<Record<string, { readonly $gt: number }>>;
  };
  readonly limit?: {
    readonly times?: number;
    readonly after?: number;
    readonly every?: number;
    readonly from?: string;
    readonly until?: string;
    readonly per?: "user" | "world";
  };
  readonly then:
    | { readonly problem: string }
    | { readonly respond: { readonly status: number; readonly body: { readonly out: boolean } } }
    | { readonly fault: "reset" | "empty" }
    | { readonly hold: string }
    | { readonly advance: Duration }
    | { readonly pass: true };
};

export type SettingsText = {
  readonly museum?: {
    readonly limitAboveMaximum?: "clamp";
    readonly validationStatus?: 422;
    readonly strict?: boolean;
  };
  readonly account?: {
    readonly pageSize?: number;
    readonly tokenLifetime?: string;
    readonly profilePut?: "merge";
    readonly login?: { readonly onRepeat: "allow" | "same-token" };
  };
};

export type ScenarioText = {
  readonly version: 1;
  readonly settings?: SettingsText;
  readonly rules?: readonly RuleText[];
  readonly data?: {
    readonly museum?: { readonly specialEvents: { readonly replace: readonly object[] } };
    readonly account?: { readonly preSales: { readonly replace: readonly object[] } };
  };
};

/** One operation. `world` picks one of those that there are; the first is the main one. */
export type Step = { readonly world: number } & (
  | { readonly do: "ask"; readonly ask: Ask }
  /** Of several clients at once. */
  | { readonly do: "together"; readonly asks: readonly Ask[] }
  /** Every page of a list, and each thing on it by itself. */
  | { readonly do: "audit"; readonly environment: EnvironmentKey; readonly client: number }
  | { readonly do: "advance"; readonly by: string }
  | { readonly do: "set"; readonly by: number }
  /** To the instant at which something ends, or so many milliseconds beside it. */
  | {
      readonly do: "boundary";
      readonly of: (typeof BOUNDARIES)[number];
      readonly pick: number;
      readonly beside: number;
    }
  | { readonly do: "reset" }
  | { readonly do: "snapshot"; readonly name: string }
  | { readonly do: "restore"; readonly pick: number }
  | { readonly do: "fork"; readonly name: string }
  | { readonly do: "end" }
  | { readonly do: "use"; readonly rule: RuleText }
  | { readonly do: "remove"; readonly pick: number }
  | { readonly do: "release"; readonly gate: string }
  | { readonly do: "scenario"; readonly scenario: ScenarioText }
  | {
      readonly do: "usage";
      readonly environment: AccountKey;
      readonly user: number;
      readonly sent: number;
      readonly received: number;
    }
  /** Events written by the data verbs. */
  | { readonly do: "write"; readonly verb: "upsert" | "replace" | "remove"; readonly pick: number }
  /** The sandbox is closed and opened again, or its folder is opened as a crash leaves it. */
  | { readonly do: "restart" }
  | { readonly do: "crash"; readonly unanswered: readonly Ask[] }
);
