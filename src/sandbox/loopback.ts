/** The loopback: the addresses and names that cannot refer to another machine. */

/** The loopback address of each family, as sockets are bound to it. */
export const LOOPBACK_ADDRESSES: readonly string[] = ["127.0.0.1", "::1"];
/** The usual names of this machine, as written in a URL. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const IPV4 = String.raw`127(\.\d{1,3}){3}`;
const ADDRESS = new RegExp(`^(localhost|::1|${IPV4})$`);
const HOST = String.raw`(localhost|[a-z0-9-]+(\.[a-z0-9-]+)*\.localhost|${IPV4}|\[::1\])`;
const HOSTNAME = new RegExp(`^${HOST}$`);
const ORIGIN = new RegExp(String.raw`^https?:\/\/${HOST}(:\d{1,5})?$`);

/** Whether other machines cannot reach what is bound to this name or address. */
export function isLoopbackAddress(host: string): boolean {
  return ADDRESS.test(host);
}

/** Whether the host of a URL is this machine: subdomains of `localhost` are too. */
export function isLoopbackHost(hostname: string): boolean {
  return HOSTNAME.test(hostname);
}

/** Whether a page of this origin was served by this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  return ORIGIN.test(origin);
}
