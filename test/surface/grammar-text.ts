/** The types of the grammar of rules and scenarios and of the values of the control API: files in src, written from schemas. */

import type { z } from "zod";
import {
  IssuedTokenList,
  JwksView,
  TokenInput,
  UsageInput,
  UsageView,
} from "../../src/control/endpoints/account.ts";
import {
  AssumptionList,
  CredentialList,
  OperationList,
  PresetList,
  SettingList,
} from "../../src/control/schemas/catalogue.ts";
import { LintFindingView } from "../../src/control/schemas/journal.ts";
import {
  RuleBody as AnyRule,
  CheckView,
  ExplanationView,
  QuestionInput,
  RuleUpdateInput,
  ScenarioView,
} from "../../src/control/schemas/scenario.ts";
import { DifferenceView, SnapshotView, StateView, WorldView } from "../../src/control/schemas/worlds.ts";
import { duration } from "../../src/operation/checks.ts";
import { Action, RuleAction } from "../../src/rules/action.ts";
import { Delay } from "../../src/rules/delay.ts";
import { Limit } from "../../src/rules/limit.ts";
import { MatcherSchema, When } from "../../src/rules/matcher-schema.ts";
import { Mutations } from "../../src/rules/mutation.ts";
import { Rule } from "../../src/rules/rule.ts";
import { DataChange, ScenarioFile } from "../../src/scenario/schema.ts";
import { commentOf, type Forms, TypeTexts } from "./type-text.ts";

/** `base`: the declared type whose members it shares. `omitted`: members that `open/typed-scenario.ts` types. */
type Declared = readonly [
  name: string,
  schema: z.ZodType,
  about: string,
  base?: string,
  omitted?: readonly string[],
];

const RULES: readonly Declared[] = [
  ["RequestMatcher", When(), "Selects requests that match every given part."],
  ["Matcher", MatcherSchema(), "Selects exchanges that match every given part.", "RequestMatcher"],
  ["LimitInput", Limit(), "How often a rule applies."],
  ["DelayInput", Delay(), "A fixed or random delay. `dribble`: sends the body in pieces, slowly."],
  [
    "ActionInput",
    Action(),
    "One of problem, respond, fault, mutate, hold and pass. `delay` and `advance` can be added, or used alone.",
  ],
  ["ThenInput", RuleAction(), "One action, or a sequence of actions.", "ActionInput"],
  ["RuleInput", Rule(), "A rule, in the format of scenarios and of `use`."],
];
const SCENARIO: readonly Declared[] = [
  ["DataChangeInput", DataChange(), "Changes of one collection, applied in the order of these fields."],
  [
    "ScenarioFields",
    ScenarioFile(),
    "Fields of a scenario, except `extends`, `settings`, `data` and `rules`, which `ScenarioInput` adds.",
    "",
    ["extends", "settings", "data", "rules"],
  ],
];

const VIEWS: readonly Declared[] = [
  ["AssumptionView", itemOf(AssumptionList), "An open question of a service's document, and the assumption."],
  ["CheckReport", CheckView, "Result of the validation of a rule or a scenario."],
  ["CredentialView", itemOf(CredentialList), "The credentials of a user."],
  ["CurrentScenario", ScenarioView, "The active scenario: `default`, if you did not apply another one."],
  ["Explanation", ExplanationView, "Predicted response to a request, and why each rule applies or not."],
  ["IssuedTokenView", itemOf(IssuedTokenList), "A valid token that a login returned."],
  ["Jwks", JwksView, "A JSON Web Key Set."],
  ["LintView", LintFindingView, "A problem in the client's traffic, found by a lint rule."],
  [
    "OperationView<Rule = RuleInput>",
    itemOf(OperationList),
    "An operation with its documented responses. `Rule` is the type of the rules that trigger them.",
  ],
  ["PresetView", itemOf(PresetList), "A preset: a scenario that the package contains."],
  ["ExplainInput", QuestionInput, "The request for which `explain` predicts the response."],
  ["RuleUpdate", RuleUpdateInput, "A change of a rule. Omitted fields keep their values."],
  ["SettingView", itemOf(SettingList), "A setting and its value."],
  ["Snapshot", SnapshotView, "A saved state of a world, for `restore`."],
  ["StateDifference", DifferenceView, "Differences between a snapshot and the current state."],
  ["StateReport", StateView, "Summary of a world: clock, counts, and a digest of its state."],
  ["TokenInput", TokenInput, "The token to create."],
  ["UsageInput", UsageInput, "Invoices to simulate."],
  ["ReceiptView", UsageView, "Result of `usage.record`. The account service adds more fields."],
  ["WorldView", WorldView, "A world and its URLs."],
];

const { since, until } = MatcherSchema().shape;
const forms: Forms = new Map<z.core.$ZodType, string>([
  [duration, "Duration"],
  [Mutations().options[0], "NamedMutation"],
  [Action().shape.violations.unwrap().element, "Violation"],
  [since.unwrap(), "string | Date"],
  [until.unwrap(), "string | Date"],
  [AnyRule, "Rule"],
  ...[...RULES, ...SCENARIO].map(([name, schema]) => [schema, name] as const),
]);

/** The texts of the files, by path in src. */
export const grammarTexts: Readonly<Record<string, string>> = {
  "rules/grammar.ts": textOf(RULES, [
    'import type { Violation } from "../operation/issue.ts";',
    'import type { Duration } from "../world/time.ts";',
    'import type { Condition, Names, Operators } from "./condition.ts";',
    'import type { NamedMutation } from "./mutation.ts";',
  ]),
  "scenario/grammar.ts": textOf(SCENARIO, ['import type { Condition } from "../rules/condition.ts";']),
  "sandbox/views.ts": textOf(VIEWS, [
    'import type { RuleInput } from "../rules/grammar.ts";',
    'import type { Urls } from "./addresses.ts";',
  ]).replace(
    "rule?: Rule ", // RuleUpdate
    "rule?: RuleInput ",
  ),
};

function textOf(declared: readonly Declared[], imports: readonly string[]): string {
  const types = new TypeTexts("input", new Map(), forms);
  const texts = declared.map(([name, schema, about, base, omitted = []]) => {
    const shape = types.schemaOf(schema);
    const shared = declared.find(([other]) => other === base);
    const names = Object.keys(shared === undefined ? {} : (types.schemaOf(shared[1])["properties"] ?? {}));
    const text = types.text(without(shape, [...names, ...omitted]));
    return `${commentOf(about)}export type ${name} = ${shared === undefined ? "" : `${base} & `}${text};\n`;
  });
  const header = "/** Generated: types of the schemas. To update this file, run `npm run docs`. */\n";
  return [header, ...imports, "", ...texts].join("\n");
}

/** The schema of the items of a list. */
function itemOf(list: z.ZodType): z.ZodType {
  return (list as z.ZodArray<z.ZodType>).element; // Safe: the callers pass lists.
}

function without({ properties, ...schema }: Properties, omitted: readonly string[]): Properties {
  const own = Object.entries(properties ?? {}).filter(([name]) => !omitted.includes(name));
  return { ...schema, properties: Object.fromEntries(own) };
}

type Properties = { readonly properties?: object };
