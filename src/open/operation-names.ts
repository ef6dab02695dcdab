/** Types of all operations, and of their documented parts. */

import type { AccountClient, AccountOperations } from "../services/account/surface.ts";
import type { MuseumClient, MuseumOperations } from "../services/museum/surface.ts";

type Operations = MuseumOperations & AccountOperations;
type OperationPart = "params" | "query" | "body" | "status" | "problem";

/** Name of an operation: `museum.createSpecialEvent`, `account.login`, … */
export type OperationName = keyof Operations;

/** An operation, or a glob such as `museum.*`. */
export type OperationGlob = OperationName | `${string}*${string}`;

/** Keys of the documented problems of an operation. */
export type ProblemOf<N extends OperationName> = Operations[N]["problem"];
/** Documented statuses of an operation. */
export type StatusOf<N extends OperationName> = Operations[N]["status"];

type GlobPattern<Glob> = Glob extends `${infer Before}*${infer After}`
  ? `${Before}${string}${GlobPattern<After>}`
  : Glob;
type MatchingNames<Glob> = Glob extends OperationName ? Glob : Extract<OperationName, GlobPattern<Glob>>;
type SharedPart<N, P extends OperationPart> = (
  N extends OperationName
    ? (part: Operations[N][P]) => void
    : never
) extends (part: infer Common) => void
  ? Common & Operations[OperationName][P]
  : never;

/** Values of a part, such as `status`, that all operations in `N` share. If `N` is every operation: all values. */
export type DocumentedPart<N extends OperationGlob, P extends OperationPart> = [OperationGlob] extends [N]
  ? Operations[OperationName][P]
  : SharedPart<MatchingNames<N>, P>;

type ServiceClients = { readonly museum: MuseumClient; readonly account: AccountClient };

/** Typed client of a service, with a method for each operation: `Client<"museum">`. */
export type Client<Service extends keyof ServiceClients = keyof ServiceClients> = ServiceClients[Service];

type NamedCall<N extends OperationName> = N extends `museum.${infer K extends keyof MuseumClient}`
  ? MuseumClient[K]
  : N extends `account.${infer K extends keyof AccountClient}`
    ? AccountClient[K]
    : never;

/** Responses of an operation as a union by status: `ClientReply<"museum.getSpecialEvent">`. */
export type ClientReply<N extends OperationName> =
  NamedCall<N> extends (...given: never[]) => Promise<infer Answer> ? Answer : never;
