/** The types of rules, matchers and scenarios as users write them: the text of files in src, written from the grammar. */

import type { z } from "zod";
import { duration } from "../../src/operation/checks.ts";
import { Action, RuleAction } from "../../src/rules/action.ts";
import { Delay } from "../../src/rules/delay.ts";
import { Limit } from "../../src/rules/limit.ts";
import { MatcherSchema, When } from "../../src/rules/matcher-schema.ts";
import { Mutations } from "../../src/rules/mutation.ts";
import { shortDuration } from "../../src/rules/primitives.ts";
import { Rule } from "../../src/rules/rule.ts";
import { DataChange, ScenarioFile } from "../../src/scenario/schema.ts";
import { commentOf, type Forms, TypeTexts } from "./type-text.ts";

/** `base`: the declared type whose members it shares. */
type Declared = readonly [name: string, schema: z.ZodType, about: string, base?: string];

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
  ["ScenarioFileInput", ScenarioFile(), "A scenario as it is written."],
];

const { since, until } = MatcherSchema().shape;
const forms: Forms = new Map<z.core.$ZodType, string>([
  [duration, "Duration"],
  [shortDuration, "Duration"],
  [Mutations().options[0], "NamedMutation"],
  [since.unwrap(), "string | Date"],
  [until.unwrap(), "string | Date"],
  ...[...RULES, ...SCENARIO].map(([name, schema]) => [schema, name] as const),
]);

/** The texts of the files, by path in src. */
export const grammarTexts: Readonly<Record<string, string>> = {
  "rules/grammar.ts": textOf(RULES, [
    'import type { Duration } from "../world/time.ts";',
    'import type { Condition, Names, Operators } from "./condition.ts";',
    'import type { NamedMutation } from "./mutation.ts";',
  ]),
  "scenario/grammar.ts": textOf(SCENARIO, [
    'import type { Condition } from "../rules/condition.ts";',
    'import type { RuleInput } from "../rules/grammar.ts";',
  ]),
};

function textOf(declared: readonly Declared[], imports: readonly string[]): string {
  const types = new TypeTexts("input", new Map(), forms);
  const texts = declared.map(([name, schema, about, base]) => {
    const shape = types.schemaOf(schema);
    const shared = declared.find(([other]) => other === base);
    const text =
      shared === undefined
        ? types.text(shape)
        : `${base} & ${types.text(without(shape, types.schemaOf(shared[1])))}`;
    return `${commentOf(about)}export type ${name} = ${text};\n`;
  });
  const header = "/** Generated: the types of the grammar; `npm run docs` writes it from the schemas. */\n";
  return [header, ...imports, "", ...texts].join("\n");
}

function without({ properties, ...schema }: Properties, base: Properties): Properties {
  const own = Object.entries(properties ?? {}).filter(
    ([name]) => !Object.hasOwn(base.properties ?? {}, name),
  );
  return { ...schema, properties: Object.fromEntries(own) };
}

type Properties = { readonly properties?: object };
