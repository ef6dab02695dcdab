// Owns the sandbox as a test sees it: the core with its typed clients, credentials, addresses and verbs. A fork is the
// same thing over another world.

import type { Hall, OpenOptions } from "./node/hall.ts";
import { type Client, createClient } from "./operation/client.ts";
import type { AnyOperation } from "./operation/operation.ts";
import type { Urls } from "./sandbox/addresses.ts";
import { bindControls, type Controls } from "./sandbox/controls.ts";
import type { Fetch } from "./sandbox/local-fetch.ts";
import { Sandbox, type SandboxParts } from "./sandbox/sandbox.ts";
import { museumOperations } from "./services/museum/index.ts";
import { toBasic } from "./services/museum/security.ts";

export type Listening = {
  readonly url: string;
  readonly port: number;
  readonly urls: Urls;
  /** Stops listening; the sandbox goes on in process. */
  readonly close: () => Promise<void>;
};

export class LiveSandbox extends Sandbox implements Controls {
  readonly #hall: Hall<LiveSandbox>;
  /** Like the global `fetch`, in process. Relative paths start at the common address; other hosts are refused. */
  readonly fetch: Fetch;
  readonly museum: Client<typeof museumOperations>;
  readonly auth = {
    /** Headers of HTTP Basic credentials; every pair is good unless the settings name some. */
    basic: (user = "", password = "") => ({ authorization: toBasic({ user, password }) }),
  };

  constructor(parts: SandboxParts, hall: Hall<LiveSandbox>) {
    super(parts);
    this.#hall = hall;
    bindControls(this.world, this);
    this.fetch = hall.fetchFor(this);
    this.museum = this.#client("museum", museumOperations, () => this.auth.basic());
  }

  /** Base URL of each environment, with the prefix of this world. */
  get urls(): Urls {
    return this.#hall.addresses.urls(this.#hall.worlds.prefixOf(this));
  }

  /** A world of its own that starts with the state of this one. Without a name it is called `w1`, `w2`, … */
  fork(name?: string): LiveSandbox {
    return this.#hall.worlds.fork(this, name);
  }

  /** Binds a port, 0 being any free one. Rejects when it is taken. */
  async listen(options: OpenOptions = {}): Promise<Listening> {
    const { port, url } = await this.#hall.listen(options);
    return { port, url, urls: this.urls, close: () => this.#hall.stopListening() };
  }

  /** Ends the sandbox; a fork ends alone. Later calls are refused. */
  async close(): Promise<void> {
    if (this === this.#hall.worlds.main) return this.#hall.close();
    if (this.#hall.worlds.get(this.id) === this) this.#hall.worlds.remove(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #client<const O extends Readonly<Record<string, AnyOperation>>>(
    environment: string,
    operations: O,
    credentials: () => Readonly<Record<string, string>>,
  ): Client<O> {
    return createClient(operations, (path, { headers, ...init }) =>
      this.fetch(this.urls[environment] + path, {
        ...init,
        headers: { ...credentials(), ...(headers as Record<string, string>) }, // as the client made them
      }),
    );
  }
}
