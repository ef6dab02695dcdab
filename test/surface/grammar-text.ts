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
  ["RequestMatcher", When(), "Which requests: every part that is given must match."],
  ["Matcher", MatcherSchema(), "Which exchanges: every part that is given must match.", "RequestMatcher"],
  ["LimitInput", Limit(), "How often a rule applies."],
  ["DelayInput", Delay(), "A fixed or random delay, or the time over which the body is sent."],
  ["ActionInput", Action(), "One of problem, respond, fault, mutate, hold and pass, and how long it takes."],
  ["ThenInput", RuleAction(), "One action, or a sequence of them.", "ActionInput"],
  ["RuleInput", Rule(), "A rule as it is written."],
];
const SCENARIO: readonly Declared[] = [
  ["DataChangeInput", DataChange(), "The changes of one collection, in this order."],
  [
    "ScenarioFields",
    ScenarioFile(),
    "The plain fields of a scenario.",
    "",
    ["extends", "settings", "data", "rules"],
  ],
];

const VIEWS: readonly Declared[] = [
  ["AssumptionView", itemOf(AssumptionList), "A point that the documents of a service leave open."],
  ["CheckReport", CheckView, "Whether a rule or a scenario could be used now, and every error in it."],
  ["CredentialView", itemOf(CredentialList), "The credentials of a user."],
  ["CurrentScenario", ScenarioView, "The scenario in force; without one its name is `default`."],
  ["Explanation", ExplanationView, "The result of a request that was not sent."],
  ["IssuedTokenView", itemOf(IssuedTokenList), "A token that a login handed out."],
  ["Jwks", JwksView, "A JSON Web Key Set."],
  ["LintView", LintFindingView, "One finding about the client's traffic in the journal."],
  [
    "OperationView<Rule = RuleInput>",
    itemOf(OperationList),
    "An operation; `Rule` is the type of its rules.",
  ],
  ["PresetView", itemOf(PresetList), "A scenario that comes with the package."],
  ["ExplainInput", QuestionInput, "A request to explain."],
  ["RuleUpdate", RuleUpdateInput, "A change of a rule; omitted parts stay as they are."],
  ["SettingView", itemOf(SettingList), "A setting and its value."],
  ["Snapshot", SnapshotView, "A state to return to."],
  ["StateDifference", DifferenceView, "The differences of two states."],
  ["StateReport", StateView, "The state in numbers."],
  ["TokenInput", TokenInput, "The token to create."],
  ["UsageInput", UsageInput, "Invoices to simulate."],
  ["ReceiptView", UsageView, "The account of simulated invoices; the account service adds fields."],
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
  const header = "/** Generated: types; `npm run docs` writes it from the schemas. */\n";
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
