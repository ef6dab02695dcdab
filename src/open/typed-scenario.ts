/** Scenarios as users write them in TypeScript, and the functions that check them. The same JSON as in a file. */

import type { DataChangeInput, ScenarioFields } from "../scenario/grammar.ts";
import {
  type DocumentedOutcome,
  listMutations,
  listOutcomes,
  type ReplyMutation,
} from "../scenario/outcomes.ts";
import type { PresetName } from "../scenario/preset-name.ts";
import type { AccountData, AccountSettingsInput } from "../services/account/surface.ts";
import { services } from "../services/index.ts";
import type { MuseumData, MuseumSettingsInput } from "../services/museum/surface.ts";
import type { OperationGlob, OperationName, ProblemOf, StatusOf } from "./operation-names.ts";
import type { TypedRule } from "./typed-rule.ts";

/** Switches by service. */
export type SettingsInput = {
  readonly museum?: MuseumSettingsInput | undefined;
  readonly account?: AccountSettingsInput | undefined;
};

type CollectionEdit<Entity> = Omit<DataChangeInput, "replace" | "upsert"> & {
  /** Leaves exactly these. */
  readonly replace?: readonly Entity[] | undefined;
  /** Adds these, or replaces those with the same key. */
  readonly upsert?: readonly Entity[] | undefined;
};
type CollectionEdits<Data> = {
  readonly [K in keyof Data]?: Data[K] extends { input: infer Entity }
    ? CollectionEdit<Entity> | undefined
    : never;
};

/** The path of a file: it has a separator, or ends in `.json`. */
type ScenarioPath = `${string}/${string}` | `${string}\\${string}` | `${string}.json`;

/** A scenario as a value, as it is written in a file. */
export type ScenarioInput = ScenarioFields & {
  /** Scenarios that this one builds on; a later one wins over an earlier. */
  readonly extends?: readonly (PresetName | ScenarioPath)[] | undefined;
  /** Switches by service. */
  readonly settings?: SettingsInput | undefined;
  /** Base data by environment and collection. */
  readonly data?:
    | {
        readonly museum?: CollectionEdits<MuseumData> | undefined;
        readonly account?: CollectionEdits<AccountData> | undefined;
        readonly accountSandbox?: CollectionEdits<AccountData> | undefined;
        /** Another name of `accountSandbox`. */
        readonly sandbox?: CollectionEdits<AccountData> | undefined;
      }
    | undefined;
  readonly rules?: readonly TypedRule[] | undefined;
};

/** A preset by name, a file by path (a computed one as a template: `${folder}/story.json`), or the value itself. */
export type GivenScenario = PresetName | ScenarioPath | ScenarioInput;
/** One, or several, each applied over the ones before. */
export type GivenScenarios = GivenScenario | readonly GivenScenario[];

/** A rule checked by the compiler. For several operations it allows only what they all share. */
export function defineRule<const N extends OperationGlob>(rule: TypedRule<N>): TypedRule<N> {
  return rule;
}

/** A scenario checked by the compiler: each rule against the operations it names. */
export function defineScenario<const N extends readonly OperationGlob[]>(
  scenario: Omit<ScenarioInput, "rules"> & {
    readonly rules?: { readonly [I in keyof N]: TypedRule<N[I]> } | undefined;
  },
): ScenarioInput {
  return scenario as ScenarioInput; // what its operations have in particular, they have among all others
}

type TypedOutcome<N extends OperationName> = Omit<DocumentedOutcome, "rule"> & {
  readonly operation: N;
  readonly status: StatusOf<N>;
  readonly problem: ProblemOf<N> | undefined;
  /** Brings it about, for `sandbox.use`: once, so that a second request reaches the service. */
  readonly rule: TypedRule<N>;
};

/** Every documented answer of an operation with a rule that produces it, for `test.each`. */
export function documentedOutcomes<N extends OperationName>(operation: N): readonly TypedOutcome<N>[] {
  return listOutcomes(operation, services) as readonly unknown[] as readonly TypedOutcome<N>[]; // read from that operation
}

type TypedMutation = Omit<ReplyMutation, "rule"> & { readonly rule: TypedRule };

/** Mutations of an operation's real reply that a robust client survives, each with its rule, for `test.each`. */
export function replyMutations(operation: OperationName): readonly TypedMutation[] {
  return listMutations(operation, services) as readonly unknown[] as readonly TypedMutation[]; // the same rules
}
