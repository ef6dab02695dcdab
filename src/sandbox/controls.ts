/** The methods of a sandbox, declared once: in this process, over HTTP (awaited) and for the control API. */

import type { Capsule } from "../journal/capsule.ts";
import type { CoverageData } from "../journal/coverage.ts";
import type { Har } from "../journal/har.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { JournalSlice } from "../journal/search.ts";
import type { JournalExpectation, SandboxReport, Verification } from "../journal/verify.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { WaitingRequest } from "../rules/gates.ts";
import type { Matcher, RuleInput } from "../rules/grammar.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type { ClockState, JumpOptions } from "../world/clock.ts";
import type { WaitForOptions } from "../world/listeners.ts";
import type { Message, MessageFilter } from "../world/mailbox.ts";
import type { Entity } from "../world/store.ts";
import type { Timestamp } from "../world/time.ts";
import type { Urls } from "./addresses.ts";
import type { WorldRecord } from "./record.ts";
import type { SandboxCore } from "./sandbox.ts";
import type {
  AssumptionView,
  CheckReport,
  CredentialView,
  CurrentScenario,
  ExplainInput,
  Explanation,
  IssuedTokenView,
  Jwks,
  LintView,
  OperationView,
  PresetView,
  ReceiptView,
  RuleUpdate,
  SettingView,
  Snapshot,
  StateDifference,
  StateReport,
  TokenInput,
  UsageInput,
  WorldView,
} from "./views.ts";

/** What `check` looks at. */
export type Checkable = {
  readonly rule?: object | undefined;
  readonly scenario?: string | object | readonly (string | object)[] | undefined;
};

/** What a world starts with: the state of another, or a record, which may come from anywhere. */
export type WorldSource = { readonly from?: string | undefined; readonly record?: unknown };

/** The entities of one collection. */
export type CollectionMethods<In = unknown, Out = Entity> = {
  /** In order of creation. */
  all(): readonly Out[];
  get(key: string): Out | undefined;
  /** Adds one or more entities, or replaces those with the same key. If one is invalid, nothing changes. */
  upsert(entities: In | readonly In[]): void;
  /** Replaces all entities of the collection. */
  replace(entities: In | readonly In[]): void;
  /** Removes by key; throws a UsageError for an unknown one. */
  remove(keys: string | readonly string[]): void;
};

/** What is named in arguments: anything here, where it is checked when it comes. */
export type UncheckedArguments = {
  readonly duration: string | number;
  readonly matcher: Matcher | string;
  readonly expectation: JournalExpectation | string;
  readonly scenarios: string | object | readonly (string | object)[];
  readonly update: RuleUpdate;
  readonly token: TokenInput;
  readonly environment: string;
  readonly operations: readonly OperationView[];
  readonly usage: UsageInput;
  readonly receipt: ReceiptView;
  /** Environment -> collection. */
  readonly data: Readonly<Record<string, Readonly<Record<string, CollectionMethods>>>>;
};

/** What a world can be asked and do. `T` is what users may name. */
export type SandboxMethods<
  T extends { readonly [K in keyof UncheckedArguments]: unknown } = UncheckedArguments,
> = {
  readonly clock: {
    /** Milliseconds since 1970. While the clock is frozen, only these verbs change it. */
    now(): Timestamp;
    /** Stops time, at `at` when given, otherwise now. `rebase` takes the dates of the base data along. */
    freeze(at?: string | Date, jump?: JumpOptions): void;
    /** Jumps to `at` and keeps the mode: a ticking clock goes on ticking from there. */
    set(at: string | Date, jump?: JumpOptions): void;
    /** Moves time forward, by `24h` or by milliseconds, and runs all work that falls due, in order, each at its own instant. */
    advance(by: T["duration"]): Promise<void>;
    /** Lets time run again from the current instant. */
    resume(): void;
  };
  readonly journal: {
    /** The exchanges that match, in order of arrival; of many a part: `{ limit: 20, before: 300 }`. */
    list(matcher?: T["matcher"], page?: JournalSlice): readonly RecordedExchange[];
    /** The exchange of that number. Throws a UsageError where there is none. */
    get(seq: number): RecordedExchange;
    /** How many exchanges match. */
    count(matcher?: T["matcher"]): number;
    /** The first that matches and has ended, or has the state that is named. Rejects after `within`, by default 5s. */
    waitFor(matcher: T["matcher"], options?: WithinOption<T["duration"]>): Promise<RecordedExchange>;
    /** Whether as many exchanges match as expected, by default at least one; a failure says what came nearest. */
    verify(expectation: T["expectation"]): Promise<Verification>;
    /** As `verify`, but rejects with its message where the expectation is not met. */
    expect(expectation: T["expectation"]): Promise<Verification>;
    /** Resolves when no exchange is open. Rejects after `within`, by default 5s. */
    idle(options?: WithinOption<T["duration"]>): Promise<void>;
    /** Forgets what has ended. What is open stays, with its number. */
    clear(): void;
  };
  readonly mailbox: {
    /** Oldest first. */
    messages(filter?: MessageFilter): readonly Message[];
    /** The first mail that matches: one that is there, or the next to arrive. Rejects after `within`, by default 2s. */
    waitFor(filter?: MessageFilter, options?: WithinOption<T["duration"]>): Promise<Message>;
    clear(): void;
  };
  readonly rules: {
    /** In the order in which they are evaluated, with what each has done so far. */
    list(): readonly RuleStatus[];
    remove(id: string): void;
    /** Removes all rules that were added at run time. */
    clear(): void;
    /** Switches a rule off or on, moves it, or puts another in its place. */
    update(id: string, change: T["update"]): void;
  };
  readonly gates: {
    /** The requests that wait at gates of rules with `hold`, in order of arrival. */
    waiting(): readonly WaitingRequest[];
    /** Releases the requests that wait at a gate: all, or one. Returns how many. */
    release(gate: string, exchange?: number): number;
  };
  /** The collections of each environment: `data.museum.specialEvents.all()`. */
  readonly data: T["data"];
  readonly auth: {
    /** A token without a login: a valid one, or one that is invalid in a known way. */
    token(options?: T["token"]): string;
    /** The JSON Web Key Set with which clients verify the tokens of an environment. */
    keys(environment?: T["environment"]): Jwks;
    /** Those that logins handed out and that are still good, the newest first. */
    tokens(): readonly IssuedTokenView[];
    /** Lets a user log in again at once. Throws a UsageError for an unknown one. */
    clearThrottle(user: string, environment?: T["environment"]): void;
  };
  readonly usage: {
    /** Simulates invoices; returns what paid for them and which mails they triggered. */
    record(usage: T["usage"]): T["receipt"];
  };
  readonly coverage: {
    /** Which documented answers the client has met. */
    data(): CoverageData;
  };
  readonly snapshots: {
    /** The oldest first. */
    list(): readonly Snapshot[];
    /** What has changed since a snapshot was taken. */
    diff(id: string): StateDifference;
    remove(id: string): void;
  };
  /** What there is to name: in rules, settings, scenarios and logins. */
  readonly catalogue: {
    /** The scenarios that come with the package. */
    presets(): readonly PresetView[];
    /** Every operation with every answer it documents, and the rule that brings it about. */
    operations(): T["operations"];
    /** Every setting, and its value now. */
    settings(): readonly SettingView[];
    /** Who can call the services, and with what. */
    credentials(): readonly CredentialView[];
    /** What the services' documents leave open, and what is served. */
    assumptions(): readonly AssumptionView[];
  };
  /**
   * Applies a scenario to the present state: a preset by name, a file by path, the value itself, or several, each over
   * the ones before. Rules added with `use` stay ahead of its rules; `default` goes back to what the options gave.
   */
  scenario(given: T["scenarios"]): Promise<void>;
  /** Applies a scenario on top of the one in force, whose rules and settings stay; its own rules come before those. */
  addScenario(given: T["scenarios"]): Promise<void>;
  /** Removes a scenario's rules and settings, and says so. Its data and clock stay. Throws a UsageError for an unknown name. */
  removeScenario(name: string): string;
  /** Goes back to what the options gave, without any scenario: clock, seed, data and settings. */
  clearScenario(): Promise<void>;
  /** The scenario in force; without one its name is `default`. */
  currentScenario(): CurrentScenario;
  /** Whether a rule or a scenario could be used now, and every mistake in it. Changes nothing. */
  check(what: Checkable): Promise<CheckReport>;
  /** What would become of a request: which rules act and why the others do not. Changes nothing. */
  explain(question: ExplainInput): Promise<Explanation>;
  /** The last line of a test: throws a UsageError if `report` has failures, otherwise returns it. */
  verify(): SandboxReport;
  /** What a test left behind: unmatched requests, rules that never fired, gates with waiting requests. */
  report(): SandboxReport;
  /** Findings about the client's traffic in the journal, each with advice. */
  lint(): readonly LintView[];
  /** Everything known about a failed test, as one JSON for `vitrine show`. A matcher selects exchanges. */
  capsule(matcher?: T["matcher"]): Capsule;
  /** The journal, or its exchanges that match, as an HTTP Archive 1.2 for browsers and proxies. */
  har(matcher?: T["matcher"]): Har;
  /** Restores data, clock, ids, throttle, settings, rules and mailbox to the start, and empties the journal. */
  reset(): void;
  /** Data, clock, ids, settings and rules as they are now. An existing one of that name is replaced. */
  snapshot(name?: string): Snapshot;
  /** Returns to a snapshot, given itself or by its id. The journal stays. */
  restore(snapshot: Snapshot | string): void;
  /** The whole world as one JSON value, passwords included. */
  record(): WorldRecord;
  /** The state in numbers, and a digest that changes with any of it. */
  state(): StateReport;
};

/** How long to wait, in wall time. */
type WithinOption<Duration = string> = { readonly within?: Duration | undefined };

/** The verbs that make other worlds. */
export type ForkMethods<Self, Listed = Self> = {
  readonly worlds: {
    /** The main one first. */
    list(): readonly Listed[];
    /** A world with the state of another, or as a record has it. With `replace` an existing one becomes so. */
    put(id: string, source: WorldSource, options?: { readonly replace?: boolean | undefined }): Self;
    /** Ends a world; its name is free again. */
    remove(id: string): void;
  };
  /** A new world that starts with the state of this one. Without a name it is called `w1`, `w2`, … */
  fork(name?: string): Self;
};

/** All verbs with names that are checked when they come. */
export type WorldMethods<Self = unknown> = SandboxMethods &
  ForkMethods<Self, WorldView> & {
    /** Puts a rule before all others; returns its id. */
    use(rule: RuleInput): string;
  };

/** The same verbs over HTTP: each is awaited. */
export type RemoteMethods<V> = {
  readonly [K in keyof V]: V[K] extends (...args: infer Args) => infer R
    ? (...args: Args) => Promise<Awaited<R>>
    : RemoteMethods<V[K]>;
};

export interface RemoteWorld extends RemoteMethods<SandboxMethods & { use(rule: RuleInput): string }> {
  readonly id: string;
  /** Base URL of each environment, with the prefix of the world. */
  readonly urls: Urls;
  readonly worlds: RemoteMethods<ForkMethods<RemoteWorld, WorldView>["worlds"]>;
  fork(name?: string): Promise<RemoteWorld>;
  close(): Promise<void>;
}

/** A world as it is shown to others. */
export type LocalWorld = {
  readonly id: string;
  /** The base URLs as seen by a client that reached `origin`. */
  urlsAt(origin: string): Urls;
};

/** Each method may be asynchronous: where another process or object is asked. */
export type MaybeAsync<V> = {
  readonly [K in keyof V]: V[K] extends (...args: infer Args) => infer R
    ? (...args: Args) => R | Promise<Awaited<R>>
    : MaybeAsync<V[K]>;
};
type CrossWorldMethods = ForkMethods<LocalWorld> & Pick<SandboxMethods, "coverage">;

/** The controls of a world in this process, with what only the control API needs. */
export interface LocalSandbox
  extends LocalWorld,
    Omit<WorldMethods, keyof CrossWorldMethods>,
    MaybeAsync<CrossWorldMethods> {
  readonly core: SandboxCore;
  readonly urls: Urls;
  readonly clock: SandboxMethods["clock"] & { readonly state: ClockState };
  readonly journal: Omit<SandboxMethods["journal"], "waitFor" | "verify" | "idle"> & {
    /** Another one after each reset, clear, restore and start. */
    readonly id: string;
    idle(options?: WaitForOptions): Promise<void>;
    waitFor(matcher: Matcher | string, options?: WaitForOptions): Promise<RecordedExchange>;
    verify(expectation: JournalExpectation | string, signal?: AbortSignal): Promise<Verification>;
    subscribe(listener: (exchange: RecordedExchange) => void): () => void;
    /** What a matcher names and is not there. */
    unknownNames(matcher: Matcher): readonly ValidationIssue[];
  };
  readonly mailbox: Omit<SandboxMethods["mailbox"], "waitFor"> & {
    waitFor(filter?: MessageFilter, options?: WaitForOptions): Promise<Message>;
    subscribe(listener: (mail: Message) => void): () => void;
  };
  close(): Promise<void>;
}
