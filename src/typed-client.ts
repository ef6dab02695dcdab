/** The clients of both services by name, and the answer of each operation: what a user writes to name their types. */

import type { OperationName } from "./operation-names.ts";
import type { AccountClient } from "./services/account/surface.ts";
import type { MuseumClient } from "./services/museum/surface.ts";

type Clients = { readonly museum: MuseumClient; readonly account: AccountClient };

/** `Client<"museum">`: a call for each operation of a service. */
export type Client<Service extends keyof Clients = keyof Clients> = Clients[Service];

type Call<N extends OperationName> = N extends `museum.${infer K extends keyof MuseumClient}`
  ? MuseumClient[K]
  : N extends `account.${infer K extends keyof AccountClient}`
    ? AccountClient[K]
    : never;

/** `ClientReply<"museum.getSpecialEvent">`: all its answers, a union by status. */
export type ClientReply<N extends OperationName> =
  Call<N> extends (...given: never[]) => Promise<infer Answer> ? Answer : never;
