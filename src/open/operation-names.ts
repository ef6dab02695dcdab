/**
 * The names of what both services have, as types: operations and what each documents. Come here when a rule, a matcher or
 * a list of outcomes is to be typed by an operation.
 */

import type { AccountClient, AccountOperations } from "../services/account/surface.ts";
import type { MuseumClient, MuseumOperations } from "../services/museum/surface.ts";

type Operations = MuseumOperations & AccountOperations;
type Part = "params" | "query" | "body" | "status" | "problem";

/** `museum.createSpecialEvent`, `account.login`, … */
export type OperationName = keyof Operations;

/** An operation, or a glob such as `museum.*`. */
export type OperationGlob = OperationName | `${string}*${string}`;

/** The keys of the problems that an operation documents. */
export type ProblemOf<N extends OperationName> = Operations[N]["problem"];
/** The statuses that an operation documents. */
export type StatusOf<N extends OperationName> = Operations[N]["status"];

type Pattern<Glob> = Glob extends `${infer Before}*${infer After}`
  ? `${Before}${string}${Pattern<After>}`
  : Glob;
type Matching<Glob> = Glob extends OperationName ? Glob : Extract<OperationName, Pattern<Glob>>;
type InAll<N, P extends Part> = (N extends OperationName ? (part: Operations[N][P]) => void : never) extends (
  part: infer Common,
) => void
  ? Common & Operations[OperationName][P]
  : never;

/** What every operation that is named has; where none is named, what any has. */
export type Documented<N extends OperationGlob, P extends Part> = [OperationGlob] extends [N]
  ? Operations[OperationName][P]
  : InAll<Matching<N>, P>;

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
