/**
 * The verbs of a sandbox as one type with two implementations: the sandbox itself in process, and
 * `control/remote.ts` over HTTP. Whatever controls a sandbox from outside can do exactly this.
 */

import type { Capsule } from "../journal/capsule.ts";
import type { CoverageData } from "../journal/coverage.ts";
import type { Har } from "../journal/har.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Page } from "../journal/search.ts";
import type { Expectation, SandboxReport, Verification } from "../journal/verify.ts";
import type { ValidationIssue } from "../operation/issue.ts";
import type { RuleStatus } from "../rules/active-rules.ts";
import type { Waiter } from "../rules/gates.ts";
import type { Matcher } from "../rules/matcher.ts";
import type { RuleInput } from "../rules/rule.ts";
import type { ClockState, Jump } from "../world/clock.ts";
import type { Message, MessageFilter } from "../world/mailbox.ts";
import type { Entity } from "../world/store.ts";
import type { Instant } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Urls } from "./addresses.ts";
import type { StateDifference } from "./difference.ts";
import type { WorldRecord } from "./record.ts";
import type { Sandbox } from "./sandbox.ts";
import type { StateReport } from "./state-report.ts";
import type {
  AssumptionView,
  Checkable,
  CheckReport,
  CredentialView,
  CurrentScenario,
  Explanation,
  IssuedToken,
  Jwks,
  LintFinding,
  OperationView,
  PresetView,
  Question,
  RuleUpdate,
  SettingView,
  Snapshot,
  TokenInput,
  UsageInput,
  UsageReceipt,
  Within,
  WorldSource,
  WorldView,
} from "./views.ts";

/** In process most verbs return at once; over HTTP none does. `await` works for both. */
export type Awaitable<T> = T | Promise<T>;

export type ClockControls = {
  now(): Awaitable<Instant>;
  /** The dates of the base data stay where they are, unless `rebase` takes them along. */
  freeze(at?: string | Date, jump?: Jump): Awaitable<void>;
  set(at: string | Date, jump?: Jump): Awaitable<void>;
  /** Runs all work that falls due on the way, in order, each at its own instant. */
  advance(by: string): Promise<void>;
  resume(): Awaitable<void>;
};

export type CollectionControls = {
  all(): Awaitable<readonly Entity[]>;
  get(key: string): Awaitable<Entity | undefined>;
  upsert(entities: readonly unknown[]): Awaitable<void>;
  replace(entities: readonly unknown[]): Awaitable<void>;
  remove(keys: readonly string[]): Awaitable<void>;
};

export type MailboxControls = {
  messages(filter?: MessageFilter): Awaitable<readonly Message[]>;
  waitFor(filter?: MessageFilter, options?: Within): Promise<Message>;
  clear(): Awaitable<void>;
};

export type RuleControls = {
  /** In the order in which they are evaluated, with what each has done so far. */
  list(): Awaitable<readonly RuleStatus[]>;
  remove(id: string): Awaitable<void>;
  /** Removes all that were added at run time. */
  clear(): Awaitable<void>;
  /** Switches a rule off or on, moves it, or puts another in its place. */
  update(id: string, change: RuleUpdate): Awaitable<void>;
};

export type GateControls = {
  /** The waiting exchanges in order of arrival: the gate, and the number of the exchange. */
  waiting(): Awaitable<readonly Waiter[]>;
  /** @deprecated Renamed to `waiting` in the second edition. */
  held(): Awaitable<readonly Waiter[]>;
  /** Releases the exchanges waiting at a gate: all, or one. Returns how many. */
  release(gate: string, exchange?: number): Awaitable<number>;
};

export type JournalControls = {
  list(matcher?: Matcher, page?: Page): Awaitable<readonly RecordedExchange[]>;
  /** The exchange of that number. */
  get(seq: number): Awaitable<RecordedExchange>;
  /** Those that have begun and not ended, in order of arrival, as far as they have come. */
  open(): Awaitable<readonly RecordedExchange[]>;
  count(matcher?: Matcher): Awaitable<number>;
  waitFor(matcher: Matcher, options?: Within): Promise<RecordedExchange>;
  verify(expectation: Expectation): Promise<Verification>;
  clear(): Awaitable<void>;
};

export type WorldControls = {
  /** The main one first. */
  list(): Awaitable<readonly WorldView[]>;
  /** A world of this name with the state of another, or as a record describes it. An existing one is refused or, with `replace`, becomes so. */
  put(id: string, source: WorldSource, options?: { readonly replace?: boolean }): Awaitable<Controls>;
  /** Ends a world; its name is free again. */
  remove(id: string): Awaitable<void>;
};

export type SnapshotControls = {
  /** The oldest first. */
  list(): Awaitable<readonly Snapshot[]>;
  /** What has changed since it was taken. */
  diff(id: string): Awaitable<StateDifference>;
  remove(id: string): Awaitable<void>;
  clear(): Awaitable<void>;
};

/** What there is to name: in rules, settings, scenarios and logins. */
export type CatalogueControls = {
  presets(): Awaitable<readonly PresetView[]>;
  /** Every operation with every answer it documents, and the rule that brings it about. */
  operations(): Awaitable<readonly OperationView[]>;
  /** Every setting, and its value now. */
  settings(): Awaitable<readonly SettingView[]>;
  /** Who can log in, and with what. */
  credentials(): Awaitable<readonly CredentialView[]>;
  /** What the services' documents leave open, and what is served. */
  assumptions(): Awaitable<readonly AssumptionView[]>;
};
export type Controls = {
  /** The name of the world. */
  readonly id: string;
  /** Base URL of each environment, with the prefix of the world. */
  readonly urls: Urls;
  readonly clock: ClockControls;
  readonly mailbox: MailboxControls;
  /** Environment key -> collection -> its entities: `data.museum.specialEvents`. */
  readonly data: Readonly<Record<string, Readonly<Record<string, CollectionControls>>>>;
  readonly journal: JournalControls;
  readonly rules: RuleControls;
  readonly gates: GateControls;
  /** Puts a rule before all others; returns its id. */
  use(rule: RuleInput): Awaitable<string>;
  /**
   * Applies a scenario to the present state: a preset by name, or a scenario as a value. `default` goes back to what the
   * options gave, without any scenario; rules added with `use` and the journal stay.
   */
  scenario(given: string | object | readonly (string | object)[]): Promise<void>;
  /** Applies a scenario on top of the one in force, whose rules and settings stay; its own rules come first. */
  addScenario(given: string | object | readonly (string | object)[]): Promise<void>;
  /** The scenario in force. */
  currentScenario(): Awaitable<CurrentScenario>;
  /** Goes back to what the options gave, without any scenario; rules added with `use` and the journal stay. */
  clearScenario(): Promise<void>;
  readonly worlds: WorldControls;
  /** What a test left behind: unmatched requests, rules that never fired, gates with waiting requests. */
  verify(): Awaitable<SandboxReport>;
  report(): Awaitable<SandboxReport>;
  readonly coverage: { data(): Awaitable<CoverageData> };
  lint(): Awaitable<readonly LintFinding[]>;
  /** Everything known about a failed test, as one JSON for `vitrine replay`. */
  capsule(): Awaitable<Capsule>;
  /** The journal as an HTTP Archive. */
  har(): Awaitable<Har>;
  readonly auth: {
    /** A token without a login. */
    token(options?: TokenInput): Awaitable<string>;
    /** The keys that verify tokens, as a JSON Web Key Set. */
    keys(environment?: string): Awaitable<Jwks>;
    /** Those that logins handed out and that have not expired, the newest first. */
    tokens(): Awaitable<readonly IssuedToken[]>;
    /** Lets a user log in again at once. */
    clearThrottle(user: string, environment?: string): Awaitable<void>;
  };
  /** Simulates invoices; returns what paid for them and which mails they triggered. */
  readonly usage: { record(usage: UsageInput): Awaitable<UsageReceipt> };
  readonly snapshots: SnapshotControls;
  readonly catalogue: CatalogueControls;
  /** Whether a rule or a scenario could be used now. Changes nothing. */
  check(what: Checkable): Promise<CheckReport>;
  /** What would become of a request: which rules act and why the others do not. Changes nothing. */
  explain(question: Question): Promise<Explanation>;
  reset(): Awaitable<void>;
  snapshot(name?: string): Awaitable<Snapshot>;
  restore(snapshot: Snapshot | string): Awaitable<void>;
  fork(name?: string): Awaitable<Controls>;
  /** The whole world as one JSON value, passwords included. */
  record(): Awaitable<WorldRecord>;
  /** The state in numbers, and a digest that changes with any of it. */
  state(): Awaitable<StateReport>;
  close(): Awaitable<void>;
};

/** What is returned without a promise where there may be none. */
type Now<R> = [Exclude<R, Promise<unknown>>] extends [never] ? R : Exclude<R, Promise<unknown>>;
/** The same verbs in process, where those that need not wait return at once. */
export type Local<C> = {
  readonly [K in keyof C]: C[K] extends (...args: infer Args) => infer R
    ? (...args: Args) => Now<R>
    : C[K] extends string
      ? C[K]
      : Local<C[K]>;
};
export type LocalCollection = Omit<Local<CollectionControls>, "get">;

/** Who waits, for as long as the signal is not aborted. */
type Patient = Within & { readonly signal?: AbortSignal | undefined };

/** The controls of a world in this process, with what only the control API needs. */
export type LocalControls = Local<Omit<Controls, "auth" | "data" | "fork" | "urls">> & {
  readonly core: Sandbox;
  readonly urls: Urls;
  readonly data: Readonly<Record<string, Readonly<Record<string, LocalCollection>>>>;
  readonly auth: Omit<Local<Controls["auth"]>, "token" | "keys" | "clearThrottle"> & {
    token(options?: TokenInput): string;
    keys(environment?: string): Jwks;
    clearThrottle(user: string, environment?: string): void;
  };
  fork(name?: string): LocalControls;
  readonly clock: { readonly state: ClockState };
  readonly journal: {
    waitFor(matcher: Matcher, options: Patient): Promise<RecordedExchange>;
    verify(expectation: Expectation, signal?: AbortSignal): Promise<Verification>;
    subscribe(listener: (exchange: RecordedExchange) => void): () => void;
    /** What a matcher names and is not there. */
    unknownNames(matcher: Matcher): readonly ValidationIssue[];
  };
  readonly mailbox: {
    waitFor(filter: MessageFilter, options: Patient): Promise<Message>;
    subscribe(listener: (mail: Message) => void): () => void;
  };
  readonly worlds: {
    /** Throws a UsageError for an unknown one. */
    get(id: string): LocalControls;
  };
  /** The base URLs as seen by a client that reached `origin`. */
  urlsAt(origin: string): Urls;
};

const CONTROLS = Symbol("controls");

/** Binds a sandbox to its world, so that the control API can find it. */
export function bindControls(world: World, sandbox: LocalControls): void {
  world.companions.set(CONTROLS, sandbox);
}

export function controlsOf(world: World): LocalControls {
  const found = world.companions.get(CONTROLS);
  if (found === undefined) throw new Error(`no controls are bound to the world ${world.id}`);
  return found as LocalControls; // only this module knows the symbol
}
