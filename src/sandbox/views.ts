/** The plain values that the verbs of a sandbox take and return. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { Outcome } from "../scenario/outcomes.ts";
import type { Urls } from "./addresses.ts";

/** What becomes of a rule; what is left out stays as it is. */
export type RuleUpdate = {
  readonly enabled?: boolean | undefined;
  /** The rule that it comes before, both added at run time or both of the scenario; null: it comes last of them. */
  readonly before?: string | null | undefined;
  /** What takes its place, under the same id; its counts start anew. */
  readonly rule?: RuleInput | undefined;
};

export type PresetView = {
  readonly name: string;
  readonly title: string;
  readonly description?: string | undefined;
};

/** `Rule` is the type of the rules that bring its answers about. */
export type OperationView<Rule = RuleInput> = {
  /** `museum.createSpecialEvent` */
  readonly name: string;
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly outcomes: readonly (Omit<Outcome, "operation" | "rule"> & { readonly rule: Rule })[];
};

export type SettingView = {
  /** `museum.strict` */
  readonly name: string;
  readonly description: string;
  readonly value?: unknown;
  readonly default?: unknown;
};

export type CredentialView = {
  readonly environment: string;
  readonly user: string;
  readonly password: string;
  /** Any other pair is as good. */
  readonly any?: true | undefined;
};

export type AssumptionView = {
  readonly service: string;
  readonly point: string;
  readonly served: string;
  /** The setting that changes it. */
  readonly setting?: string | undefined;
};

/** A token that a login handed out. */
export type IssuedToken = {
  readonly environment: string;
  readonly user: string;
  /** ISO 8601 in UTC, as all instants here. */
  readonly issued: string;
  readonly expires: string;
  /** When its user may log in again; left out: now. */
  readonly nextLogin?: string | undefined;
};

/** What `check` looks at. */
export type Checkable =
  | { readonly rule: object }
  | { readonly scenario: string | object | readonly (string | object)[] };

/** Whether it could be used now, and every mistake in it. */
export type CheckReport = {
  readonly ok: boolean;
  readonly mistakes: readonly { readonly message: string; readonly pointer?: string | undefined }[];
};

/** A request of which to tell what would become of it. */
export type Question = {
  readonly method: string;
  /** With or without the base address before it. Path parameters in braces are filled in: `/special-events/{eventId}`. */
  readonly path: string;
  /** Left out: those of a valid caller. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Left out: a valid one. */
  readonly body?: unknown;
};

/** What the request would meet. */
export type Explanation = Pick<
  RecordedExchange,
  "method" | "path" | "operation" | "status" | "problem" | "fault" | "made" | "sent"
> & {
  /** Every rule in order, and why it acted or did not. */
  readonly rules: readonly { readonly rule: string; readonly applied: boolean; readonly why: string }[];
};

/** The scenario in force; without one its name is `default`. */
export type CurrentScenario = {
  readonly name: string;
  readonly title?: string | undefined;
  /** The ids of its rules. */
  readonly rules: readonly string[];
};

/** One finding about the client's traffic in the journal. */
export type LintFinding = {
  readonly rule: string;
  readonly severity: string;
  readonly title: string;
  /** Numbers of the exchanges that show it. */
  readonly exchanges: readonly number[];
  readonly advice: string;
};

export type UsageInput = {
  readonly sent?: number | undefined;
  readonly received?: number | undefined;
  readonly at?: string | undefined;
  readonly user?: string | undefined;
  readonly environment?: string | undefined;
};

/** What the account service returns; it has more fields. */
export type UsageReceipt = { readonly environment: string; readonly user: string; readonly at: string };

export type TokenInput = {
  readonly user?: string | undefined;
  readonly kind?: string | undefined;
  readonly environment?: string | undefined;
};

/** A state to return to. */
export type Snapshot = { readonly id: string };

export type Jwks = { readonly keys: readonly Readonly<Record<string, unknown>>[] };

/** What a world starts with: the state of another, or a record, which may come from anywhere. */
export type WorldSource = { readonly from: string } | { readonly record: unknown };

export type WorldView = { readonly id: string; readonly urls: Urls };
