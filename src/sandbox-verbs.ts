/**
 * The sandbox as users see it: its verbs, each with a line of documentation, and nothing of its inside. `live-sandbox.ts`
 * has them in this process, `connect.ts` over HTTP. Come here to change what an editor shows.
 */

import type { Auth } from "./credentials.ts";
import type { Capsule } from "./journal/capsule.ts";
import type { CoverageData } from "./journal/coverage.ts";
import type { Har } from "./journal/har.ts";
import type { Notice } from "./journal/notices.ts";
import type { RecordedExchange } from "./journal/recorded-exchange.ts";
import type { Page } from "./journal/search.ts";
import type { SandboxReport, Verification } from "./journal/verify.ts";
import type { LintFinding } from "./linter/lint.ts";
import type { BaseUrls, Listening } from "./live-sandbox.ts";
import type { OperationGlob } from "./operation-names.ts";
import type { OpenOptions } from "./places/node/server.ts";
import type { Fetch } from "./request/in-process-fetch.ts";
import type { RuleStatus } from "./rules/active-rules.ts";
import type { Waiter } from "./rules/gates.ts";
import type { CatalogueControls, Local, SnapshotControls } from "./sandbox/controls.ts";
import type { WorldRecord } from "./sandbox/record.ts";
import type { StateReport } from "./sandbox/state-report.ts";
import type {
  Checkable,
  CheckReport,
  CurrentScenario,
  Explanation,
  OperationView,
  Question,
  RuleUpdate,
  Snapshot,
  WorldSource,
  WorldView,
} from "./sandbox/views.ts";
import type { AccountClient, AccountData } from "./services/account/surface.ts";
import type { UsageControls } from "./services/account/usage.ts";
import type { MuseumClient, MuseumData } from "./services/museum/surface.ts";
import type { Expectation, Matcher, RuleInput, TypedRule } from "./typed-rule.ts";
import type { GivenScenarios } from "./typed-scenario.ts";
import type { Jump } from "./world/clock.ts";
import type { Message, MessageFilter } from "./world/mailbox.ts";
import type { Duration, Instant } from "./world/time.ts";

/** How long to wait, in wall time. */
type Within = { readonly within?: Duration | undefined };

/** The typed clients of a world. */
export type Clients = {
  /** The museum: a call for each operation, with credentials filled in. */
  readonly museum: MuseumClient;
  /** The account's production; calls without an `authorization` carry a fresh token of its first user. */
  readonly account: AccountClient;
  /** The account's own sandbox, with users, data and keys of its own. */
  readonly accountSandbox: AccountClient;
};

type Collection<Entity extends { input: unknown; output: unknown }> = {
  /** In order of creation. */
  all(): readonly Entity["output"][];
  get(key: string): Entity["output"] | undefined;
  /** Adds entities, or replaces those with the same key: all of them or, when one is wrong, none. */
  upsert(entities: readonly Entity["input"][]): void;
  /** Replaces all entities by these. */
  replace(entities: readonly Entity["input"][]): void;
  /** Removes by key; throws a UsageError for an unknown one. */
  remove(keys: readonly string[]): void;
};
type Collections<Data extends Record<keyof Data, { input: unknown; output: unknown }>> = {
  readonly [K in keyof Data]: Collection<Data[K]>;
};

type Catalogue = Local<Omit<CatalogueControls, "operations">> & {
  /** Every operation with every answer it documents, and the rule that brings it about, for `use`. */
  operations(): readonly (Omit<OperationView, "outcomes"> & {
    readonly outcomes: readonly (Omit<OperationView["outcomes"][number], "rule"> & {
      readonly rule: RuleInput;
    })[];
  })[];
};

/** What both a sandbox in this process and one that `connect` reaches can do. */
export type Verbs = {
  readonly clock: {
    /** Milliseconds since 1970. While the clock is frozen, only these verbs change it. */
    now(): Instant;
    /** Stops time, at `at` when given, otherwise now. `rebase` takes the dates of the base data along. */
    freeze(at?: string | Date, jump?: Jump): void;
    /** Jumps to `at` and keeps the mode: a ticking clock goes on ticking from there. */
    set(at: string | Date, jump?: Jump): void;
    /** Moves time forward, `24h`, and runs all work that falls due, in order, each at its own instant. */
    advance(by: Duration): Promise<void>;
    /** Lets time run again from the current instant. */
    resume(): void;
  };
  readonly journal: {
    /** The exchanges that match, in order of arrival. */
    list(matcher?: Matcher, page?: Page): readonly RecordedExchange[];
    /** The exchange of that number. */
    get(seq: number): RecordedExchange;
    /** Those that have begun and not ended, in order of arrival, as far as they have come. */
    open(): readonly RecordedExchange[];
    /** How many exchanges match. */
    count(matcher?: Matcher): number;
    /** The first exchange that matches: one that is there, or the next to come. Rejects after `within`, by default 5s. */
    waitFor(matcher: Matcher, options?: Within): Promise<RecordedExchange>;
    /** Whether as many exchanges match as expected, by default at least one; a failure says what came nearest. */
    verify(expectation: Expectation): Promise<Verification>;
    clear(): void;
  };
  readonly mailbox: {
    /** Oldest first. */
    messages(filter?: MessageFilter): readonly Message[];
    /** The first mail that matches: one that is there, or the next to arrive. Rejects after `within`, by default 2s. */
    waitFor(filter?: MessageFilter, options?: Within): Promise<Message>;
    clear(): void;
  };
  readonly rules: {
    /** In the order in which they are evaluated, with what each has done so far. */
    list(): readonly RuleStatus[];
    remove(id: string): void;
    /** Removes all that were added at run time. */
    clear(): void;
    /** Switches a rule off or on, moves it, or puts another in its place. */
    update(id: string, change: Omit<RuleUpdate, "rule"> & { readonly rule?: RuleInput | undefined }): void;
  };
  /** The snapshots that were taken, the oldest first, and what has changed since. */
  readonly snapshots: Local<SnapshotControls>;
  /** What there is to name: presets, operations, settings, credentials, assumptions. */
  readonly catalogue: Catalogue;
  readonly gates: {
    /** The requests that wait at gates of rules with `hold`, in order of arrival. */
    waiting(): readonly Waiter[];
    /** @deprecated Renamed to `waiting` in the second edition. */
    held(): readonly Waiter[];
    /** Releases the requests that wait at a gate: all, or one. Returns how many. */
    release(gate: string, exchange?: number): number;
  };
  /** The collections of each environment: `data.museum.specialEvents.all()`. */
  readonly data: {
    readonly museum: Collections<MuseumData>;
    readonly account: Collections<AccountData>;
    readonly accountSandbox: Collections<AccountData>;
  };
  /** Simulates invoices, which consume presales and trigger their actions. */
  readonly usage: UsageControls;
  readonly coverage: {
    /** Which documented answers the client has met. */
    data(): CoverageData;
  };
  /**
   * Applies a scenario to the present state: a preset by name, a file by path, the value itself, or several, each over
   * the ones before. Rules added with `use` stay ahead of its rules; `default` goes back to what the options gave.
   */
  scenario(given: GivenScenarios): Promise<void>;
  /** Applies a scenario on top of the one in force, whose rules and settings stay; its own rules come before those. */
  addScenario(given: GivenScenarios): Promise<void>;
  /** Goes back to what the options gave, without any scenario: clock, seed, data and settings. */
  clearScenario(): Promise<void>;
  /** The scenario in force; without one its name is `default`. */
  currentScenario(): CurrentScenario;
  /** The last line of a test: throws a UsageError if `report` has failures, otherwise returns it. */
  verify(): SandboxReport;
  /** What a test left behind: unmatched requests, rules that never fired, gates with waiting requests. */
  report(): SandboxReport;
  /** Findings about the client's traffic in the journal, each with advice. */
  lint(): readonly LintFinding[];
  /** Everything known about a failed test, as one JSON for `vitrine replay`. */
  capsule(): Capsule;
  /** The journal as an HTTP Archive 1.2, which browsers and proxies can open. */
  har(): Har;
  /** Whether a rule or a scenario could be used now. Changes nothing. */
  check(what: Checkable): Promise<CheckReport>;
  /** What would become of a request: which rules act and why the others do not. Changes nothing. */
  explain(question: Question): Promise<Explanation>;
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

/** What only a sandbox in this process can do. */
type LocalVerbs = {
  readonly auth: Auth;
  readonly journal: {
    readonly last: RecordedExchange | undefined;
    /** What went wrong outside the exchanges, such as a mail that could not be sent: the newest 100. */
    readonly notices: {
      /** Oldest first. */
      readonly all: readonly Notice[];
      /** Calls the listener for each notice from now on, until the returned function is called. */
      subscribe(listener: (notice: Notice) => void): () => void;
    };
    /** Calls the listener with every exchange that ends, until the returned function is called. */
    subscribe(listener: (exchange: RecordedExchange) => void): () => void;
  };
  readonly mailbox: {
    /** Calls the listener with every mail that arrives, until the returned function is called. */
    subscribe(listener: (mail: Message) => void): () => void;
  };
  readonly gates: {
    /** Resolves when so many requests wait at a gate. */
    arrived(gate: string, count?: number): Promise<void>;
  };
  readonly worlds: {
    /** The main one first. */
    list(): readonly Sandbox[];
    /** Throws a UsageError for an unknown one. */
    get(id: string): Sandbox;
    /** A world with the state of another, or as a record has it. With `replace` an existing one becomes so. */
    put(id: string, source: WorldSource, options?: { readonly replace?: boolean | undefined }): Sandbox;
    remove(id: string): void;
  };
  /**
   * Everything that the common address serves as a Hono app, for an app of any copy of Hono to mount:
   * `app.route("/mock", sandbox.app)`. There the control API asks for a token, and a wire fault is answered with 501.
   */
  // biome-ignore lint/suspicious/noExplicitAny: two copies of Hono have types of their own that do not fit each other
  readonly app: any;
  /** Puts a rule before all others; the same object as in a scenario file. Returns its id. Throws a UsageError. */
  use<const N extends OperationGlob>(rule: TypedRule<N>): string;
  /** A new world that starts with the state of this one. Without a name it is called `w1`, `w2`, … */
  fork(name?: string): Sandbox;
  /** Answers a request as if it came from the network, whatever its host: guard and worlds included. */
  answer(request: Request): Promise<Response>;
  /** Binds a port; 0 is any free one. Rejects if it is taken, or if a non-loopback host has no control token. */
  listen(options?: OpenOptions): Promise<Listening>;
};

/** What a world has, wherever it is. */
export type Reached = {
  /** The name of its world; `main` is the first. */
  readonly id: string;
  /** Base URL of each environment, with the prefix of this world. */
  readonly urls: BaseUrls;
  /** Like the global `fetch`. Relative paths start at the common address; in process other hosts are refused. */
  readonly fetch: Fetch;
  /** Closes the sandbox; closing a fork affects no other. Later calls are refused. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Both services with their data, clock, rules and journal, in this process. */
export type Sandbox = Reached & Clients & Verbs & LocalVerbs;

type Remote<V> = {
  readonly [K in keyof V]: V[K] extends (...args: infer Args) => infer R
    ? (...args: Args) => Promise<Awaited<R>>
    : Remote<V[K]>;
};

/** The same verbs over HTTP: each is awaited. */
export type RemoteSandbox = Reached &
  Clients &
  Remote<Verbs> & {
    readonly auth: Remote<Omit<Auth, "basic" | "login">> & Pick<Auth, "basic" | "login">;
    readonly worlds: {
      /** The main one first. */
      list(): Promise<readonly WorldView[]>;
      /** A world with the state of another, or as a record has it. With `replace` an existing one becomes so. */
      put(
        id: string,
        source: WorldSource,
        options?: { readonly replace?: boolean | undefined },
      ): Promise<RemoteSandbox>;
      remove(id: string): Promise<void>;
    };
    /** Puts a rule before all others; the same object as in a scenario file. Returns its id. */
    use<const N extends OperationGlob>(rule: TypedRule<N>): Promise<string>;
    /** A new world that starts with the state of this one. Without a name it is called `w1`, `w2`, … */
    fork(name?: string): Promise<RemoteSandbox>;
  };
