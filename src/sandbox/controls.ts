/** Declares each method of a sandbox. The types for in-process use, HTTP clients and the control API derive from this file. */

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

/** Source of a world's state. Set one of: `from`, the name of another world, or `record`, the JSON that `record()` returned. */
export type WorldSource = { readonly from?: string | undefined; readonly record?: unknown };

export type CollectionMethods<In = unknown, Out = Entity> = {
  /** Returns the entities in order of creation. */
  all(): readonly Out[];
  get(key: string): Out | undefined;
  /** Adds entities. Replaces existing entities with the same key. If an entity is invalid, the collection does not change. */
  upsert(entities: In | readonly In[]): void;
  /** Replaces all entities of the collection. */
  replace(entities: In | readonly In[]): void;
  /** Removes entities by key. Throws a UsageError for an unknown key. */
  remove(keys: string | readonly string[]): void;
};

/** Wide argument types. The methods check the values at run time. `PublicArguments` has the narrow types for users. */
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

/** The methods of one world. `T` has the types of their arguments and of some results. */
export type SandboxMethods<
  T extends { readonly [K in keyof UncheckedArguments]: unknown } = UncheckedArguments,
> = {
  readonly clock: {
    /** Returns the simulated time, in ms since 1970. A frozen clock keeps its time until you change it. */
    now(): Timestamp;
    /** Stops the clock at `at`, by default its current time. With `rebase`, moves the dates of the base data to that day. */
    freeze(at?: string | Date, jump?: JumpOptions): void;
    /** Moves the clock to `at`. A running clock continues from there. */
    set(at: string | Date, jump?: JumpOptions): void;
    /** Moves the clock forward by `24h` or by milliseconds. Runs scheduled work, such as `autoplay`, at its due time. */
    advance(by: T["duration"]): Promise<void>;
    /** Lets the clock run from its current time. */
    resume(): void;
  };
  readonly journal: {
    /** Lists matching exchanges in order of arrival. `{ limit: 20, before: 300 }` selects the last 20 before number 300. */
    list(matcher?: T["matcher"], page?: JournalSlice): readonly RecordedExchange[];
    /** Returns the exchange with this number. Throws a UsageError if the number is unknown. */
    get(seq: number): RecordedExchange;
    /** Counts the matching exchanges. */
    count(matcher?: T["matcher"]): number;
    /** Waits until a matching exchange has ended, or has the `state` that the matcher names. Rejects after `within`, by default 5s. */
    waitFor(matcher: T["matcher"], options?: WithinOption<T["duration"]>): Promise<RecordedExchange>;
    /** Checks the number of matching exchanges, by default at least one. If the check fails, also lists similar exchanges. */
    verify(expectation: T["expectation"]): Promise<Verification>;
    /** Like `verify`, but rejects with the message if the expectation is not met. */
    expect(expectation: T["expectation"]): Promise<Verification>;
    /** Resolves when no exchange is open. Rejects after `within`, by default 5s. */
    idle(options?: WithinOption<T["duration"]>): Promise<void>;
    /** Deletes ended exchanges. Open exchanges stay and keep their numbers. */
    clear(): void;
  };
  readonly mailbox: {
    /** Lists matching mails, oldest first. */
    messages(filter?: MessageFilter): readonly Message[];
    /** Returns the first matching mail, and waits for it if necessary. Rejects after `within`, by default 2s. */
    waitFor(filter?: MessageFilter, options?: WithinOption<T["duration"]>): Promise<Message>;
    clear(): void;
  };
  readonly rules: {
    /** Lists rules in order of evaluation, each with its counters. */
    list(): readonly RuleStatus[];
    remove(id: string): void;
    /** Removes all rules that `use` added. Rules of scenarios stay. */
    clear(): void;
    /** Turns a rule off or on, moves it, or replaces its content. */
    update(id: string, change: T["update"]): void;
  };
  readonly gates: {
    /** Lists the requests that wait at gates, in order of arrival. A rule with `hold: "pay"` pauses requests at the gate `pay`. */
    waiting(): readonly WaitingRequest[];
    /** Releases all requests at a gate, or only the request with number `exchange`. Returns the number of released requests. */
    release(gate: string, exchange?: number): number;
  };
  /** Collections by environment: `data.museum.specialEvents.all()`. */
  readonly data: T["data"];
  readonly auth: {
    /** Creates a token without a login. Default: a valid token. `kind` selects an invalid one, such as `expired`. */
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
    /** Returns how often clients received each documented and each undocumented response. */
    data(): CoverageData;
  };
  readonly snapshots: {
    /** Lists the snapshots, oldest first. */
    list(): readonly Snapshot[];
    /** Returns the differences between a snapshot and the current state. */
    diff(id: string): StateDifference;
    remove(id: string): void;
  };
  /** Lists of the names that rules, scenarios and logins can use. */
  readonly catalogue: {
    /** Lists the presets: the scenarios in the package. */
    presets(): readonly PresetView[];
    /** Lists every operation with its documented responses. Each response has a rule that triggers it. */
    operations(): T["operations"];
    /** Lists every setting with its current value. */
    settings(): readonly SettingView[];
    /** Lists the users of the services with their credentials. */
    credentials(): readonly CredentialView[];
    /** Lists the points that the documents of the services leave open, with the behavior of the sandbox for each. */
    assumptions(): readonly AssumptionView[];
  };
  /**
   * Applies a scenario to the current state: a preset by name, a file by path, an object, or a list of these. Rules added
   * with `use` stay, and run before its rules. The name `default` first restores clock, seed and data as the options set them.
   */
  scenario(given: T["scenarios"]): Promise<void>;
  /** Adds a scenario to the active one, whose rules and settings stay. The rules of the new scenario run first. */
  addScenario(given: T["scenarios"]): Promise<void>;
  /** Removes the rules and settings of a scenario. Its data and clock stay. Returns a message. Throws for an unknown name. */
  removeScenario(name: string): string;
  /** Removes the active scenarios. Restores clock, seed, data and settings as the sandbox's options set them. */
  clearScenario(): Promise<void>;
  /** Returns the active scenario. Its name is `default` if you did not apply a scenario. */
  currentScenario(): CurrentScenario;
  /** Reports all errors in a rule or a scenario. Changes nothing. */
  check(what: Checkable): Promise<CheckReport>;
  /** Predicts the response to a request. Explains for each rule why it applies or does not. Changes nothing. */
  explain(question: ExplainInput): Promise<Explanation>;
  /** Throws a UsageError if `report()` returns failures. Call it at the end of a test. */
  verify(): SandboxReport;
  /** Reports problems such as unmatched requests, unused rules, open requests and requests paused at gates. */
  report(): SandboxReport;
  /** Finds common mistakes of the client, each with advice. */
  lint(): readonly LintView[];
  /** Exports exchanges and state as one JSON value for the command `vitrine show`. `matcher` selects the exchanges. */
  capsule(matcher?: T["matcher"]): Capsule;
  /** Exports the journal, or its matching exchanges, as an HTTP Archive 1.2 (HAR), which browsers and proxies can open. */
  har(matcher?: T["matcher"]): Har;
  /** Restores the start state: data, clock, ids, login limits, settings, rules and mailbox. Empties the journal. */
  reset(): void;
  /** Takes a snapshot of data, clock, ids, settings and rules. Replaces a snapshot with the same name. */
  snapshot(name?: string): Snapshot;
  /** Restores a snapshot, given as an object or by its id. The journal stays. */
  restore(snapshot: Snapshot | string): void;
  /** Exports the whole world as a JSON value, including passwords. */
  record(): WorldRecord;
  /** Returns counts of entities, mails and exchanges, and a digest of data, clock, settings and rules. */
  state(): StateReport;
};

/** Timeout in wall-clock time. */
type WithinOption<Duration = string> = { readonly within?: Duration | undefined };

/** The methods that manage worlds. */
export type ForkMethods<Self, Listed = Self> = {
  readonly worlds: {
    /** Lists all worlds; the main world is first. */
    list(): readonly Listed[];
    /** Creates a world from another world or a record. With `replace`, overwrites an existing world of this name. */
    put(id: string, source: WorldSource, options?: { readonly replace?: boolean | undefined }): Self;
    /** Ends a world. You can use its name again. */
    remove(id: string): void;
  };
  /** Creates a world with the state of this world. Default names: `w1`, `w2`, … */
  fork(name?: string): Self;
};

/** All methods of a world, with the wide argument types that are checked at run time. */
export type WorldMethods<Self = unknown> = SandboxMethods &
  ForkMethods<Self, WorldView> & {
    /** Adds a rule before all others. Returns its id. */
    use(rule: RuleInput): string;
  };

/** The methods of `V` over HTTP, where each method returns a promise. */
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
  /** Returns the base URLs for a client that reaches the sandbox at `origin`. */
  urlsAt(origin: string): Urls;
};

/** The methods of `V`. Each may return a promise, because the world can be in another process or Durable Object. */
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
    /** Reports operations, users and other names in a matcher that do not exist. */
    unknownNames(matcher: Matcher): readonly ValidationIssue[];
  };
  readonly mailbox: Omit<SandboxMethods["mailbox"], "waitFor"> & {
    waitFor(filter?: MessageFilter, options?: WaitForOptions): Promise<Message>;
    subscribe(listener: (mail: Message) => void): () => void;
  };
  close(): Promise<void>;
}
