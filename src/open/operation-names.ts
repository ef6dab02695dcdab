/** Types for the names of all operations, and for their documented parts, such as statuses. */

import type { AccountClient, AccountOperations } from "../services/account/surface.ts";
import type { MuseumClient, MuseumOperations } from "../services/museum/surface.ts";

type Operations = MuseumOperations & AccountOperations;
type OperationPart = "params" | "query" | "body" | "status" | "problem";

/** Name of an operation: `museum.createSpecialEvent`, `account.login`, … */
export type OperationName = keyof Operations;

/** Name of an operation, or a glob such as `museum.*`. */
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

/** Values of the part `P`, such as `status`, that all operations in `N` document. If `N` is every operation: all values of `P`. */
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

/** Union of the responses of an operation, with one member per status: `ClientReply<"museum.getSpecialEvent">`. */
export type ClientReply<N extends OperationName> =
  NamedCall<N> extends (...given: never[]) => Promise<infer Answer> ? Answer : never;
