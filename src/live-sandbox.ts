/**
 * The sandbox as a test sees it: the verbs of one world with typed clients, credentials and addresses, over its core. A
 * fork is the same over another world.
 */

import { catalogueOf } from "./catalogue.ts";
import { createClients } from "./clients.ts";
import { type AccountKey, type Auth, createAuth } from "./credentials.ts";
import type { Capsule } from "./journal/capsule.ts";
import type { Coverage } from "./journal/coverage.ts";
import { type Har, toHar } from "./journal/har.ts";
import type { Journal } from "./journal/journal.ts";
import { passed, type SandboxReport } from "./journal/verify.ts";
import { type LintFinding, lint } from "./linter/lint.ts";
import { type LiveWorlds, liveOf, worldsOf } from "./live-worlds.ts";
import { packageVersion } from "./places/node/package-files.ts";
import { type GivenScenario, readScenario } from "./places/node/scenario-files.ts";
import type { OpenOptions, Server } from "./places/node/server.ts";
import type { Fetch } from "./request/in-process-fetch.ts";
import type { RuleInput } from "./rules/rule.ts";
import type { Urls } from "./sandbox/addresses.ts";
import { applyScenario } from "./sandbox/apply-scenario.ts";
import { bindControls, type LocalControls } from "./sandbox/controls.ts";
import { collectionsOf, type Data } from "./sandbox/data.ts";
import { returnToOrigin } from "./sandbox/origin.ts";
import type { WorldRecord } from "./sandbox/record.ts";
import type { Sandbox as Core } from "./sandbox/sandbox.ts";
import type { StateReport } from "./sandbox/state-report.ts";
import { rulesOf, snapshotsOf } from "./sandbox/verb-groups.ts";
import type {
  Checkable,
  CheckReport,
  CurrentScenario,
  Explanation,
  Question,
  Snapshot,
} from "./sandbox/views.ts";
import type { Clients, Sandbox } from "./sandbox-verbs.ts";
import { account, accountCollections } from "./services/account/index.ts";
import type { AccountSettings } from "./services/account/settings.ts";
import { type UsageControls, usageControls } from "./services/account/usage.ts";
import { museum, museumCollections } from "./services/museum/index.ts";
import type { Clock } from "./world/clock.ts";
import type { Mailbox } from "./world/mailbox.ts";

/** The base URL of each environment. */
export type BaseUrls = Urls<"museum" | AccountKey | "control"> & Urls;

export type Listening = {
  readonly url: string;
  readonly port: number;
  readonly urls: BaseUrls;
  /** Stops listening; the sandbox keeps working in process. */
  readonly close: () => Promise<void>;
};

export class LiveSandbox implements LocalControls, Clients {
  readonly core: Core;
  readonly #server: Server;
  /** Like the global `fetch`, in process. Relative paths start at the common address; other hosts are refused. */
  readonly fetch: Fetch;
  readonly museum: Clients["museum"];
  /** Calls without an `authorization` of their own carry a fresh token of the environment's first user. */
  readonly account: Clients["account"];
  readonly accountSandbox: Clients["accountSandbox"];
  /** The collections of each environment: `data.museum.specialEvents.all()`. */
  readonly data: {
    readonly museum: Data<typeof museumCollections>;
    readonly account: Data<typeof accountCollections>;
    readonly accountSandbox: Data<typeof accountCollections>;
  };
  readonly auth: Auth;
  /** Simulates invoices, which consume presales and trigger their actions. */
  readonly usage: UsageControls;
  readonly clock: Clock;
  readonly mailbox: Mailbox;
  readonly journal: Journal;
  readonly coverage: Coverage;
  readonly rules: LocalControls["rules"];
  readonly snapshots: LocalControls["snapshots"];
  /** What there is to name: presets, operations, settings, credentials, assumptions. */
  readonly catalogue: Sandbox["catalogue"];
  readonly worlds: LiveWorlds;

  constructor(core: Core, server: Server) {
    this.core = core;
    this.#server = server;
    bindControls(core.world, this);
    this.fetch = server.fetchFor(core);
    const { world, journal, coverage } = core;
    this.journal = journal;
    this.coverage = coverage;
    this.rules = rulesOf(core);
    this.snapshots = snapshotsOf(core);
    this.catalogue = catalogueOf(core) as Sandbox["catalogue"]; // whose rules name operations that there are
    this.clock = world.clock;
    this.mailbox = world.mailbox;
    const settings = (): AccountSettings => core.settingsOf(account) as AccountSettings; // its own settings, checked
    this.usage = usageControls(world, account.environments, settings);
    this.auth = createAuth({ world, settings, client: (environment) => this[environment] });
    this.data = {
      museum: collectionsOf(world, museum, museumCollections),
      account: collectionsOf(world, account, accountCollections),
      accountSandbox: collectionsOf(world, account, accountCollections, "accountSandbox"),
    };
    ({
      museum: this.museum,
      account: this.account,
      accountSandbox: this.accountSandbox,
    } = createClients({
      urls: () => this.urls,
      fetch: this.fetch,
      token: (environment) => this.auth.token({ environment }),
    }));
    this.worlds = worldsOf(server);
  }

  /** The name of its world; `main` is the first. */
  get id(): string {
    return this.core.id;
  }

  /** Base URL of each environment, with the prefix of this world. */
  get urls(): BaseUrls {
    // The server has exactly these environments.
    return this.#server.addresses.urls(this.#server.worlds.prefixOf(this.core)) as BaseUrls;
  }

  /** The same URLs as seen by a client that reached the common port at `origin`. */
  urlsAt(origin: string): Urls {
    return this.#server.addresses.urls(this.#server.worlds.prefixOf(this.core), origin);
  }

  /** The requests that wait at the gates of rules with `hold`, and their release. */
  get gates(): Core["gates"] {
    return this.core.gates;
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

  /** Puts a rule before all others; the same object as in a scenario file. Returns its id. Throws a UsageError. */
  use(rule: RuleInput): string {
    return this.core.use(rule);
  }

  /**
   * Applies a scenario to the present state: a preset by name, a file by path, the value itself, or several, each
   * applied over the ones before. Rules added with `use` stay ahead of its rules. `default` goes back to what the options
   * gave, without any scenario, and those after it are applied to that. Rejects, changing nothing, when it is invalid.
   */
  async scenario(given: GivenScenario | readonly GivenScenario[]): Promise<void> {
    const { core } = this;
    const layers: readonly GivenScenario[] = [given].flat();
    const plain = layers.lastIndexOf("default");
    const scenario = readScenario(layers.slice(Math.max(plain, 0)), core.services, core.baseSettings);
    if (plain < 0) return applyScenario(core, scenario);
    const { present } = core.forked();
    returnToOrigin(core);
    try {
      await applyScenario(core, scenario);
    } catch (error) {
      core.restore(present);
      throw error;
    }
  }

  /**
   * Applies a scenario on top of the one in force, whose rules and settings stay; its own rules come before those. Rejects,
   * changing nothing, when it is invalid or a rule's id is taken.
   */
  async addScenario(given: GivenScenario | readonly GivenScenario[]): Promise<void> {
    await applyScenario(this.core, readScenario(given, this.core.services, this.core.settings), "onTop");
  }

  /** Goes back to what the options gave, without any scenario: clock, seed, data and settings. */
  clearScenario(): Promise<void> {
    return this.scenario("default");
  }

  /** The scenario in force; without one its name is `default`. */
  currentScenario(): CurrentScenario {
    const { name, title, rules } = this.core.rules.scenario;
    return { name, ...(title === undefined ? {} : { title }), rules: rules.map(({ id }) => id) };
  }

  /** Whether a rule or a scenario could be used now, and every mistake in it. Changes nothing. */
  async check(what: Checkable): Promise<CheckReport> {
    return (await import("./explain.ts")).check(this.core, what);
  }

  /** What would become of a request: which rules act and why the others do not. Changes nothing. */
  async explain(question: Question): Promise<Explanation> {
    return (await import("./explain.ts")).explain(this.core, question);
  }

  /** The last line of a test: throws a UsageError if `report` has failures, otherwise returns it. */
  verify(): SandboxReport {
    return passed(this.core.report());
  }

  /** What a test left behind: unmatched requests, rules that never fired, gates with waiting requests. */
  report(): SandboxReport {
    return this.core.report();
  }

  /** Findings about the client's traffic in the journal, each with advice. */
  lint(): readonly LintFinding[] {
    return lint(this.journal.list(), this.core.services);
  }

  /** Everything known about a failed test, as one JSON for `replay`. */
  capsule(): Capsule {
    return this.core.capsule();
  }

  /** The journal as an HTTP Archive 1.2, which browsers and proxies can open. */
  har(): Har {
    return toHar(this.journal.list(), packageVersion());
  }

  /** Restores data, clock, ids, throttle, settings, rules and mailbox to the start, and empties the journal. */
  reset(): void {
    this.core.reset();
  }

  /** Data, clock, ids, settings and rules as they are now. An existing one of that name is replaced. */
  snapshot(name?: string): Snapshot {
    return this.core.snapshot(name);
  }

  /** Returns to a snapshot, given itself or by its id. The journal stays. */
  restore(snapshot: Snapshot | string): void {
    this.core.restore(snapshot);
  }

  /** The whole world as one JSON value, passwords included. */
  record(): WorldRecord {
    return this.core.record();
  }

  /** The state in numbers, and a digest that changes with any of it. */
  state(): StateReport {
    return this.core.state();
  }

  /** A new world that starts with the state of this one. Without a name it is called `w1`, `w2`, … */
  fork(name?: string): LiveSandbox {
    return liveOf(this.#server.worlds.fork(this.core, name));
  }

  /** Binds a port; 0 is any free one. Rejects if it is taken, or if a non-loopback host has no control token. */
  async listen(options: OpenOptions = {}): Promise<Listening> {
    const { port, url } = await this.#server.listen(options);
    return { port, url, urls: this.urls, close: () => this.#server.stopListening() };
  }

  /** Closes the sandbox; closing a fork affects no other. Later calls are refused. */
  async close(): Promise<void> {
    const { worlds } = this.#server;
    if (this.core === worlds.main) return this.#server.close();
    if (worlds.get(this.id) === this.core) worlds.remove(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
