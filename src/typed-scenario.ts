/**
 * Scenarios as TypeScript types: a problem that an operation does not document, or two effects at once, do
 * not compile. The values are the same JSON as in a file.
 */

import type { z } from "zod";
import type { Violation } from "./operation/issue.ts";
import type { Operation } from "./operation/operation.ts";
import type { Delay } from "./rules/delay.ts";
import type { FaultKind } from "./rules/effect.ts";
import type { Mutations } from "./rules/mutation.ts";
import type { RuleInput } from "./rules/rule.ts";
import { mutationsOf, type Outcome, outcomesOf, type ReplyMutation } from "./scenario/outcomes.ts";
import type { ScenarioValue } from "./scenario/schema.ts";
import type { accountOperations } from "./services/account/index.ts";
import { services } from "./services/index.ts";
import type { museumOperations } from "./services/museum/index.ts";

type Named<Prefix extends string, O> = { readonly [K in keyof O & string as `${Prefix}.${K}`]: O[K] };
type Operations = Named<"museum", typeof museumOperations> & Named<"account", typeof accountOperations>;

/** `museum.createSpecialEvent`, `account.login`, … */
export type OperationName = keyof Operations;

type Types<N extends OperationName> =
  Operations[N] extends Operation<infer P, infer Q, infer B, infer R, infer F, infer K>
    ? { params: keyof P; query: keyof Q; body: z.input<B>; status: (keyof R & number) | F; problem: K }
    : never;

/** The keys of the problems that an operation documents. */
export type ProblemOf<N extends OperationName> = Types<N>["problem"];
/** The statuses that an operation documents. */
export type StatusOf<N extends OperationName> = Types<N>["status"];

/** Any server can fail, whatever it documents. */
type ServerError = 500 | 501 | 502 | 503 | 504 | 505 | 507 | 508 | 511;
type Respond<S extends number> = {
  readonly status: S;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.core.util.JSONType;
};
type Waiting = { readonly delay?: Delay; readonly clock?: "virtual"; readonly advance?: string };

type Effects<N extends OperationName> =
  | { readonly problem: ProblemOf<N>; readonly title?: string; readonly violations?: readonly Violation[] }
  | { readonly respond: Respond<StatusOf<N> | ServerError> }
  | { readonly respond: Respond<number>; readonly undocumented: true }
  | { readonly fault: FaultKind }
  | { readonly mutate: z.input<ReturnType<typeof Mutations>> }
  | { readonly hold: string }
  | { readonly pass: true }
  | Record<never, never>;
type KeyOf<U> = U extends unknown ? keyof U : never;
/** The members of a union, each without the keys that only the others have. */
type OneOf<U, Key extends PropertyKey = KeyOf<U>> = U extends unknown
  ? U & { readonly [K in Exclude<Key, keyof U>]?: never }
  : never;
type TypedAction<N extends OperationName> = OneOf<Effects<N>> & Waiting;
type TypedThen<N extends OperationName> =
  | (TypedAction<N> & { readonly sequence?: never; readonly after?: never })
  | { readonly sequence: readonly TypedAction<N>[]; readonly after?: "pass" | "last" | "cycle" | "fail" };

type Conditions = Omit<
  NonNullable<RuleInput["when"]>,
  "operation" | "method" | "path" | "params" | "query" | "body"
>;
type Matcher = z.core.util.JSONType;
type TypedWhen<N extends OperationName> = Conditions & {
  readonly operation: N | readonly N[];
  readonly params?: { readonly [K in Types<N>["params"]]?: Matcher };
  readonly query?: { readonly [K in Types<N>["query"]]?: Matcher };
  readonly body?: { readonly [K in keyof Types<N>["body"] | `$${string}`]?: Matcher };
};

/** A rule typed by the operations it names: it allows only their problems, statuses and fields. */
export type TypedRule<N extends OperationName = OperationName> = Omit<RuleInput, "when" | "then"> & {
  readonly when: TypedWhen<N>;
  readonly then: TypedThen<N>;
};
/** One rule per operation, so that each is checked against its own; `defineRule` creates a rule for several. */
type AnyTypedRule = { [N in OperationName]: TypedRule<N> }[OperationName];

declare const checked: unique symbol;
/** A rule that `defineRule` has checked against its operations; nothing else has this type. */
type CheckedRule = RuleInput & { readonly [checked]: true };

/** A rule checked by the compiler. For several operations it allows only what they all share. */
export function defineRule<const N extends OperationName>(rule: TypedRule<N>): CheckedRule {
  return rule as unknown as CheckedRule; // the same JSON, typed more precisely; the mark is only for the compiler
}

/** A scenario checked by the compiler; rules from `defineRule` can be used as they are. */
export function defineScenario(
  scenario: Omit<ScenarioValue, "rules"> & { readonly rules?: readonly (AnyTypedRule | CheckedRule)[] },
): ScenarioValue {
  // The same JSON, typed more precisely: the compiler cannot see that the rules also have the looser type.
  return scenario as unknown as ScenarioValue;
}

/** Every documented answer of an operation with a rule that produces it, for `test.each`. */
export function documentedOutcomes<N extends OperationName>(
  operation: N,
): readonly (Outcome & {
  readonly operation: N;
  readonly status: StatusOf<N>;
  readonly problem: ProblemOf<N> | undefined;
})[] {
  return outcomesOf(operation, services) as ReturnType<typeof documentedOutcomes<N>>; // read from that operation
}

/** Mutations of an operation's real reply that a robust client survives, each with its rule, for `test.each`. */
export function replyMutations(operation: OperationName): readonly ReplyMutation[] {
  return mutationsOf(operation, services);
}

/** @deprecated Renamed to `replyMutations` in the second edition, where `drill` is `mutation`. */
export function mutationDrills(
  operation: OperationName,
): readonly (ReplyMutation & { readonly drill: string })[] {
  return replyMutations(operation).map((one) => ({ ...one, drill: one.mutation }));
}
