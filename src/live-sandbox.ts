/**
 * The sandbox as a test sees it: the core with typed clients, credentials, addresses and verbs. A fork is
 * the same over another world.
 */

import { type AccountKey, type Auth, createAuth } from "./credentials.ts";
import { type Har, toHar } from "./journal/har.ts";
import { type LintFinding, lint } from "./linter/lint.ts";
import { type Client, createClient } from "./operation/client.ts";
import type { AnyOperation } from "./operation/operation.ts";
import { packageVersion, presetNames } from "./places/node/package-files.ts";
import { type GivenScenario, readScenario } from "./places/node/scenario-files.ts";
import type { OpenOptions, Server } from "./places/node/server.ts";
import type { Fetch } from "./request/in-process-fetch.ts";
import type { Urls } from "./sandbox/addresses.ts";
import { applyScenario } from "./sandbox/apply-scenario.ts";
import { bindControls, type LocalControls } from "./sandbox/controls.ts";
import { collectionsOf, type Data } from "./sandbox/data.ts";
import { returnToOrigin } from "./sandbox/origin.ts";
import { Sandbox } from "./sandbox/sandbox.ts";
import type { SandboxParts } from "./sandbox/sandbox-state.ts";
import type { Worlds } from "./sandbox/worlds.ts";
import { account, accountCollections, accountOperations } from "./services/account/index.ts";
import type { AccountSettings } from "./services/account/settings.ts";
import { type UsageControls, usageControls } from "./services/account/usage.ts";
import { museum, museumCollections, museumOperations } from "./services/museum/index.ts";

/** The base URL of each environment. */
export type BaseUrls = Urls<"museum" | AccountKey | "control"> & Urls;

export type Listening = {
  readonly url: string;
  readonly port: number;
  readonly urls: BaseUrls;
  /** Stops listening; the sandbox keeps working in process. */
  readonly close: () => Promise<void>;
};

export class LiveSandbox extends Sandbox implements LocalControls {
  readonly #server: Server<LiveSandbox>;
  /** Like the global `fetch`, in process. Relative paths start at the common address; other hosts are refused. */
  readonly fetch: Fetch;
  readonly museum: Client<typeof museumOperations>;
  /** The collections of each environment: `data.museum.specialEvents.all()`. */
  readonly data: {
    readonly museum: Data<typeof museumCollections>;
    readonly account: Data<typeof accountCollections>;
    readonly accountSandbox: Data<typeof accountCollections>;
  };
  /** Calls without an `authorization` of their own carry a fresh token of the environment's first user. */
  readonly account: Client<typeof accountOperations>;
  readonly accountSandbox: Client<typeof accountOperations>;
  readonly auth: Auth;
  /** Simulates invoices, which consume presales and trigger their actions. */
  readonly usage: UsageControls;

  constructor(parts: SandboxParts, server: Server<LiveSandbox>) {
    super(parts);
    this.#server = server;
    bindControls(this.world, this);
    this.fetch = server.fetchFor(this);
    const settings = (): AccountSettings => this.settingsOf(account) as AccountSettings; // its own settings, checked
    this.usage = usageControls(this.world, account.environments, settings);
    this.auth = createAuth({
      world: this.world,
      settings,
      client: (environment) => this[environment],
    });
    this.data = {
      museum: collectionsOf(parts.world, museum, museumCollections),
      account: collectionsOf(parts.world, account, accountCollections),
      accountSandbox: collectionsOf(parts.world, account, accountCollections, "accountSandbox"),
    };
    this.museum = this.#client("museum", museumOperations, () => this.auth.basic());
    this.account = this.#accountClient("account");
    this.accountSandbox = this.#accountClient("accountSandbox");
  }

  get worlds(): Worlds<LiveSandbox> {
    return this.#server.worlds;
  }

  /** Names of the scenarios that come with the package. */
  get presets(): readonly string[] {
    return presetNames();
  }

  /** Base URL of each environment, with the prefix of this world. */
  get urls(): BaseUrls {
    // The server has exactly these environments.
    return this.#server.addresses.urls(this.#server.worlds.prefixOf(this)) as BaseUrls;
  }

  /** The same URLs as seen by a client that reached the common port at `origin`. */
  urlsAt(origin: string): Urls {
    return this.#server.addresses.urls(this.#server.worlds.prefixOf(this), origin);
  }

  /** Answers a request as if it came from the network, whatever its host: guard and worlds included. */
  answer(request: Request): Promise<Response> {
    return this.#server.answer(request);
  }

  /**
   * Everything that the common address serves as a Hono app, for an app of any copy of Hono to mount:
   * `app.route("/mock", sandbox.app)`. Links carry the prefix. There the control API asks for a token, and a wire fault
   * is answered with 501.
   */
  // biome-ignore lint/suspicious/noExplicitAny: two copies of Hono have types of their own that do not fit each other
  get app(): any {
    return this.#server.app;
  }

  /**
   * Applies a scenario to the present state: a preset by name, a file by path, the value itself, or several, each
   * applied over the ones before. Rules added with `use` stay ahead of its rules. `default` goes back to what the options
   * gave, without any scenario, and those after it are applied to that. Rejects, changing nothing, when it is invalid.
   */
  async scenario(given: GivenScenario | readonly GivenScenario[]): Promise<void> {
    const layers: readonly GivenScenario[] = [given].flat();
    const plain = layers.lastIndexOf("default");
    const scenario = readScenario(layers.slice(Math.max(plain, 0)), this.services, this.baseSettings);
    if (plain < 0) return applyScenario(this, scenario);
    const { present } = this.forked();
    returnToOrigin(this);
    try {
      await applyScenario(this, scenario);
    } catch (error) {
      this.restore(present);
      throw error;
    }
  }

  /**
   * Applies a scenario on top of the one in force, whose rules and settings stay; its own rules come before those. Rejects,
   * changing nothing, when it is invalid or a rule's id is taken.
   */
  async addScenario(given: GivenScenario | readonly GivenScenario[]): Promise<void> {
    await applyScenario(this, readScenario(given, this.services, this.settings), "onTop");
  }

  /** Findings about the client's traffic in the journal, each with advice. */
  lint(): readonly LintFinding[] {
    return lint(this.journal.list(), this.services);
  }

  /** The journal as an HTTP Archive 1.2, which browsers and proxies can open. */
  har(): Har {
    return toHar(this.journal.list(), packageVersion());
  }

  /** A new world that starts with the state of this one. Without a name it is called `w1`, `w2`, … */
  fork(name?: string): LiveSandbox {
    return this.#server.worlds.fork(this, name);
  }

  /** Binds a port; 0 is any free one. Rejects if it is taken, or if a non-loopback host has no control token. */
  async listen(options: OpenOptions = {}): Promise<Listening> {
    const { port, url } = await this.#server.listen(options);
    return { port, url, urls: this.urls, close: () => this.#server.stopListening() };
  }

  /** Closes the sandbox; closing a fork affects no other. Later calls are refused. */
  async close(): Promise<void> {
    if (this === this.#server.worlds.main) return this.#server.close();
    if (this.#server.worlds.get(this.id) === this) this.#server.worlds.remove(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #accountClient(environment: AccountKey): Client<typeof accountOperations> {
    return this.#client(environment, accountOperations, () => ({
      authorization: `Bearer ${this.auth.token({ environment })}`,
    }));
  }

  #client<const O extends Readonly<Record<string, AnyOperation>>>(
    environment: keyof BaseUrls,
    operations: O,
    credentials: () => Readonly<Record<string, string>>,
  ): Client<O> {
    return createClient(operations, (path, init, { security }) => {
      const headers = new Headers(init.headers);
      if (security !== "none" && !headers.has("authorization"))
        for (const [name, value] of Object.entries(credentials())) headers.set(name, value);
      return this.fetch(this.urls[environment] + path, { ...init, headers });
    });
  }
}
