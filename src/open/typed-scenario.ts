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
  /** Changes of the base data, by environment and collection. */
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
/** A scenario or several. Later ones apply over earlier ones. */
export type GivenScenarios = GivenScenario | readonly GivenScenario[];

/** Returns the rule, and makes the compiler check it. A rule for several operations allows only their common parts. */
export function defineRule<const N extends OperationGlob>(rule: TypedRule<N>): TypedRule<N> {
  return rule;
}

/** Returns the scenario, and makes the compiler check each rule against its operations. */
export function defineScenario<const N extends readonly OperationGlob[]>(
  scenario: Omit<ScenarioInput, "rules"> & {
    readonly rules?: { readonly [I in keyof N]: TypedRule<N[I]> } | undefined;
  },
): ScenarioInput {
  return scenario as ScenarioInput; // Safe cast: rules of named operations are rules of any operation.
}

type TypedOutcome<N extends OperationName> = Omit<DocumentedOutcome, "rule"> & {
  readonly operation: N;
  readonly status: StatusOf<N>;
  readonly problem: ProblemOf<N> | undefined;
  /** A rule for `sandbox.use`. It triggers the response once, so that the next request reaches the service. */
  readonly rule: TypedRule<N>;
};

/** Lists the documented responses of an operation, each with a rule that triggers it. For `test.each`. */
export function documentedOutcomes<N extends OperationName>(operation: N): readonly TypedOutcome<N>[] {
  return listOutcomes(operation, services) as readonly unknown[] as readonly TypedOutcome<N>[]; // Safe: read from this operation.
}

type TypedMutation = Omit<ReplyMutation, "rule"> & { readonly rule: TypedRule };

/** Lists mutations of an operation's response that a robust client tolerates, each with its rule. For `test.each`. */
export function replyMutations(operation: OperationName): readonly TypedMutation[] {
  return listMutations(operation, services) as readonly unknown[] as readonly TypedMutation[]; // Safe: rules of `operation`.
}
