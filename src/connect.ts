/** Client for a sandbox in another process: the methods, typed clients and credentials of a local sandbox, over HTTP. */

import { createRemoteControls } from "./control/remote.ts";
import { readFields } from "./errors/arguments.ts";
import { UsageError } from "./errors/usage-error.ts";
import { createClients } from "./open/clients.ts";
import type { BaseUrls } from "./open/live-sandbox.ts";
import type { RemoteSandbox } from "./open/sandbox-methods.ts";
import { CONTROL_BASE } from "./pipeline/guard.ts";
import type { CollectionMethods, RemoteMethods, RemoteWorld } from "./sandbox/controls.ts";
import { type Login, logIn, resolveAccountKey, toBasicAuth } from "./services/credentials.ts";
import { services } from "./services/index.ts";
import { wallClock } from "./world/clock.ts";
import { toNameKey } from "./world/identities.ts";
import { findWorld } from "./world/world-name.ts";

export type ConnectOptions = {
  /** Name of the world. Default: the world in the URL, or `main`. */
  readonly world?: string | undefined;
  /** The control token, if the sandbox requires one. */
  readonly token?: string | undefined;
};

/**
 * Controls the sandbox at `url`: the URL of a sandbox or of its control API. The URL may contain a world, and the path
 * where another app mounts the sandbox. Sends no request before the first method call. Throws a UsageError for other URLs.
 */
export function connect(url: string | URL, options?: ConnectOptions): RemoteSandbox {
  const { world, token } = readFields(options, ["world", "token"]);
  if (!URL.canParse(String(url)) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError("badOption", `${JSON.stringify(String(url))} is not an http URL.`);
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, "");
  const { prefix = "", name, index = path.length } = findWorld(path) ?? {};
  const whole = path.endsWith(CONTROL_BASE) ? path.slice(0, -CONTROL_BASE.length) : path;
  const isOfService = services.some(({ environments }) =>
    environments.some(({ base }) => `${path}/`.includes(`${base}/`)),
  );
  const message = `${url} is not the URL of a sandbox or its control API. Write http://localhost:4010.`;
  if (isOfService || whole.slice(index + prefix.length) !== "") throw new UsageError("badOption", message);
  return createRemote(origin + whole.slice(0, index), world ?? name ?? "main", token);
}

/** `origin` is the origin of the sandbox, followed by its mount path, if any. */
function createRemote(origin: string, world: string, token: string | undefined): RemoteSandbox {
  const controls = createRemoteControls({
    origin,
    world,
    token,
    services,
    fetch: (url, init) => fetch(url, init),
    wall: wallClock,
    at: (id) => createRemote(origin, id, token) as object as RemoteWorld, // Safe: both types have the same methods.
  });
  const urls = controls.urls as BaseUrls; // Safe cast: `urls` has a URL for each environment of both services.
  const address = urls.control.slice(0, -CONTROL_BASE.length);
  const clients = createClients({
    urls: () => urls,
    fetch: (to, init) => fetch(to, init),
    token: (environment) => controls.auth.token({ environment }),
  });
  const data = controls.data as RemoteSandbox["data"]; // Safe cast: `data` has each collection of both services.
  const own: Partial<RemoteSandbox> = {
    ...clients,
    fetch: (input, init) =>
      fetch(typeof input === "string" && input.startsWith("/") ? address + input : input, init),
    auth: withOwnMembers<RemoteSandbox["auth"]>(controls.auth, {
      basic: toBasicAuth,
      async login({ environment, ...given } = {}) {
        const key = resolveAccountKey(environment);
        return logIn(clients[key], await toLogin(given, data[key].identities));
      },
    }),
    [Symbol.asyncDispose]: async () => controls.close(),
  };
  return withOwnMembers<RemoteSandbox>(controls, own);
}

/** Returns the remote methods with the members of `own`, which take precedence. */
function withOwnMembers<T extends object>(methods: object, own: Partial<T>): T {
  const get = (_own: object, name: string | symbol) => Reflect.get(own, name) ?? Reflect.get(methods, name);
  return new Proxy(own, { get }) as T; // Safe cast: `methods` has the members that `own` lacks.
}

/** Looks up a missing email or password in the users of the environment. Without an email, selects the first user. */
async function toLogin(
  { email, password }: Pick<Partial<Login>, "email" | "password">,
  identities: RemoteMethods<CollectionMethods>,
): Promise<Pick<Login, "email" | "password">> {
  if (email !== undefined && password !== undefined) return { email, password };
  const known = email === undefined ? (await identities.all())[0] : await identities.get(toNameKey(email));
  return {
    email: email ?? String(known?.["name"] ?? ""),
    password: password ?? String(known?.["password"] ?? ""),
  };
}
