/** Declares each method of a sandbox once. The types in process, over HTTP and for the control API derive from it. */

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

export type Checkable = {
  readonly rule?: object | undefined;
  readonly scenario?: string | object | readonly (string | object)[] | undefined;
};

/** Source of a world's state: `from` is the name of another world, `record` a record, checked at run time. */
export type WorldSource = { readonly from?: string | undefined; readonly record?: unknown };

export type CollectionMethods<In = unknown, Out = Entity> = {
  /** Entities in order of creation. */
  all(): readonly Out[];
  get(key: string): Out | undefined;
  /** Adds one or more entities, or replaces those with the same key. If one is invalid, the collection stays unchanged. */
  upsert(entities: In | readonly In[]): void;
  /** Replaces all entities of the collection. */
  replace(entities: In | readonly In[]): void;
  /** Removes entities by key. Throws a UsageError for an unknown key. */
  remove(keys: string | readonly string[]): void;
};

/** Wide argument types of the methods, which check the values at run time. `PublicArguments` narrows the types. */
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
  /** Collections by environment and name. */
  readonly data: Readonly<Record<string, Readonly<Record<string, CollectionMethods>>>>;
};

/** The methods of one world. `T` has the types of their arguments. */
export type SandboxMethods<
  T extends { readonly [K in keyof UncheckedArguments]: unknown } = UncheckedArguments,
> = {
  readonly clock: {
    /** Returns the simulated time, in ms since 1970. Only the methods below change a frozen clock. */
    now(): Timestamp;
    /** Stops the clock at `at`, by default now. With `rebase`, also moves the dates of the base data. */
    freeze(at?: string | Date, jump?: JumpOptions): void;
    /** Moves the clock to `at`. A running clock continues from there. */
    set(at: string | Date, jump?: JumpOptions): void;
    /** Moves the clock forward, by `24h` or by milliseconds. Runs scheduled work on the way, at its due time. */
    advance(by: T["duration"]): Promise<void>;
    /** Lets the clock run from its current time. */
    resume(): void;
  };
  readonly journal: {
    /** Lists matching exchanges in order of arrival. To page, pass `{ limit: 20, before: 300 }`. */
    list(matcher?: T["matcher"], page?: JournalSlice): readonly RecordedExchange[];
    /** Returns the exchange with this number. Throws a UsageError if the number is unknown. */
    get(seq: number): RecordedExchange;
    /** Counts the matching exchanges. */
    count(matcher?: T["matcher"]): number;
    /** Waits for the first matching exchange that has ended or has the given `state`. Rejects after `within`, by default 5s. */
    waitFor(matcher: T["matcher"], options?: WithinOption<T["duration"]>): Promise<RecordedExchange>;
    /** Checks the number of matching exchanges, by default at least one. If too few match, lists similar ones. */
    verify(expectation: T["expectation"]): Promise<Verification>;
    /** Like `verify`, but rejects with the message if the expectation is not met. */
    expect(expectation: T["expectation"]): Promise<Verification>;
    /** Resolves when no exchange is open. Rejects after `within`, by default 5s. */
    idle(options?: WithinOption<T["duration"]>): Promise<void>;
    /** Deletes ended exchanges. Open ones stay, with their numbers. */
    clear(): void;
  };
  readonly mailbox: {
    /** Lists matching mails, oldest first. */
    messages(filter?: MessageFilter): readonly Message[];
    /** Returns the first matching mail, or waits for the next. Rejects after `within`, by default 2s. */
    waitFor(filter?: MessageFilter, options?: WithinOption<T["duration"]>): Promise<Message>;
    clear(): void;
  };
  readonly rules: {
    /** Lists rules in order of evaluation, each with its counters. */
    list(): readonly RuleStatus[];
    remove(id: string): void;
    /** Removes all rules added at run time. */
    clear(): void;
    /** Turns a rule off or on, moves it, or replaces its content. */
    update(id: string, change: T["update"]): void;
  };
  readonly gates: {
    /** Lists the requests paused at gates of rules with `hold`, in order of arrival. */
    waiting(): readonly WaitingRequest[];
    /** Releases all requests at a gate, or the one with the number `exchange`. Returns how many it released. */
    release(gate: string, exchange?: number): number;
  };
  /** Collections by environment: `data.museum.specialEvents.all()`. */
  readonly data: T["data"];
  readonly auth: {
    /** Creates a token without a login: valid, or invalid in the way that `kind` names. */
    token(options?: T["token"]): string;
    /** Returns the JSON Web Key Set that verifies the tokens of an environment. */
    keys(environment?: T["environment"]): Jwks;
    /** Lists valid tokens that logins returned, newest first. */
    tokens(): readonly IssuedTokenView[];
    /** Lets a user log in again immediately. Throws a UsageError for an unknown user. */
    clearThrottle(user: string, environment?: T["environment"]): void;
  };
  readonly usage: {
    /** Simulates invoices. Returns how they were paid and which mails they triggered. */
    record(usage: T["usage"]): T["receipt"];
  };
  readonly coverage: {
    /** Counts the documented responses that the client received. */
    data(): CoverageData;
  };
  readonly snapshots: {
    /** Lists the snapshots, oldest first. */
    list(): readonly Snapshot[];
    /** Lists the changes since a snapshot. */
    diff(id: string): StateDifference;
    remove(id: string): void;
  };
  /** Lists of the names that rules, scenarios and logins can use. */
  readonly catalogue: {
    /** Lists the presets: the scenarios in the package. */
    presets(): readonly PresetView[];
    /** Lists every operation with its documented responses, each with the rule that triggers it. */
    operations(): T["operations"];
    /** Lists every setting with its current value. */
    settings(): readonly SettingView[];
    /** Lists the users of the services with their credentials. */
    credentials(): readonly CredentialView[];
    /** Lists the points that the documents of the services leave open, with the behavior of the sandbox for each. */
    assumptions(): readonly AssumptionView[];
  };
  /**
   * Applies a scenario to the current state: a preset by name, a file by path, an object, or several in order. Rules added
   * with `use` stay, and run before its rules. `default` first restores clock, seed and data of the options.
   */
  scenario(given: T["scenarios"]): Promise<void>;
  /** Adds a scenario to the active one, whose rules and settings stay. The rules of the new scenario run first. */
  addScenario(given: T["scenarios"]): Promise<void>;
  /** Removes a scenario's rules and settings, not its data and clock. Returns a message. Throws for an unknown name. */
  removeScenario(name: string): string;
  /** Returns to the state of the options, without a scenario: clock, seed, data and settings. */
  clearScenario(): Promise<void>;
  /** Returns the active scenario. Its name is `default` if you applied none. */
  currentScenario(): CurrentScenario;
  /** Reports all errors in a rule or a scenario. Changes nothing. */
  check(what: Checkable): Promise<CheckReport>;
  /** Predicts the response to a request: which rules apply, and why others do not. Changes nothing. */
  explain(question: ExplainInput): Promise<Explanation>;
  /** Throws a UsageError if `report` has failures. Call it at the end of a test. */
  verify(): SandboxReport;
  /** Reports unmatched requests, unused rules, open requests and requests paused at gates. */
  report(): SandboxReport;
  /** Finds problems in the client's traffic, each with advice. */
  lint(): readonly LintView[];
  /** Exports a failed test as one JSON value, for `vitrine show`. A matcher selects its exchanges. */
  capsule(matcher?: T["matcher"]): Capsule;
  /** Exports the journal, or its matching exchanges, as HTTP Archive 1.2 for browsers and proxies. */
  har(matcher?: T["matcher"]): Har;
  /** Restores the start state: data, clock, ids, login limits, settings, rules and mailbox. Empties the journal. */
  reset(): void;
  /** Takes a snapshot of data, clock, ids, settings and rules. Replaces a snapshot with the same name. */
  snapshot(name?: string): Snapshot;
  /** Restores a snapshot, given as an object or by its id. The journal stays. */
  restore(snapshot: Snapshot | string): void;
  /** Exports the whole world as a JSON value, including passwords. */
  record(): WorldRecord;
  /** Returns counts, and a digest that changes with any part of the state. */
  state(): StateReport;
};

/** Timeout in wall-clock time. */
type WithinOption<Duration = string> = { readonly within?: Duration | undefined };

/** The methods that manage worlds. */
export type ForkMethods<Self, Listed = Self> = {
  readonly worlds: {
    /** Lists all worlds; the main world is first. */
    list(): readonly Listed[];
    /** Creates a world with the state of another, or from a record. `replace`: overwrites a world of this name. */
    put(id: string, source: WorldSource, options?: { readonly replace?: boolean | undefined }): Self;
    /** Ends a world. You can use its name again. */
    remove(id: string): void;
  };
  /** Creates a world with the state of this one. Default names: `w1`, `w2`, … */
  fork(name?: string): Self;
};

/** All methods, with arguments that are checked at run time. */
export type WorldMethods<Self = unknown> = SandboxMethods &
  ForkMethods<Self, WorldView> & {
    /** Adds a rule before all others. Returns its id. */
    use(rule: RuleInput): string;
  };

/** The same methods over HTTP: each returns a promise. */
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

export type LocalWorld = {
  readonly id: string;
  /** Base URLs for a client that uses `origin`. */
  urlsAt(origin: string): Urls;
};

/** Allows each method to be asynchronous, for worlds in another process or Durable Object. */
export type MaybeAsync<V> = {
  readonly [K in keyof V]: V[K] extends (...args: infer Args) => infer R
    ? (...args: Args) => R | Promise<Awaited<R>>
    : MaybeAsync<V[K]>;
};
type CrossWorldMethods = ForkMethods<LocalWorld> & Pick<SandboxMethods, "coverage">;

/** The methods of a world in this process, with additional members for the control API. */
export interface LocalSandbox
  extends LocalWorld,
    Omit<WorldMethods, keyof CrossWorldMethods>,
    MaybeAsync<CrossWorldMethods> {
  readonly core: SandboxCore;
  readonly urls: Urls;
  readonly clock: SandboxMethods["clock"] & { readonly state: ClockState };
  readonly journal: Omit<SandboxMethods["journal"], "waitFor" | "verify" | "idle"> & {
    /** Id of the journal. It changes when the journal is created, cleared, reset or restored. */
    readonly id: string;
    idle(options?: WaitForOptions): Promise<void>;
    waitFor(matcher: Matcher | string, options?: WaitForOptions): Promise<RecordedExchange>;
    verify(expectation: JournalExpectation | string, signal?: AbortSignal): Promise<Verification>;
    subscribe(listener: (exchange: RecordedExchange) => void): () => void;
    /** Reports names in a matcher that do not exist. */
    unknownNames(matcher: Matcher): readonly ValidationIssue[];
  };
  readonly mailbox: Omit<SandboxMethods["mailbox"], "waitFor"> & {
    waitFor(filter?: MessageFilter, options?: WaitForOptions): Promise<Message>;
    subscribe(listener: (mail: Message) => void): () => void;
  };
  close(): Promise<void>;
}
