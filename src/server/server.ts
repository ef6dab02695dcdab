/** The host of all worlds of one sandbox: the app that serves them, its ports, and the shutdown. */

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
  /** Left out: nothing is stored. */
  readonly commit?: Commit | undefined;
  /** Called once, after the last request. */
  readonly onClose?: (() => Promise<void>) | undefined;
};

export type ListenOptions = PortOptions & {
  /** Each base address also gets a port of its own, with the service at its root. */
  readonly ownPorts?: boolean | undefined;
};

export class Server {
  readonly runtime: Runtime;
  readonly addresses: SandboxUrls;
  readonly worlds: Worlds;
  readonly #options: ServerOptions;
  readonly #routerOptions: RouterOptions;
  readonly #router: Router;
  /** By environment. */
  readonly #own = new Map<string, Router>();
  #app: Hono | undefined;
  /** By the prefix in the other app. */
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

  /** `fetch` for one world, in process. */
  fetchFor(sandbox: SandboxCore): Fetch {
    return createLocalFetch({
      addresses: this.addresses,
      prefix: () => this.worlds.getPrefix(sandbox),
      answer: (asked, owner) => {
        if (sandbox !== this.worlds.main && !this.#closed && this.worlds.get(sandbox.id) !== sandbox)
          throw new UsageError("closed", `The world ${sandbox.id} is closed, or stood idle for too long.`);
        const client = () => this.#createClient(asked, sandbox);
        const sent = this.#answer(asked, owner);
        if (sent instanceof Promise) return sent.then((late) => receive(late, client));
        return sent.fault === undefined ? toResponse(sent) : receive(sent, client);
      },
    });
  }

  /** Answers a request to the common address. */
  async answer(request: Request): Promise<Response> {
    readText(assertObject(request, "request").url, "request.url");
    const asked = new WebRequest(request);
    return receive(await this.#answer(asked), () => this.#createClient(asked, this.worlds.main));
  }

  /** What a fault in process needs to know of the one who meets it. */
  #createClient({ signal }: IncomingRequest, { world }: SandboxCore): LocalClient {
    return { signal, world, parserErrors: this.runtime.parserErrors };
  }

  /** For another app to mount; made with its first use. */
  get app(): Hono {
    this.#app ??= createMountedApp((prefix, asked) => this.answerUnder(prefix, asked));
    return this.#app;
  }

  /** The answer to a request below a prefix: `/mock`, or empty. */
  answerUnder(prefix: string, asked: IncomingRequest): OutgoingResponse | Promise<OutgoingResponse> {
    if (this.#closed) return createSandboxProblem(503, "This sandbox is closed.");
    const known = this.#mounted.get(prefix);
    const router = known ?? this.#mounted.set(prefix, new Router(this.#routerOptions, { prefix }));
    return router.answer(asked);
  }

  /** Resolves when every port is bound; when one cannot be, none stays bound. Off the loopback only with a token. */
  async listen(options?: ListenOptions) {
    const { ownPorts = false, ...where } = readFields(options, ["ownPorts", "port", "host", "cert", "key"]);
    this.#assertOpen();
    assertReachable(where.host, this.#routerOptions.access);
    if (this.#opening || this.#listening.length > 0)
      throw new UsageError("badOption", `This sandbox listens already, at ${this.addresses.common}.`);
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
    await Promise.all(listening.map((one) => one.close()));
  }

  /** Ends everything; later calls are refused. Closing again has no effect. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.worlds.end();
    await this.stopListening();
    await this.#options.onClose?.();
  }

  /** Once it may lose a reply, no page sends a request to its world on a connection that has carried another. */
  #watchLosing(sandbox: SandboxCore): SandboxCore {
    sandbox.ruleSet.onLosing(() => {
      for (const one of this.#listening)
        one.closeIdle((last) => isFromPage(last) && readLastWorld(last) === sandbox.id);
    });
    return sandbox;
  }

  async #bind(router: Router, where: PortOptions): Promise<PortListener> {
    const { listen } = await loadPart(this.runtime.sockets, "listen"); // a sandbox that stays in process needs none
    const listening = await listen((asked) => router.answer(asked), where);
    this.#listening.push(listening);
    return listening;
  }

  /** The control API stays on the common port. */
  async #bindOwn(where: PortOptions): Promise<void> {
    for (const { key } of this.#routerOptions.services.flatMap(({ environments }) => environments)) {
      const router = new Router(this.#routerOptions, { only: key });
      const { origin } = await this.#bind(router, { ...where, port: 0 });
      this.#own.set(key, router);
      this.addresses.bindOwn(key, origin);
    }
  }

  /** `owner`: the environment that has the port of the request to itself. */
  #answer(asked: IncomingRequest, owner?: string): OutgoingResponse | Promise<OutgoingResponse> {
    this.#assertOpen();
    const own = owner === undefined ? undefined : this.#own.get(owner);
    return (own ?? this.#router).answer(asked);
  }

  #assertOpen(): void {
    if (this.#closed) throw new UsageError("closed", "This sandbox is closed.");
  }
}

/** Only browsers send Sec-Fetch-Site. They retry on a closed idle connection; other clients fail. */
function isFromPage({ headers }: LastRequest): boolean {
  return headers["sec-fetch-site"] !== undefined;
}

function readLastWorld({ url = "", headers }: LastRequest): string {
  return splitWorld(url).name ?? headers["x-vitrine-world"]?.toString() ?? MAIN_WORLD;
}

/**
 * Returns an app that passes every request to `answer`, with the prefix that the app is mounted at: `/mock` or empty.
 * The context may belong to another copy of Hono. It therefore reads only public members, without Hono's own helpers.
 */
function createMountedApp(
  answer: (prefix: string, asked: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>,
): Hono {
  return new Hono().all("*", async ({ req }) => {
    const asked = new WebRequest(req.raw);
    const depth = req.routePath.replaceAll(/\{[^}]*\}/g, "").split("/").length - 1; // 2 of `/:id{[0-9]+}/mock/*`
    const prefix = asked.address.pathname.split("/").slice(0, depth).join("/");
    return toResponse(await answer(prefix, asked));
  });
}
