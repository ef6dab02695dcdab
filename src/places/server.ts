/**
 * The host of all worlds of one sandbox: the app that serves them, its ports, and the shutdown. Knows sandboxes only as
 * things that answer.
 */

import type { Hono } from "hono";
import type { Asked } from "../operation/asked.ts";
import { sandboxProblem } from "../operation/problem-json.ts";
import type { Service } from "../operation/service.ts";
import { type Client, receive } from "../request/broken-reply.ts";
import type { Commit } from "../request/commit.ts";
import { type Access, CONTROL, checkAccess, checkReach } from "../request/guard.ts";
import { createLocalFetch, type Fetch } from "../request/in-process-fetch.ts";
import { mountedApp } from "../request/mounted-app.ts";
import { type Behind, Router } from "../request/router.ts";
import { type Sent, toResponse } from "../request/sent.ts";
import { WebRequest } from "../request/web-request.ts";
import { Addresses } from "../sandbox/addresses.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { SandboxParts } from "../sandbox/sandbox-state.ts";
import { Worlds, type WorldsOptions } from "../sandbox/worlds.ts";
import { Recent } from "../world/remembered.ts";
import { UsageError } from "../world/usage-error.ts";
import { MAIN, splitWorld } from "../world/world-name.ts";
import type { Listening, ListenOptions } from "./node/http-server.ts";
import { load, type Place } from "./place.ts";

export type ServerOptions = {
  readonly place: Place;
  readonly main: SandboxParts;
  readonly make: (parts: SandboxParts, server: Server) => Sandbox;
  readonly services: readonly Service[];
  readonly access: Omit<Access, "origins">;
  readonly worlds: WorldsOptions;
  /** Left out: nothing is stored. */
  readonly commit?: Commit | undefined;
  /** Called once, after the last request. */
  readonly onClose?: (() => Promise<void>) | undefined;
};

export type OpenOptions = ListenOptions & {
  /** Each base address also gets a port of its own, with the service at its root. */
  readonly ownPorts?: boolean | undefined;
};

export class Server {
  readonly place: Place;
  readonly addresses: Addresses;
  readonly worlds: Worlds;
  readonly #options: ServerOptions;
  readonly #behind: Behind;
  readonly #router: Router;
  /** By environment. */
  readonly #own = new Map<string, Router>();
  #app: Hono | undefined;
  /** By the prefix in the other app. */
  readonly #mounted = new Recent<Router>(100);
  #listening: Listening[] = [];
  #opening = false;
  #closed = false;

  constructor(options: ServerOptions) {
    const { place, services, access, main, make, worlds, commit } = options;
    this.place = place;
    checkAccess(access);
    this.#options = options;
    this.addresses = new Addresses(
      [...services.flatMap(({ environments }) => environments), CONTROL],
      access.allowedHosts,
    );
    this.worlds = new Worlds(main, (parts) => this.#followed(make(parts, this)), worlds);
    this.#behind = {
      services,
      control: place.control,
      worlds: this.worlds,
      access: { ...access, origins: () => this.addresses.origins() },
      commit,
    };
    this.#router = new Router(this.#behind);
  }

  /** `fetch` for one world, in process. */
  fetchFor(sandbox: Sandbox): Fetch {
    return createLocalFetch({
      addresses: this.addresses,
      prefix: () => this.worlds.prefixOf(sandbox),
      answer: (asked, owner) => {
        if (sandbox !== this.worlds.main && !this.#closed && this.worlds.get(sandbox.id) !== sandbox)
          throw new UsageError("closed", `The world ${sandbox.id} is closed, or stood idle for too long.`);
        const client = () => this.#clientOf(asked, sandbox);
        const sent = this.#answer(asked, owner);
        if (sent instanceof Promise) return sent.then((late) => receive(late, client));
        return sent.fault === undefined ? toResponse(sent) : receive(sent, client);
      },
    });
  }

  /** Answers a request to the common address. */
  async answer(request: Request): Promise<Response> {
    const asked = new WebRequest(request);
    return receive(await this.#answer(asked), () => this.#clientOf(asked, this.worlds.main));
  }

  /** What a fault in process needs to know of the one who meets it. */
  #clientOf({ signal }: Asked, { world }: Sandbox): Client {
    return { signal, world, parserErrors: this.place.parserErrors };
  }

  /** For another app to mount; made with its first use. */
  get app(): Hono {
    this.#app ??= mountedApp((prefix, asked) => this.answerUnder(prefix, asked));
    return this.#app;
  }

  /** The answer to a request below a prefix: `/mock`, or empty. */
  answerUnder(prefix: string, asked: Asked): Sent | Promise<Sent> {
    if (this.#closed) return sandboxProblem(503, "This sandbox is closed.");
    const known = this.#mounted.get(prefix);
    const router = known ?? this.#mounted.set(prefix, new Router(this.#behind, { prefix }));
    return router.answer(asked);
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
  #followed(sandbox: Sandbox): Sandbox {
    sandbox.rules.onLosing(() => {
      for (const one of this.#listening)
        one.closeIdle((last) => isOfPage(last) && worldOf(last) === sandbox.id);
    });
    return sandbox;
  }

  async #bind(router: Router, where: ListenOptions): Promise<Listening> {
    const { listen } = await load(this.place.sockets, "listen"); // a sandbox that stays in process needs none
    const listening = await listen((asked) => router.answer(asked), where);
    this.#listening.push(listening);
    return listening;
  }

  /** The control API stays on the common port. */
  async #bindOwn({ host }: ListenOptions): Promise<void> {
    for (const { key } of this.#behind.services.flatMap(({ environments }) => environments)) {
      const router = new Router(this.#behind, { only: key });
      const { origin } = await this.#bind(router, { host });
      this.#own.set(key, router);
      this.addresses.bindOwn(key, origin);
    }
  }

  /** `owner`: the environment that has the port of the request to itself. */
  #answer(asked: Asked, owner?: string): Sent | Promise<Sent> {
    this.#refuseClosed();
    const own = owner === undefined ? undefined : this.#own.get(owner);
    return (own ?? this.#router).answer(asked);
  }

  #refuseClosed(): void {
    if (this.#closed) throw new UsageError("closed", "This sandbox is closed.");
  }
}

/** The request that a connection carried last. */
type Last = Parameters<Parameters<Listening["closeIdle"]>[0]>[0];

/** Only browsers send Sec-Fetch-Site. They retry on a closed idle connection; other clients fail. */
function isOfPage({ headers }: Last): boolean {
  return headers["sec-fetch-site"] !== undefined;
}

function worldOf({ url = "", headers }: Last): string {
  return splitWorld(url).name ?? headers["x-vitrine-world"]?.toString() ?? MAIN;
}
