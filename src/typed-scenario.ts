// Owns scenarios as TypeScript sees them: a problem that an operation does not document, or two effects at once, do not
// compile. The values are the same JSON that a file holds.

import type { z } from "zod";
import type { Operation } from "./operation/operation.ts";
import type { Delay } from "./rules/delay.ts";
import type { FaultKind } from "./rules/effect.ts";
import type { Mutations } from "./rules/mutation.ts";
import type { RuleInput } from "./rules/rule.ts";
import { drillsOf, type MutationDrill, type Outcome, outcomesOf } from "./scenario/outcomes.ts";
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

/** Any server can break, whatever its documents say. */
type ServerError = 500 | 501 | 502 | 503 | 504 | 505 | 507 | 508 | 511;
type Respond<S extends number> = {
  readonly status: S;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.core.util.JSONType;
};
type Violation = { readonly propertyPath: string; readonly message: string; readonly code?: string };
type Waiting = { readonly delay?: Delay; readonly clock?: "virtual"; readonly advance?: string };

type Effects<N extends OperationName> =
  | { readonly problem: ProblemOf<N>; readonly title?: string; readonly violations?: readonly Violation[] }
  | { readonly respond: Respond<StatusOf<N> | ServerError> }
  | { readonly respond: Respond<number>; readonly undocumented: true }
  | { readonly fault: FaultKind }
  | { readonly mutate: z.input<typeof Mutations> }
  | { readonly hold: string }
  | { readonly pass: true }
  | Record<never, never>;
type Key =
  | "problem"
  | "title"
  | "violations"
  | "respond"
  | "undocumented"
  | "fault"
  | "mutate"
  | "hold"
  | "pass";
/** The members of a union, each without what only the others have. */
type OneOf<U> = U extends unknown ? U & { readonly [K in Exclude<Key, keyof U>]?: never } : never;
type TypedStep<N extends OperationName> = OneOf<Effects<N>> & Waiting;
type TypedThen<N extends OperationName> =
  | (TypedStep<N> & { readonly sequence?: never; readonly after?: never })
  | { readonly sequence: readonly TypedStep<N>[]; readonly after?: "pass" | "last" | "cycle" | "fail" };

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

/** A rule for the operations it names: problems, statuses and fields are theirs. */
export type TypedRule<N extends OperationName = OperationName> = Omit<RuleInput, "when" | "then"> & {
  readonly when: TypedWhen<N>;
  readonly then: TypedThen<N>;
};
/** One rule per operation, so that each is held against its own; a rule for several is made by `defineRule`. */
type AnyTypedRule = { [N in OperationName]: TypedRule<N> }[OperationName];

declare const checked: unique symbol;
/** A rule that `defineRule` has held against its operations; others do not pass for one. */
type CheckedRule = RuleInput & { readonly [checked]: true };

/** A rule whose mistakes the compiler finds. For several operations, what all of them share. */
export function defineRule<const N extends OperationName>(rule: TypedRule<N>): CheckedRule {
  return rule as unknown as CheckedRule; // the same JSON, told more exactly; the mark is for the compiler alone
}

/** A scenario whose mistakes the compiler finds; rules of `defineRule` fit in as they are. */
export function defineScenario(
  scenario: Omit<ScenarioValue, "rules"> & { readonly rules?: readonly (AnyTypedRule | CheckedRule)[] },
): ScenarioValue {
  // The same JSON, told more exactly: the compiler cannot see that the rules are of the looser type too.
  return scenario as unknown as ScenarioValue;
}

/** Every documented answer of an operation with a rule that brings it about, for `test.each`. */
export function documentedOutcomes<N extends OperationName>(
  operation: N,
): readonly (Outcome & {
  readonly operation: N;
  readonly status: StatusOf<N>;
  readonly problem: ProblemOf<N> | undefined;
})[] {
  return outcomesOf(operation, services) as ReturnType<typeof documentedOutcomes<N>>; // read from that operation
}

/** Changes of an operation's true reply that a careful client survives, each with its rule, for `test.each`. */
export function mutationDrills(operation: OperationName): readonly MutationDrill[] {
  return drillsOf(operation, services);
}
