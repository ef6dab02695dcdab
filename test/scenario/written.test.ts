// The types in which rules and scenarios are written say what the grammar accepts: where one allows more than the other,
// this file does not compile.

import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Matcher as TypedMatcher, TypedRule } from "../../src/open/typed-rule.ts";
import type { ScenarioInput } from "../../src/open/typed-scenario.ts";
import type { Condition } from "../../src/rules/condition.ts";
import type { Matcher, RequestMatcher } from "../../src/rules/matcher.ts";
import type { MatcherSchema, When } from "../../src/rules/matcher-schema.ts";
import type { Rule, RuleInput } from "../../src/rules/rule.ts";
import type { NamedMutation } from "../../src/rules/written-rule.ts";
import type { ScenarioFile } from "../../src/scenario/schema.ts";
import type { Duration } from "../../src/world/time.ts";

type Input<S extends () => z.ZodType> = z.input<ReturnType<S>>;
/** Read only, with any text where the grammar has one, and JSON by one name. */
type Plain<T> = [z.core.util.JSONType] extends [T] ? Condition | Extract<T, undefined> : PlainPart<T>;
type PlainPart<T> = T extends Duration | NamedMutation | Date
  ? string
  : T extends object
    ? { readonly [K in keyof T]: Plain<T[K]> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

test("a rule", () => {
  type Grammar = Plain<Input<typeof Rule>>;
  type Written = Plain<RuleInput>;
  expectTypeOf<Same<Omit<Written, "then">, Omit<Grammar, "then">>>().toEqualTypeOf<true>();
  // The grammar's own checks refuse `undocumented` without `respond`, which the written one has no place for.
  type Step = NonNullable<Grammar["then"]["sequence"]>[number] & { readonly undocumented?: undefined };
  type Then = Grammar["then"] & { readonly undocumented?: undefined; readonly sequence?: readonly Step[] };
  expectTypeOf<[Written["then"]] extends [Grammar["then"]] ? true : false>().toEqualTypeOf<true>();
  expectTypeOf<[Then] extends [Written["then"]] ? true : false>().toEqualTypeOf<true>();
  expectTypeOf<keyof Written["then"]>().toEqualTypeOf<keyof Grammar["then"]>();
  expectTypeOf<Same<Plain<RequestMatcher>, Plain<Input<typeof When>>>>().toEqualTypeOf<true>();
});

test("a rule that is typed by its operation", () => {
  expectTypeOf<TypedRule>().toExtend<RuleInput>();
  expectTypeOf<keyof TypedRule>().toEqualTypeOf<keyof RuleInput>();
});

test("a matcher", () => {
  expectTypeOf<Same<Plain<Matcher>, Plain<Input<typeof MatcherSchema>>>>().toEqualTypeOf<true>();
  // With names of operations and problems, it is one of these, and has the same parts.
  expectTypeOf<TypedMatcher>().toExtend<Matcher>();
  expectTypeOf<keyof TypedMatcher>().toEqualTypeOf<keyof Matcher>();
});

test("a scenario", () => {
  type Grammar = Plain<Input<typeof ScenarioFile>>;
  type Written = Plain<ScenarioInput>;
  expectTypeOf<keyof Written>().toEqualTypeOf<keyof Grammar>();
  // Rules are above; settings and data have the names of the services.
  type Rest = "rules" | "settings" | "data" | "extends";
  expectTypeOf<Same<Omit<Written, Rest>, Omit<Grammar, Rest>>>().toEqualTypeOf<true>();
});
