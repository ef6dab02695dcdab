/** Hosts all worlds of a sandbox: routing, ports and shutdown. */

import { Hono } from "hono";
import { assertObject, readFields, readText } from "../errors/arguments.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import { createSandboxProblem } from "../http/problem-json.ts";
import type { Service } from "../operation/service.ts";
import { type LocalClient, receive } from "../pipeline/broken-reply.ts";
import type { Commit } from "../pipeline/commit.ts";
import { type Access, assertAccess, assertReachable, CONTROL } from "../pipeline/guard.ts";
import { createLocalFetch, type Fetch } from "../pipeline/in-process-fetch.ts";
import { type OutgoingResponse, toResponse } from "../pipeline/outgoing-response.ts";
import { Router, type RouterOptions } from "../pipeline/router.ts";
import { WebRequest } from "../pipeline/web-request.ts";
import { SandboxUrls } from "../sandbox/addresses.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import type { SandboxParts } from "../sandbox/sandbox-state.ts";
import { Worlds, type WorldsOptions } from "../sandbox/worlds.ts";
import { BoundedCache } from "../world/recent.ts";
import { MAIN_WORLD, splitWorld } from "../world/world-name.ts";
import { type LastRequest, loadPart, type PortListener, type PortOptions, type Runtime } from "./runtime.ts";

export type ServerOptions = {
  readonly runtime: Runtime;
  readonly main: SandboxParts;
  readonly make: (parts: SandboxParts, server: Server) => SandboxCore;
  readonly services: readonly Service[];
  readonly access: Omit<Access, "origins">;
  readonly worlds: WorldsOptions;
  /** Stores the changes of each request before its response is sent. Default: worlds exist only in memory. */
  readonly commit?: Commit | undefined;
  readonly onClose?: (() => Promise<void>) | undefined;
};

export type ListenOptions = PortOptions & {
  /** Whether each environment also gets a separate port, where paths have no prefix such as `/museum`. Default: false. */
  readonly ownPorts?: boolean | undefined;
};

export class Server {
  readonly runtime: Runtime;
  readonly addresses: SandboxUrls;
  readonly worlds: Worlds;
  readonly #options: ServerOptions;
  readonly #routerOptions: RouterOptions;
  readonly #router: Router;
  /** Routers of the separate ports, by environment. */
  readonly #own = new Map<string, Router>();
  #app: Hono | undefined;
  /** Routers for other apps that mount the sandbox, by mount path. */
  readonly #mounted = new BoundedCache<Router>(100);
  #listening: PortListener[] = [];
  #opening = false;
  #closed = false;

  constructor(options: ServerOptions) {
    const { runtime, services, access, main, make, worlds, commit } = options;
    this.runtime = runtime;
    assertAccess(access);
    this.#options = options;
    this.addresses = new SandboxUrls(
      [...services.flatMap(({ environments }) => environments), CONTROL],
      access.allowedHosts,
    );
    this.worlds = new Worlds(main, (parts) => this.#watchLosing(make(parts, this)), worlds);
    this.#routerOptions = {
      services,
      control: runtime.control,
      worlds: this.worlds,
      access: { ...access, origins: () => this.addresses.origins() },
      commit,
    };
    this.#router = new Router(this.#routerOptions);
  }

  /** Creates the in-process `fetch` of a world. */
  fetchFor(sandbox: SandboxCore): Fetch {
    return createLocalFetch({
      addresses: this.addresses,
      prefix: () => this.worlds.getPrefix(sandbox),
      answer: (incoming, owner) => {
        if (sandbox !== this.worlds.main && !this.#closed && this.worlds.get(sandbox.id) !== sandbox)
          throw new UsageError("closed", `The world ${sandbox.id} is closed or has expired.`);
        const client = () => this.#createClient(incoming, sandbox);
        const sent = this.#answer(incoming, owner);
        if (sent instanceof Promise) return sent.then((late) => receive(late, client));
        return sent.fault === undefined ? toResponse(sent) : receive(sent, client);
      },
    });
  }

  async answer(request: Request): Promise<Response> {
    readText(assertObject(request, "request").url, "request.url");
    const incoming = new WebRequest(request);
    return receive(await this.#answer(incoming), () => this.#createClient(incoming, this.worlds.main));
  }

  /** Describes the client of an in-process request. Faults depend on its abort signal, world and runtime. */
  #createClient({ signal }: IncomingRequest, { world }: SandboxCore): LocalClient {
    return { signal, world, parserErrors: this.runtime.parserErrors };
  }

  get app(): Hono {
    this.#app ??= createMountedApp((prefix, incoming) => this.answerUnder(prefix, incoming));
    return this.#app;
  }

  /** Answers a request to another app that mounts the sandbox at `prefix`, such as `/mock`. An empty prefix is the root. */
  answerUnder(prefix: string, incoming: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> {
    if (this.#closed) return createSandboxProblem(503, "This sandbox is closed.");
    const known = this.#mounted.get(prefix);
    const router = known ?? this.#mounted.set(prefix, new Router(this.#routerOptions, { prefix }));
    return router.answer(incoming);
  }

  /** Resolves when all ports are bound. If a port cannot be bound, releases all others. */
  async listen(options?: ListenOptions) {
    const { ownPorts = false, ...where } = readFields(options, ["ownPorts", "port", "host", "cert", "key"]);
    this.#assertOpen();
    assertReachable(where.host, this.#routerOptions.access);
    if (this.#opening || this.#listening.length > 0)
      throw new UsageError("badOption", `The sandbox is already listening at ${this.addresses.common}.`);
    this.#opening = true;
    try {
      const { port, origin } = await this.#bind(this.#router, where);
      this.addresses.bind(origin);
      if (ownPorts) await this.#bindOwn(where);
      return { port, url: origin };
    } catch (error) {
      await this.stopListening();
      throw error;
    } finally {
      this.#opening = false;
    }
  }

  async stopListening(): Promise<void> {
    const listening = this.#listening;
    this.#listening = [];
    this.addresses.release();
    this.#own.clear();
    await Promise.all(listening.map((listener) => listener.close()));
  }

  /** Ends all worlds and closes all ports. Later requests and calls of `listen` fail. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.worlds.end();
    await this.stopListening();
    await this.#options.onClose?.();
  }

  /** Closes idle browser connections if rules may drop responses. On a reused connection, the browser retries and hides the drop. */
  #watchLosing(sandbox: SandboxCore): SandboxCore {
    sandbox.ruleSet.onLosing(() => {
      for (const listener of this.#listening)
        listener.closeIdle((last) => isFromPage(last) && readLastWorld(last) === sandbox.id);
    });
    return sandbox;
  }

  async #bind(router: Router, where: PortOptions): Promise<PortListener> {
    const { listen } = await loadPart(this.runtime.sockets, "listen");
    const listening = await listen((incoming) => router.answer(incoming), where);
    this.#listening.push(listening);
    return listening;
  }

  /** Binds a port for each environment. The control API stays on the main port. */
  async #bindOwn(where: PortOptions): Promise<void> {
    for (const { key } of this.#routerOptions.services.flatMap(({ environments }) => environments)) {
      const router = new Router(this.#routerOptions, { only: key });
      const { origin } = await this.#bind(router, { ...where, port: 0 });
      this.#own.set(key, router);
      this.addresses.bindOwn(key, origin);
    }
  }

  /** `owner` is the environment whose separate port has the URL of the request. Undefined: the main port. */
  #answer(incoming: IncomingRequest, owner?: string): OutgoingResponse | Promise<OutgoingResponse> {
    this.#assertOpen();
    const own = owner === undefined ? undefined : this.#own.get(owner);
    return (own ?? this.#router).answer(incoming);
  }

  #assertOpen(): void {
    if (this.#closed) throw new UsageError("closed", "This sandbox is closed.");
  }
}

/** Whether a browser sent the request. Other clients are excluded, because they can fail if an idle connection closes. */
function isFromPage({ headers }: LastRequest): boolean {
  return headers["sec-fetch-site"] !== undefined;
}

function readLastWorld({ url = "", headers }: LastRequest): string {
  return splitWorld(url).name ?? headers["x-vitrine-world"]?.toString() ?? MAIN_WORLD;
}

/** Creates an app to mount in another app. Uses only public members of the context, which another copy of Hono can create. */
function createMountedApp(
  answer: (prefix: string, incoming: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>,
): Hono {
  return new Hono().all("*", async ({ req }) => {
    const incoming = new WebRequest(req.raw);
    const depth = req.routePath.replaceAll(/\{[^}]*\}/g, "").split("/").length - 1; // Example: 3 for `/:id{[0-9]+}/mock/*`.
    const prefix = incoming.address.pathname.split("/").slice(0, depth).join("/");
    return toResponse(await answer(prefix, incoming));
  });
}
