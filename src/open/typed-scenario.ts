/** TypeScript types of scenarios. The values have the format of scenario files. */

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

/** Settings by service. */
export type SettingsInput = {
  readonly museum?: MuseumSettingsInput | undefined;
  readonly account?: AccountSettingsInput | undefined;
};

type CollectionEdit<Entity> = Omit<DataChangeInput, "replace" | "upsert"> & {
  /** Replaces all entities of the collection. */
  readonly replace?: readonly Entity[] | undefined;
  /** Adds entities, or replaces entities with the same key. */
  readonly upsert?: readonly Entity[] | undefined;
};
type CollectionEdits<Data> = {
  readonly [K in keyof Data]?: Data[K] extends { input: infer Entity }
    ? CollectionEdit<Entity> | undefined
    : never;
};

/** Path of a file. It contains a separator or ends in `.json`. */
type ScenarioPath = `${string}/${string}` | `${string}\\${string}` | `${string}.json`;

/** A scenario, in the format of a scenario file. */
export type ScenarioInput = ScenarioFields & {
  /** Scenarios that this scenario extends. Later ones apply over earlier ones. */
  readonly extends?: readonly (PresetName | ScenarioPath)[] | undefined;
  /** Settings by service. */
  readonly settings?: SettingsInput | undefined;
  /** Changes of the data, by environment and collection. */
  readonly data?:
    | {
        readonly museum?: CollectionEdits<MuseumData> | undefined;
        readonly account?: CollectionEdits<AccountData> | undefined;
        readonly accountSandbox?: CollectionEdits<AccountData> | undefined;
        /** Alias of `accountSandbox`. */
        readonly sandbox?: CollectionEdits<AccountData> | undefined;
      }
    | undefined;
  readonly rules?: readonly TypedRule[] | undefined;
};

/** A preset name, a file path, or a scenario. Write a computed path as a template literal: `${folder}/story.json`. */
export type GivenScenario = PresetName | ScenarioPath | ScenarioInput;
/** One scenario, or a list. Later scenarios apply over earlier ones. */
export type GivenScenarios = GivenScenario | readonly GivenScenario[];

/** Returns the rule unchanged, so that the compiler checks it. A rule for several operations allows only their common values. */
export function defineRule<const N extends OperationGlob>(rule: TypedRule<N>): TypedRule<N> {
  return rule;
}

/** Returns the scenario unchanged, so that the compiler checks each rule against the operations that the rule names. */
export function defineScenario<const N extends readonly OperationGlob[]>(
  scenario: Omit<ScenarioInput, "rules"> & {
    readonly rules?: { readonly [I in keyof N]: TypedRule<N[I]> } | undefined;
  },
): ScenarioInput {
  return scenario as ScenarioInput; // Safe cast: rules for named operations have the format of all rules.
}

type TypedOutcome<N extends OperationName> = Omit<DocumentedOutcome, "rule"> & {
  readonly operation: N;
  readonly status: StatusOf<N>;
  readonly problem: ProblemOf<N> | undefined;
  /** Rule for `sandbox.use` that triggers this response once. Later requests get the usual response. */
  readonly rule: TypedRule<N>;
};

/** Lists the documented responses of an operation for `test.each`. Each contains a rule that triggers the response. */
export function documentedOutcomes<N extends OperationName>(operation: N): readonly TypedOutcome<N>[] {
  return listOutcomes(operation, services) as readonly unknown[] as readonly TypedOutcome<N>[]; // Safe: all belong to `operation`.
}

type TypedMutation = Omit<ReplyMutation, "rule"> & { readonly rule: TypedRule };

/** Lists changes of a valid response that a robust client tolerates, for `test.each`. Each contains a rule that makes the change. */
export function replyMutations(operation: OperationName): readonly TypedMutation[] {
  return listMutations(operation, services) as readonly unknown[] as readonly TypedMutation[]; // Safe: all belong to `operation`.
}
