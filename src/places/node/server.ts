/**
 * The host of all worlds of one sandbox: the app that serves them, its ports, and the shutdown. Knows sandboxes only as
 * things that answer.
 */

import type { Service } from "../../operation/service.ts";
import { receive } from "../../request/broken-reply.ts";
import { type Access, checkAccess, checkReach } from "../../request/guard.ts";
import { createLocalFetch, type Fetch } from "../../request/in-process-fetch.ts";
import { type App, appOf, type Behind, sandboxError } from "../../request/router.ts";
import { Addresses } from "../../sandbox/addresses.ts";
import type { Sandbox, SandboxParts } from "../../sandbox/sandbox.ts";
import { Worlds, type WorldsOptions } from "../../sandbox/worlds.ts";
import { UsageError } from "../../world/usage-error.ts";
import { parserErrors } from "./fetch-errors.ts";
import { type Listening, type ListenOptions, listen } from "./http-server.ts";

export type ServerOptions<S extends Sandbox> = {
  readonly main: SandboxParts;
  readonly make: (parts: SandboxParts, server: Server<S>) => S;
  /** The simulated services and the control API. */
  readonly services: readonly Service[];
  readonly access: Omit<Access, "origins">;
  readonly worlds: WorldsOptions;
  /** Awaited before each reply leaves; when it fails, nothing of that request was stored. */
  readonly flush?: (() => Promise<void>) | undefined;
  /** Called once, after the last request. */
  readonly onClose?: (() => Promise<void>) | undefined;
};

export type OpenOptions = ListenOptions & {
  /** Each base address also gets a port of its own, with the service at its root. */
  readonly ownPorts?: boolean | undefined;
};

export class Server<S extends Sandbox = Sandbox> {
  readonly addresses: Addresses;
  readonly worlds: Worlds<S>;
  readonly #options: ServerOptions<S>;
  readonly #behind: Behind;
  readonly #app: App;
  readonly #ownApps = new Map<string, App>();
  #listening: Listening[] = [];
  #opening = false;
  #closed = false;
  readonly #ended = new AbortController();

  constructor(options: ServerOptions<S>) {
    const { services, access, main, make, worlds } = options;
    checkAccess(access);
    this.#options = options;
    this.addresses = new Addresses(
      services.flatMap((service) => service.environments),
      access.allowedHosts,
    );
    this.worlds = new Worlds(main, (parts) => make(parts, this), worlds);
    this.#behind = {
      worlds: this.worlds,
      access: { ...access, origins: () => this.addresses.origins() },
    };
    this.#app = appOf(services);
  }

  /** `fetch` for one world, in process. */
  fetchFor(sandbox: Sandbox): Fetch {
    return createLocalFetch({
      addresses: this.addresses,
      prefix: () => this.worlds.prefixOf(sandbox),
      answer: async (request, owner) => {
        this.#refuseClosed();
        if (this.worlds.get(sandbox.id) !== sandbox)
          throw new UsageError("closed", `The world ${sandbox.id} is closed, or stood idle for too long.`);
        const response = await this.answer(request, owner);
        const { wall } = sandbox.world;
        return receive(response, () => ({
          signal: request.signal,
          closed: this.#ended.signal,
          wall,
          parserErrors,
        }));
      },
    });
  }

  /** Answers a request to the common address, or to the port that an environment has to itself. */
  async answer(request: Request, owner?: string): Promise<Response> {
    this.#refuseClosed();
    const own = owner === undefined ? undefined : this.#ownApps.get(owner);
    return this.#serve(own ?? this.#app, request);
  }

  /** Resolves when every port is bound; when one cannot be, none stays bound. Off the loopback only with a token. */
  async listen({
    ownPorts = false,
    ...where
  }: OpenOptions = {}): Promise<{ readonly port: number; readonly url: string }> {
    this.#refuseClosed();
    checkReach(where.host, this.#behind.access);
    if (this.#opening || this.#listening.length > 0)
      throw new UsageError("badOption", `This sandbox listens already, at ${this.addresses.common}.`);
    this.#opening = true;
    try {
      const { port, origin } = await this.#bind(this.#app, where);
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
    this.#ownApps.clear();
    await Promise.all(listening.map((one) => one.close()));
  }

  /** Ends everything; later calls are refused. Closing again has no effect. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended.abort();
    await this.stopListening();
    this.worlds.clear();
    await this.#options.onClose?.();
  }

  async #bind(app: App, where: ListenOptions): Promise<Listening> {
    const listening = await listen((request) => this.#serve(app, request), where);
    this.#listening.push(listening);
    return listening;
  }

  /** The control API stays on the common port. */
  async #bindOwn({ host }: ListenOptions): Promise<void> {
    const { services } = this.#options;
    for (const { key } of services
      .filter(({ observed }) => observed)
      .flatMap(({ environments }) => environments)) {
      const app = appOf(services, key);
      const { origin } = await this.#bind(app, { host });
      this.#ownApps.set(key, app);
      this.addresses.bindOwn(key, origin);
    }
  }

  #serve(app: App, request: Request): Response | Promise<Response> {
    const { flush } = this.#options;
    const reply = app.fetch(request, this.#behind);
    return flush === undefined ? reply : this.#afterwards(reply, flush);
  }

  async #afterwards(reply: Response | Promise<Response>, flush: () => Promise<void>): Promise<Response> {
    const response = await reply;
    try {
      await flush();
      return response;
    } catch (error) {
      const full = (error as NodeJS.ErrnoException).code === "ENOSPC";
      const why = full ? "the disk is full" : "the file system refused";
      return sandboxError(full ? 507 : 503, `The state could not be written: ${why}. Nothing was changed.`);
    }
  }

  #refuseClosed(): void {
    if (this.#closed) throw new UsageError("closed", "This sandbox is closed.");
  }
}
