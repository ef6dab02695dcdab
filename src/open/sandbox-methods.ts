/** The sandbox as users see it, in this process and over HTTP: change here what an editor shows. */
// biome-ignore-all lint/suspicious/noTsIgnore: only projects without the package hono have an error to ignore

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
  /** The museum: a call for each operation, with credentials filled in. */
  readonly museum: MuseumClient;
  /** The account's production; calls without an `authorization` carry a fresh token of its first user. */
  readonly account: AccountClient;
  /** The account's own sandbox, with users, data and keys of its own. */
  readonly accountSandbox: AccountClient;
};

type Collections<Data extends Record<keyof Data, { input: unknown; output: unknown }>> = {
  readonly [K in keyof Data]: CollectionMethods<Data[K]["input"], Data[K]["output"]>;
};

/** What users may name. */
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

/** What only a sandbox in this process can do. */
type LocalOnlyMethods = {
  readonly auth: Pick<Auth, "basic" | "login">;
  readonly journal: {
    readonly last: RecordedExchange | undefined;
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
    /** Throws a UsageError for an unknown one. */
    get(id: string): Sandbox;
  };
  /**
   * Everything that the common address serves, as a Hono app to mount in your own: `app.route("/mock", sandbox.app)`.
   * There the control API asks for a token, and a wire fault is answered with 501.
   * @ts-ignore Without the package hono this type is `any`. */
  readonly app: import("hono").Hono;
  /** Puts a rule before all others; the same object as in a scenario file. Returns its id. Throws a UsageError. */
  use<const N extends OperationGlob>(rule: TypedRule<N>): string;
  /** Answers a request as if it came from the network, whatever its host: guard and worlds included. */
  answer(request: Request): Promise<Response>;
  /** Binds a port; 0 is any free one. Rejects if it is taken, or if a non-loopback host has no control token. */
  listen(options?: ListenOptions): Promise<Listening>;
};

/** What a world has, wherever it is. */
type SandboxBase = {
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
export type Sandbox = SandboxBase & Clients & SandboxMethods<PublicArguments> & LocalOnlyMethods & LocalForks;
interface LocalForks extends ForkMethods<Sandbox> {}

/** The same verbs over HTTP: each is awaited. */
export type RemoteSandbox = SandboxBase &
  Clients &
  RemoteMethods<SandboxMethods<PublicArguments>> &
  RemoteForks & {
    readonly auth: Pick<Auth, "basic" | "login">;
    /** Puts a rule before all others; the same object as in a scenario file. Returns its id. */
    use<const N extends OperationGlob>(rule: TypedRule<N>): Promise<string>;
  };

interface RemoteForks extends RemoteMethods<ForkMethods<RemoteSandbox, WorldView>> {}

/** What both can do, for helpers that take either: everything is awaited. */
export interface Controls
  extends MaybeAsync<SandboxMethods<PublicArguments> & { use(rule: RuleInput): string }> {
  readonly id: string;
  readonly urls: BaseUrls;
  readonly worlds: MaybeAsync<ForkMethods<Controls, WorldView>["worlds"]>;
  fork(name?: string): Controls | Promise<Controls>;
  close(): Promise<void>;
}
