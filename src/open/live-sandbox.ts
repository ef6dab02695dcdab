/** The class behind the public type `Sandbox`. `sandbox/controls.ts` and `sandbox-methods.ts` document its members. */

import type { Hono } from "hono";
import { createCatalogue } from "../control/catalogue.ts";
import { readFields } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import { type Har, toHar } from "../journal/har.ts";
import { assertPassed, type SandboxReport } from "../journal/verify.ts";
import { type LintFinding, lint } from "../linter/lint.ts";
import type { Fetch } from "../pipeline/in-process-fetch.ts";
import type { Matcher } from "../rules/grammar.ts";
import type { Urls } from "../sandbox/addresses.ts";
import { applyScenario } from "../sandbox/apply-scenario.ts";
import { bindSandbox } from "../sandbox/binding.ts";
import type { Checkable, ForkMethods, LocalSandbox } from "../sandbox/controls.ts";
import { createCollections } from "../sandbox/data.ts";
import { compareSnapshots } from "../sandbox/difference.ts";
import { returnToOrigin } from "../sandbox/origin.ts";
import { SandboxCore } from "../sandbox/sandbox.ts";
import type { SandboxParts } from "../sandbox/sandbox-state.ts";
import type { CheckReport, CurrentScenario, ExplainInput, Explanation } from "../sandbox/views.ts";
import { readScenario, type ScenarioReference } from "../scenario/library.ts";
import type { ListenOptions, Server } from "../server/server.ts";
import { account, accountCollections } from "../services/account/index.ts";
import type { AccountSettings } from "../services/account/settings.ts";
import { createUsageMethods } from "../services/account/usage.ts";
import { type AccountKey, type Auth, createAuth } from "../services/credentials.ts";
import { museum, museumCollections } from "../services/museum/index.ts";
import { createClients } from "./clients.ts";
import type { Clients, Sandbox } from "./sandbox-methods.ts";

/** Base URL of each environment, and of the control API. */
export type BaseUrls = Urls<"museum" | AccountKey | "control"> & Urls;

export type Listening = {
  readonly url: string;
  readonly port: number;
  readonly urls: BaseUrls;
  /** Stops listening. The sandbox stays usable in process. */
  readonly close: () => Promise<void>;
};

/** One world of a server, with all methods of a sandbox. Only `openSandbox` creates instances. */
export class LiveSandbox extends SandboxCore implements LocalSandbox, Clients {
  readonly core: SandboxCore = this;
  readonly server: Server;
  readonly fetch: Fetch;
  readonly museum: Clients["museum"];
  readonly account: Clients["account"];
  readonly accountSandbox: Clients["accountSandbox"];
  readonly data = {
    museum: createCollections(this.world, museum, museumCollections),
    account: createCollections(this.world, account, accountCollections),
    accountSandbox: createCollections(this.world, account, accountCollections, "accountSandbox"),
  };
  readonly #settings = (): AccountSettings => this.settingsOf(account) as AccountSettings; // Safe: a schema validates the settings.
  readonly auth: Auth = createAuth({
    world: this.world,
    settings: this.#settings,
    client: (environment) => this[environment],
  });
  readonly usage = createUsageMethods(this.world, account.environments, this.#settings);
  readonly mailbox = this.world.mailbox;
  readonly catalogue: Sandbox["catalogue"];
  readonly rules: LocalSandbox["rules"] = {
    list: () => this.ruleSet.list(),
    remove: (id) => this.ruleSet.remove(id),
    clear: () => this.ruleSet.clear(),
    update: (id, change) => this.updateRule(id, change),
  };
  readonly snapshots: LocalSandbox["snapshots"] = {
    list: () => this.snapshotStore.all(),
    diff: (id) => compareSnapshots(this.snapshotStore.get(id), this.captureState()),
    remove: (id) => this.dropSnapshot(id),
  };

  readonly worlds: LiveWorlds = {
    list: () => this.server.worlds.list() as readonly LiveSandbox[],
    get: (id) => {
      const { worlds } = this.server;
      const found = worlds.get(id);
      if (found === undefined) throw new UsageError("unknownWorld", worlds.describeMissing(id));
      return found as LiveSandbox;
    },
    put: (id, source, options) => {
      const { replace = false } = readFields(options, ["replace"]);
      return this.server.worlds.put(id, source, replace) as LiveSandbox;
    },
    remove: (id) => this.server.worlds.remove(id),
  };

  constructor(parts: SandboxParts, server: Server) {
    super(parts);
    this.server = server;
    bindSandbox(this.world, this);
    this.fetch = server.fetchFor(this);
    this.catalogue = createCatalogue(this, server.runtime.library) as Sandbox["catalogue"]; // Safe: its rules name existing operations.
    const token = (environment: AccountKey): string => this.auth.token({ environment });
    const clients = createClients({ urls: () => this.urls, fetch: this.fetch, token });
    this.museum = clients.museum;
    this.account = clients.account;
    this.accountSandbox = clients.accountSandbox;
  }

  get urls(): BaseUrls {
    return this.urlsAt() as BaseUrls; // Safe cast: every server has these environments.
  }

  urlsAt(origin?: string): Urls {
    return this.server.addresses.urls(this.server.worlds.getPrefix(this), origin);
  }

  answer(request: Request): Promise<Response> {
    return this.server.answer(request);
  }

  get app(): Hono {
    return this.server.app;
  }

  async scenario(given: ScenarioReference | readonly ScenarioReference[]): Promise<void> {
    const layers: readonly ScenarioReference[] = [given].flat();
    const start = layers.lastIndexOf("default");
    const wanted = layers.slice(Math.max(start, 0));
    const scenario = readScenario(this.server.runtime, wanted, this.services, this.baseSettings);
    if (start < 0) return applyScenario(this, scenario);
    const { present } = this.getForkState();
    returnToOrigin(this);
    try {
      await applyScenario(this, scenario);
    } catch (error) {
      this.restore(present);
      throw error;
    }
  }

  async addScenario(given: ScenarioReference | readonly ScenarioReference[]): Promise<void> {
    const scenario = readScenario(this.server.runtime, given, this.services, this.settings);
    await applyScenario(this, scenario, "onTop");
  }

  clearScenario(): Promise<void> {
    return this.scenario("default");
  }

  currentScenario(): CurrentScenario {
    const { name, title, rules } = this.ruleSet.scenario;
    return { name, ...(title === undefined ? {} : { title }), rules: rules.map(({ id }) => id) };
  }

  async check(what: Checkable): Promise<CheckReport> {
    return (await import("../control/explain.ts")).check(this, what, this.server.runtime);
  }

  async explain(question: ExplainInput): Promise<Explanation> {
    return (await import("../control/explain.ts")).explain(this, question);
  }

  verify(): SandboxReport {
    return assertPassed(this.report());
  }

  lint(): readonly LintFinding[] {
    return lint(this.journal.list(), this.services);
  }

  har(matcher?: Matcher | string): Har {
    return toHar(this.journal.list(matcher), this.server.runtime.library.version());
  }

  fork(name?: string): LiveSandbox {
    return this.server.worlds.fork(this, name) as LiveSandbox;
  }

  async listen(options?: ListenOptions): Promise<Listening> {
    const { port, url } = await this.server.listen(options);
    return { port, url, urls: this.urls, close: () => this.server.stopListening() };
  }

  async close(): Promise<void> {
    const { worlds } = this.server;
    if (this === worlds.main) return this.server.close();
    if (worlds.get(this.id) === this) worlds.remove(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

type LiveWorlds = ForkMethods<LiveSandbox>["worlds"] & {
  get(id: string): LiveSandbox;
};
