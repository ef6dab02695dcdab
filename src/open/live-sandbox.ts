/**
 * The verbs of one world in this process, over its core, with typed clients, credentials and addresses. What each does is
 * said where users read it, in `sandbox/controls.ts` and `sandbox-verbs.ts`. A fork is the same over another world.
 */

import type { Hono } from "hono";
import { createCatalogue } from "../control/catalogue.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Capsule } from "../journal/capsule.ts";
import type { Coverage } from "../journal/coverage.ts";
import { type Har, toHar } from "../journal/har.ts";
import type { Journal } from "../journal/journal.ts";
import { assertPassed, type SandboxReport } from "../journal/verify.ts";
import { type LintFinding, lint } from "../linter/lint.ts";
import type { Fetch } from "../pipeline/in-process-fetch.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { Urls } from "../sandbox/addresses.ts";
import { applyScenario } from "../sandbox/apply-scenario.ts";
import {
  bindSandbox,
  type Checkable,
  type ForkMethods,
  getSandbox,
  type LocalSandbox,
} from "../sandbox/controls.ts";
import { createCollections, type EnvironmentData } from "../sandbox/data.ts";
import { compareSnapshots } from "../sandbox/difference.ts";
import { returnToOrigin } from "../sandbox/origin.ts";
import type { WorldRecord } from "../sandbox/record.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import type {
  CheckReport,
  CurrentScenario,
  ExplainInput,
  Explanation,
  Snapshot,
  StateReport,
} from "../sandbox/views.ts";
import { readScenario, type ScenarioReference } from "../scenario/library.ts";
import type { ListenOptions, Server } from "../server/server.ts";
import { account, accountCollections } from "../services/account/index.ts";
import type { AccountSettings } from "../services/account/settings.ts";
import { createUsageMethods, type UsageMethods } from "../services/account/usage.ts";
import { type AccountKey, type Auth, createAuth } from "../services/credentials.ts";
import { museum, museumCollections } from "../services/museum/index.ts";
import type { Clock } from "../world/clock.ts";
import type { Mailbox } from "../world/mailbox.ts";
import { createClients } from "./clients.ts";
import type { Clients, Sandbox } from "./sandbox-methods.ts";

/** The base URL of each environment. */
export type BaseUrls = Urls<"museum" | AccountKey | "control"> & Urls;

export type Listening = {
  readonly url: string;
  readonly port: number;
  readonly urls: BaseUrls;
  /** Stops listening; the sandbox keeps working in process. */
  readonly close: () => Promise<void>;
};

export class LiveSandbox implements LocalSandbox, Clients {
  readonly core: SandboxCore;
  readonly server: Server;
  readonly fetch: Fetch;
  readonly museum: Clients["museum"];
  readonly account: Clients["account"];
  readonly accountSandbox: Clients["accountSandbox"];
  readonly data: {
    readonly museum: EnvironmentData<typeof museumCollections>;
    readonly account: EnvironmentData<typeof accountCollections>;
    readonly accountSandbox: EnvironmentData<typeof accountCollections>;
  };
  readonly auth: Auth;
  readonly usage: UsageMethods;
  readonly clock: Clock;
  readonly mailbox: Mailbox;
  readonly journal: Journal;
  readonly coverage: Coverage;
  readonly rules: LocalSandbox["rules"];
  readonly snapshots: LocalSandbox["snapshots"];
  readonly catalogue: Sandbox["catalogue"];
  readonly worlds: LiveWorlds;

  constructor(core: SandboxCore, server: Server) {
    this.core = core;
    this.server = server;
    bindSandbox(core.world, this);
    this.fetch = server.fetchFor(core);
    const { world, journal, coverage } = core;
    this.journal = journal;
    this.coverage = coverage;
    this.rules = createRuleMethods(core);
    this.snapshots = createSnapshotMethods(core);
    this.catalogue = createCatalogue(core, server.runtime.library) as Sandbox["catalogue"]; // whose rules name operations that there are
    this.clock = world.clock;
    this.mailbox = world.mailbox;
    const settings = (): AccountSettings => core.settingsOf(account) as AccountSettings; // its own settings, checked
    this.usage = createUsageMethods(world, account.environments, settings);
    this.auth = createAuth({ world, settings, client: (environment) => this[environment] });
    this.data = {
      museum: createCollections(world, museum, museumCollections),
      account: createCollections(world, account, accountCollections),
      accountSandbox: createCollections(world, account, accountCollections, "accountSandbox"),
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
    this.worlds = createWorldMethods(server);
  }

  get id(): string {
    return this.core.id;
  }

  get urls(): BaseUrls {
    // The server has exactly these environments.
    return this.server.addresses.urls(this.server.worlds.getPrefix(this.core)) as BaseUrls;
  }

  /** The same URLs as seen by a client that reached the common port at `origin`. */
  urlsAt(origin: string): Urls {
    return this.server.addresses.urls(this.server.worlds.getPrefix(this.core), origin);
  }

  get gates(): SandboxCore["gates"] {
    return this.core.gates;
  }

  answer(request: Request): Promise<Response> {
    return this.server.answer(request);
  }

  get app(): Hono {
    return this.server.app;
  }

  use(rule: RuleInput): string {
    return this.core.use(rule);
  }

  async scenario(given: ScenarioReference | readonly ScenarioReference[]): Promise<void> {
    const { core } = this;
    const layers: readonly ScenarioReference[] = [given].flat();
    const plain = layers.lastIndexOf("default");
    const scenario = readScenario(
      this.server.runtime,
      layers.slice(Math.max(plain, 0)),
      core.services,
      core.baseSettings,
    );
    if (plain < 0) return applyScenario(core, scenario);
    const { present } = core.getForkState();
    returnToOrigin(core);
    try {
      await applyScenario(core, scenario);
    } catch (error) {
      core.restore(present);
      throw error;
    }
  }

  async addScenario(given: ScenarioReference | readonly ScenarioReference[]): Promise<void> {
    const { core } = this;
    const scenario = readScenario(this.server.runtime, given, core.services, core.settings);
    await applyScenario(core, scenario, "onTop");
  }

  clearScenario(): Promise<void> {
    return this.scenario("default");
  }

  currentScenario(): CurrentScenario {
    const { name, title, rules } = this.core.rules.scenario;
    return { name, ...(title === undefined ? {} : { title }), rules: rules.map(({ id }) => id) };
  }

  async check(what: Checkable): Promise<CheckReport> {
    return (await import("../control/explain.ts")).check(this.core, what, this.server.runtime);
  }

  async explain(question: ExplainInput): Promise<Explanation> {
    return (await import("../control/explain.ts")).explain(this.core, question);
  }

  verify(): SandboxReport {
    return assertPassed(this.core.report());
  }

  report(): SandboxReport {
    return this.core.report();
  }

  lint(): readonly LintFinding[] {
    return lint(this.journal.list(), this.core.services);
  }

  capsule(): Capsule {
    return this.core.capsule();
  }

  har(): Har {
    return toHar(this.journal.list(), this.server.runtime.library.version());
  }

  reset(): void {
    this.core.reset();
  }

  snapshot(name?: string): Snapshot {
    return this.core.snapshot(name);
  }

  restore(snapshot: Snapshot | string): void {
    this.core.restore(snapshot);
  }

  record(): WorldRecord {
    return this.core.record();
  }

  state(): StateReport {
    return this.core.state();
  }

  fork(name?: string): LiveSandbox {
    return getLiveSandbox(this.server.worlds.fork(this.core, name));
  }

  async listen(options: ListenOptions = {}): Promise<Listening> {
    const { port, url } = await this.server.listen(options);
    return { port, url, urls: this.urls, close: () => this.server.stopListening() };
  }

  async close(): Promise<void> {
    const { worlds } = this.server;
    if (this.core === worlds.main) return this.server.close();
    if (worlds.get(this.id) === this.core) worlds.remove(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The worlds of one server: each is a sandbox. */
export type LiveWorlds = ForkMethods<LiveSandbox>["worlds"] & {
  /** Throws a UsageError for an unknown one. */
  get(id: string): LiveSandbox;
};

/** The sandbox over a core. */
export function getLiveSandbox({ world }: SandboxCore): LiveSandbox {
  return getSandbox(world) as LiveSandbox; // nothing else binds controls to a world
}

/** The first sandbox is made before its server has all worlds. */
export function createWorldMethods(server: Server): LiveWorlds {
  return {
    list: () => server.worlds.list().map(getLiveSandbox),
    get(id) {
      const found = server.worlds.get(id);
      if (found === undefined) throw new UsageError("unknownWorld", server.worlds.describeMissing(id));
      return getLiveSandbox(found);
    },
    put: (id, source, { replace = false } = {}) => getLiveSandbox(server.worlds.put(id, source, replace)),
    remove: (id) => server.worlds.remove(id),
  };
}

export function createRuleMethods(core: SandboxCore): LocalSandbox["rules"] {
  return {
    list: () => core.rules.list(),
    remove: (id) => core.rules.remove(id),
    clear: () => core.rules.clear(),
    update: (id, change) => core.updateRule(id, change),
  };
}

export function createSnapshotMethods(core: SandboxCore): LocalSandbox["snapshots"] {
  return {
    list: () => core.snapshots.all(),
    diff: (id) => compareSnapshots(core.snapshots.get(id), core.captureState()),
    remove: (id) => core.dropSnapshot(id),
    clear() {
      for (const { id } of core.snapshots.all()) core.dropSnapshot(id);
    },
  };
}
