/** Public types of the sandbox in process and over HTTP. Editors show these comments. */
// biome-ignore-all lint/suspicious/noTsIgnore: the error only occurs in projects without hono

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Fetch } from "../pipeline/in-process-fetch.ts";
import type {
  CollectionMethods,
  ForkMethods,
  MaybeAsync,
  RemoteMethods,
  SandboxMethods,
} from "../sandbox/controls.ts";
import type { OperationView, RuleUpdate, WorldView } from "../sandbox/views.ts";
import type { ListenOptions } from "../server/server.ts";
import type { AccountClient, AccountData } from "../services/account/surface.ts";
import type { UsageMethods } from "../services/account/usage.ts";
import type { AccountName, Auth } from "../services/credentials.ts";
import type { MuseumClient, MuseumData } from "../services/museum/surface.ts";
import type { Message } from "../world/mailbox.ts";
import type { Duration } from "../world/time.ts";
import type { BaseUrls, Listening } from "./live-sandbox.ts";
import type { OperationGlob } from "./operation-names.ts";
import type { Expectation, Matcher, RuleInput, TypedRule } from "./typed-rule.ts";
import type { GivenScenarios } from "./typed-scenario.ts";

/** The typed clients of a world. */
export type Clients = {
  /** Client of the museum, with a method for each operation. Adds Basic credentials unless the call has its own. */
  readonly museum: MuseumClient;
  /** Client of the production account. Calls without an `authorization` header get a new token of its first user. */
  readonly account: AccountClient;
  /** Client of the account's sandbox environment, which has separate users, data and keys. */
  readonly accountSandbox: AccountClient;
};

type Collections<Data extends Record<keyof Data, { input: unknown; output: unknown }>> = {
  readonly [K in keyof Data]: CollectionMethods<Data[K]["input"], Data[K]["output"]>;
};

/** Argument types of the methods in the public API. */
type PublicArguments = {
  readonly duration: Duration | number;
  readonly matcher: Matcher | OperationGlob;
  readonly expectation: Expectation | OperationGlob;
  readonly scenarios: GivenScenarios;
  readonly update: Omit<RuleUpdate, "rule"> & { readonly rule?: RuleInput | undefined };
  readonly token: NonNullable<Parameters<Auth["token"]>[0]>;
  readonly environment: AccountName;
  readonly operations: readonly OperationView<RuleInput>[];
  readonly usage: Parameters<UsageMethods["record"]>[0];
  readonly receipt: ReturnType<UsageMethods["record"]>;
  readonly data: {
    readonly museum: Collections<MuseumData>;
    readonly account: Collections<AccountData>;
    readonly accountSandbox: Collections<AccountData>;
  };
};

/** Members that a sandbox has in process. Of these, only `auth` and `use` also exist over HTTP. */
type LocalOnlyMethods = {
  readonly auth: Pick<Auth, "basic" | "login">;
  readonly journal: {
    readonly last: RecordedExchange | undefined;
    /** Calls the listener when an exchange arrives, waits or ends. Returns a function that unsubscribes. */
    subscribe(listener: (exchange: RecordedExchange) => void): () => void;
  };
  readonly mailbox: {
    /** Calls the listener with every new mail. Returns a function that unsubscribes. */
    subscribe(listener: (mail: Message) => void): () => void;
  };
  readonly gates: {
    /** Resolves when at least `count` requests are paused at a gate. Default: 1. */
    arrived(gate: string, count?: number): Promise<void>;
  };
  readonly worlds: {
    /** Returns a world by name. Throws a UsageError for an unknown name. */
    get(id: string): Sandbox;
  };
  /**
   * The whole sandbox as a Hono app, to mount in your own: `app.route("/mock", sandbox.app)`.
   * When mounted, the control API requires a token, and a rule with `fault` causes a 501.
   * @ts-ignore Without the package hono this type is `any`. */
  readonly app: import("hono").Hono;
  /** Adds a rule, written as in a scenario file, before all other rules. Returns its id. Throws a UsageError if the rule is invalid. */
  use<const N extends OperationGlob>(rule: TypedRule<N>): string;
  /** Responds to a request as over the network: checks host, origin and token, and reads the world's name from URL or header. */
  answer(request: Request): Promise<Response>;
  /** Starts listening. Rejects if the port is in use, or if `host` is not loopback and the sandbox has no control token. */
  listen(options?: ListenOptions): Promise<Listening>;
};

/** Members that exist both in process and over HTTP. */
type SandboxBase = {
  /** Name of the world. The main world is named `main`. */
  readonly id: string;
  /** Base URL of each environment, with the prefix of this world. */
  readonly urls: BaseUrls;
  /** Like the global `fetch`, but also accepts paths in the sandbox. In process, it rejects URLs outside of the sandbox. */
  readonly fetch: Fetch;
  /** Closes the sandbox, or only this world if it is a fork. Later calls are rejected. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A sandbox in process: both services with their data, clock, rules and journal. */
export type Sandbox = SandboxBase & Clients & SandboxMethods<PublicArguments> & LocalOnlyMethods & LocalForks;
interface LocalForks extends ForkMethods<Sandbox> {}

/** A sandbox over HTTP. It has the methods of a sandbox in process, but they return promises. */
export type RemoteSandbox = SandboxBase &
  Clients &
  RemoteMethods<SandboxMethods<PublicArguments>> &
  RemoteForks & {
    readonly auth: Pick<Auth, "basic" | "login">;
    /** Adds a rule, written as in a scenario file, before all other rules. Returns its id. */
    use<const N extends OperationGlob>(rule: TypedRule<N>): Promise<string>;
  };

interface RemoteForks extends RemoteMethods<ForkMethods<RemoteSandbox, WorldView>> {}

/** Common type of `Sandbox` and `RemoteSandbox`, for helpers that accept both. Await every method. */
export interface Controls
  extends MaybeAsync<SandboxMethods<PublicArguments> & { use(rule: RuleInput): string }> {
  readonly id: string;
  readonly urls: BaseUrls;
  readonly worlds: MaybeAsync<ForkMethods<Controls, WorldView>["worlds"]>;
  fork(name?: string): Controls | Promise<Controls>;
  close(): Promise<void>;
}
