/** Computes the origins of a sandbox and the base URLs of each world. Does not open sockets. */

import type { Environment } from "../operation/service.ts";

/** Base URLs by environment: `museum`, `account`, `accountSandbox` and `control`. */
export type Urls<Key extends string = string> = Readonly<Record<Key, string>>;

/** Origin of in-process requests. */
export const LOCAL_ORIGIN = "http://localhost";
/** Hosts of servers that listen on all network interfaces, as written in a URL. */
export const WILDCARD_HOSTS: readonly string[] = ["0.0.0.0", "[::]"];

export class SandboxUrls {
  readonly #environments: readonly Environment[];
  /** Host names of the option `allowedHosts`. */
  readonly #hosts: readonly string[];
  /** Origin of the main port, which serves all environments. */
  common = LOCAL_ORIGIN;
  readonly #own = new Map<string, string>();
  #origins: readonly string[];

  constructor(environments: readonly Environment[], hosts: readonly string[]) {
    this.#environments = environments;
    this.#hosts = hosts;
    this.#origins = this.#spellOrigins();
  }

  bind(origin: string): void {
    this.common = origin;
    this.#origins = this.#spellOrigins();
  }

  /** Stores the origin of an environment that has a separate port. */
  bindOwn(environment: string, origin: string): void {
    this.#own.set(environment, origin);
    this.#origins = this.#spellOrigins();
  }

  release(): void {
    this.common = LOCAL_ORIGIN;
    this.#own.clear();
    this.#origins = this.#spellOrigins();
  }

  /** Returns the key of the environment whose separate port has this origin. */
  findPortOwner(origin: string): string | undefined {
    return [...this.#own].find(([, own]) => listSpellings(own).includes(origin))?.[0];
  }

  /** Lists the origins of the sandbox, from its ports and `allowedHosts`. Does not read requests, which can contain any host. */
  origins(): readonly string[] {
    return this.#origins;
  }

  /** Returns the base URLs of a world. `prefix` is its path prefix: `/~w1` or empty. `common` is the origin of the main port. */
  urls(prefix: string, common: string = this.common): Urls {
    const entries = this.#environments.map(({ key, base, ownBase }) => {
      const own = this.#own.get(key);
      return [key, own === undefined ? common + prefix + base : own + prefix + ownBase];
    });
    return Object.fromEntries(entries);
  }

  #spellOrigins(): readonly string[] {
    const bound = [this.common, ...this.#own.values()];
    const named = this.#hosts.flatMap((host) => bound.map((origin) => withHost(origin, host)));
    return [...bound.flatMap(listSpellings), ...named];
  }
}

/** Returns the origin. If it is local, also returns it with each loopback host, because clients can use any of them. */
function listSpellings(origin: string): readonly string[] {
  const { hostname } = new URL(origin);
  const isLocal = LOOPBACK_HOSTS.includes(hostname) || WILDCARD_HOSTS.includes(hostname);
  return isLocal ? [origin, ...LOOPBACK_HOSTS.map((host) => withHost(origin, host))] : [origin];
}

function withHost(origin: string, host: string): string {
  const url = new URL(origin);
  return `${url.protocol}//${host}${url.port === "" ? "" : `:${url.port}`}`;
}

/** Loopback addresses that a socket can bind. */
export const LOOPBACK_ADDRESSES: readonly string[] = ["127.0.0.1", "::1"];
/** Loopback hosts as written in a URL. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const IPV4 = String.raw`127(\.\d{1,3}){3}`;
const LOOPBACK_ADDRESS = new RegExp(`^(localhost|::1|${IPV4})$`);
const HOST_PATTERN = String.raw`(localhost|[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost|${IPV4}|\[::1\])`;
const LOOPBACK_HOST = new RegExp(`^${HOST_PATTERN}$`);
const LOOPBACK_ORIGIN = new RegExp(String.raw`^https?:\/\/${HOST_PATTERN}(:\d{1,5})?$`);

/** Whether only this machine can reach a socket that is bound to this name or address. */
export function isLoopbackAddress(host: string): boolean {
  return LOOPBACK_ADDRESS.test(host);
}

/** Whether the host of a URL is this machine. Includes subdomains of `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}

export function isLoopbackOrigin(origin: string): boolean {
  return LOOPBACK_ORIGIN.test(origin);
}
