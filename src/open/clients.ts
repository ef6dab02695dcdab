/** Creates the typed clients of both services. They add credentials to calls without an `authorization` header. */

import { createClient } from "../operation/client.ts";
import type { AnyOperation } from "../operation/operation.ts";
import { accountOperations } from "../services/account/index.ts";
import { type AccountKey, toBasicAuth } from "../services/credentials.ts";
import { museumOperations } from "../services/museum/index.ts";
import type { Clients } from "./sandbox-methods.ts";

/** A value if the sandbox is in this process. A promise if the client reaches the sandbox over HTTP. */
type SyncOrPromise<T> = T | Promise<T>;

type ClientTransport = {
  readonly urls: () => Readonly<Record<"museum" | AccountKey, string>>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Creates a token of the environment's first user. */
  readonly token: (environment: AccountKey) => SyncOrPromise<string>;
};

export function createClients({ urls, fetch, token }: ClientTransport): Clients {
  const client = (
    environment: keyof Clients,
    operations: Readonly<Record<string, AnyOperation>>,
    authorization: () => SyncOrPromise<string>,
  ): unknown =>
    createClient(operations, (path, init, { security }) => {
      const headers = new Headers(init.headers);
      const send = (): Promise<Response> => fetch(urls()[environment] + path, { ...init, headers });
      if (security === "none" || headers.has("authorization")) return send();
      const sendWith = (value: string): Promise<Response> => {
        headers.set("authorization", value);
        return send();
      };
      const value = authorization();
      return value instanceof Promise ? value.then(sendWith) : sendWith(value); // A promise only over HTTP.
    });
  const bearer = (environment: AccountKey) => (): SyncOrPromise<string> => {
    const text = token(environment);
    return text instanceof Promise ? text.then((value) => `Bearer ${value}`) : `Bearer ${text}`;
  };
  const clients: { readonly [K in keyof Clients]: unknown } = {
    museum: client("museum", museumOperations, () => toBasicAuth().authorization),
    account: client("account", accountOperations, bearer("account")),
    accountSandbox: client("accountSandbox", accountOperations, bearer("accountSandbox")),
  };
  return clients as Clients; // Safe cast: the types of `Clients` are generated from the same operations.
}
