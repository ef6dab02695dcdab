/** Reads scenarios, those that they extend included: all or nothing, and every mistake with its place. */

import { describeUnknown } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import { type Path, toPointer } from "../http/json-pointer.ts";
import { prefixIssues, type ValidationIssue } from "../operation/issue.ts";
import type { GetSettings, Service } from "../operation/service.ts";
import { check } from "../operation/validate.ts";
import { type CheckedRule, MAX_RULES, type Rule } from "../rules/rule.ts";
import {
  type CollectionChange,
  checkData,
  checkNames,
  checkSettings,
  listSections,
  mergeSettings,
  type ServiceSettings,
  toCollectionChanges,
} from "./check-data.ts";
import { checkRule, toCheckedRule } from "./check-rule.ts";
import { pickValidParts } from "./read-rule.ts";
import {
  createLocator,
  type ErrorLocator,
  rejectScenario,
  throwErrors,
  toErrors,
} from "./scenario-errors.ts";
import { ScenarioFile } from "./schema.ts";
import { createValueSource, type JsonSource, readSource } from "./source.ts";

/** Where the names of scenarios are resolved. */
export type ScenarioLibrary = {
  /** Names, in alphabetical order. */
  names(): readonly string[];
  /** The text of a scenario, or undefined when there is none of that name. `from`: the file that names it. */
  read(name: string, from: string | undefined): { readonly file: string; readonly text: string } | undefined;
};

/** A checked scenario, with its parents merged in. */
export type Scenario = {
  readonly name: string;
  readonly title: string | undefined;
  /** Whether all of it comes with the package. */
  readonly isPreset: boolean;
  readonly description: string | undefined;
  readonly seed: number | undefined;
  readonly clock: ScenarioFile["clock"];
  /** In the order in which they are applied. */
  readonly settings: readonly ServiceSettings[];
  readonly data: readonly CollectionChange[];
  /** In the order in which they are evaluated. */
  readonly rules: readonly CheckedRule[];
  readonly expect: NonNullable<ScenarioFile["expect"]>;
  /** Throws what `find` finds wrong with its rules, each mistake at its place in the file. */
  checkRules(find: (rule: CheckedRule) => readonly ValidationIssue[]): void;
};

/** What names can refer to: the services, and the other scenarios. */
export type ScenarioContext = {
  readonly services: readonly Service[];
  readonly library: ScenarioLibrary;
  /** Service name -> what the settings of a scenario are merged into. Left out: the defaults. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The text of a file. A class, so that no value that comes over HTTP can pass for one: what it extends is looked up
 * next to the file.
 */
export class ScenarioText {
  readonly file: string;
  readonly text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }
}

/** A preset by name, the text of a file, or a scenario as a value. */
export type LoadableScenario = string | ScenarioText | object;

/** Reads one scenario, or several of which a later one overrides an earlier. Throws a UsageError. */
export function loadScenario(
  input: LoadableScenario | readonly LoadableScenario[],
  context: ScenarioContext,
): Scenario {
  // isArray does not narrow a readonly list for the compiler.
  const inputs = Array.isArray(input) ? (input as readonly LoadableScenario[]) : [input as LoadableScenario];
  let values = 0;
  const roots = inputs.map((one) => {
    if (typeof one === "string" || one instanceof ScenarioText) return openLayer(one, context);
    values += 1;
    const name = values === 1 ? "scenario" : `scenario-${values}`;
    return parseLayer(name, createValueSource(one), undefined, [], context);
  });
  const { services } = context;
  const layers = orderLayers(roots);
  const [top] = layers;
  const checked = layers.map((layer) => ({ layer, ...readLayerParts(layer, layer === top, services) }));
  const rules = checked.flatMap((one) => one.rules);
  const upwards = checked.toReversed();
  const merged = upwards.flatMap(({ settings }) => settings);
  const settingsOf = resolveSettings(merged, context);
  throwErrors(
    checked.flatMap(({ layer: { file, locate }, rules: own }) =>
      toErrors(checkFile(file, own, services, settingsOf), locate),
    ),
  );
  assertRuleCount(rules.length, top);
  assertUniqueIds(checked);
  const nearest = <K extends keyof ScenarioFile>(key: K): ScenarioFile[K] | undefined =>
    layers.map(({ file }) => file[key]).find((value) => value !== undefined);
  return {
    name: roots.map(({ name }) => name).join(" + ") || "default",
    title: top?.file.title,
    isPreset: inputs.every((one) => typeof one === "string"),
    description: top?.file.description,
    seed: nearest("seed"),
    clock: nearest("clock"),
    settings: merged,
    data: upwards.flatMap(({ data }) => data),
    rules,
    expect: Object.assign({}, ...layers.toReversed().map(({ file }) => file.expect)),
    checkRules: (find) =>
      throwErrors(
        checked.flatMap(({ layer, rules: own }) => {
          const issues = own.flatMap((rule, index) => prefixIssues(["rules", index], find(rule)));
          return toErrors(issues, layer.locate);
        }),
      ),
  };
}

type Layer = {
  /** The path of its file; a value that has none is only ever one layer. */
  readonly key: string | symbol;
  readonly name: string;
  readonly file: ScenarioFile;
  readonly locate: ErrorLocator;
  readonly parents: readonly Layer[];
};

/** The layers in the order in which their rules are evaluated: own, then nearest, a later one before an earlier. */
function orderLayers(roots: readonly Layer[]): Layer[] {
  const layers = new Map<Layer["key"], Layer>();
  let level = roots.toReversed();
  while (level.length > 0) {
    for (const layer of level) if (!layers.has(layer.key)) layers.set(layer.key, layer);
    level = level.flatMap(({ parents }) => parents.toReversed());
  }
  return [...layers.values()];
}

function openLayer(input: string | ScenarioText, context: ScenarioContext): Layer {
  const found = typeof input === "string" ? context.library.read(input, undefined) : input;
  if (found !== undefined)
    return parseLayer(found.file, readSource(found.text, found.file), found.file, [], context);
  const message = describeUnknown("scenario", String(input), context.library.names());
  throw new UsageError("unknownScenario", message);
}

/** `above` are the names of those that extend this one, directly or not. */
function parseLayer(
  name: string,
  source: JsonSource,
  path: string | undefined,
  above: readonly string[],
  context: ScenarioContext,
): Layer {
  const locate = createLocator(source);
  const { issues, value: file } = check(ScenarioFile(), source.value);
  if (issues !== undefined) return rejectScenario(collectAllIssues(source.value, issues, context), locate);
  const key = path ?? name;
  const parents = (file.extends ?? []).map((parent, index) => {
    const found = context.library.read(parent, path);
    const refuseParent = (message: string): never =>
      rejectScenario([{ path: ["extends", index], message }], locate);
    if (found === undefined)
      return refuseParent(describeUnknown("scenario", parent, context.library.names()));
    if (found.file === key || above.includes(found.file)) {
      const circle = [...above, key, found.file].map(toShortName).join(" -> ");
      return refuseParent(`A scenario cannot extend itself: ${circle}.`);
    }
    return parseLayer(parent, readSource(found.text, found.file), found.file, [...above, key], context);
  });
  const own = path === undefined ? { key: Symbol(name), name } : { key: path, name: toShortName(path) };
  return { ...own, file, locate, parents };
}

/** For a file that does not fit the grammar: also what is wrong with the rules that do fit it. */
function collectAllIssues(value: unknown, issues: readonly ValidationIssue[], context: ScenarioContext) {
  const { services } = context;
  const names = checkNames(value, services);
  const places = names.map(({ path }) => `${toPointer(path)}/`);
  // What is nested in a wrong name is only wrong because the name is.
  const isInside = ({ path }: ValidationIssue, place: string) => `${toPointer(path)}/`.startsWith(place);
  const others = issues.filter((issue) => !places.some((place) => isInside(issue, place)));
  const { settings } = ScenarioFile().pick({ settings: true }).loose().safeParse(value).data ?? {};
  const settingsOf = resolveSettings(toServiceSettings(settings), context);
  return [...names, ...others, ...checkRules(withIds(pickValidRules(value), ""), services, settingsOf)];
}

/** The settings under which the rules of these files apply: of changes that do not fit a service, nothing is known. */
function resolveSettings(changes: readonly ServiceSettings[], { services, settings = {} }: ScenarioContext) {
  const right = changes.filter((one) => checkSettings(one.service, one.settings, services).length === 0);
  const merged = mergeSettings(services, settings, right);
  return ({ name }: Service) => merged[name];
}

function toServiceSettings(settings: ScenarioFile["settings"] = {}): ServiceSettings[] {
  return Object.entries(settings).map(([service, given]) => ({ service, settings: given }));
}

/** The rules as far as they fit the grammar. */
function pickValidRules(value: unknown): Rule[] {
  const { rules: written } = (value ?? {}) as { readonly rules?: unknown }; // it may be any value
  return Array.isArray(written) ? written.map(pickValidParts) : [];
}

/** `presale-expired` for the file of that name. */
function toShortName(file: string): string {
  return file.replace(/^.*[/\\]/, "").replace(/\.json$/, "");
}

function readLayerParts(
  { name, file: { settings, rules = [], data = {} } }: Layer,
  own: boolean,
  services: readonly Service[],
): Pick<Scenario, "settings" | "data" | "rules"> {
  return {
    settings: toServiceSettings(settings),
    data: toCollectionChanges(data, services),
    rules: withIds(rules, own ? "" : `${name}/`),
  };
}

function withIds(rules: readonly Rule[], prefix: string): CheckedRule[] {
  return rules.map((rule, index) => toCheckedRule(rule, rule.id ?? `${prefix}rule-${index + 1}`));
}

/** What is wrong with a file that fits the grammar. */
function checkFile(
  { settings = {}, data = {} }: ScenarioFile,
  rules: readonly CheckedRule[],
  services: readonly Service[],
  settingsOf: GetSettings,
): readonly ValidationIssue[] {
  return [
    ...Object.entries(settings).flatMap(([name, given]) => checkSettings(name, given, services)),
    ...checkRules(rules, services, settingsOf),
    ...listSections(data).flatMap(([key, changes]) => checkData(key, changes, services)),
  ];
}

function checkRules(rules: readonly CheckedRule[], services: readonly Service[], settingsOf: GetSettings) {
  const ids = new Set<string>();
  return rules.flatMap((rule, index) => {
    const { id } = rule;
    if (ids.has(id))
      return [{ path: toIdPath(rule, index), message: `Two rules have the id ${JSON.stringify(id)}.` }];
    ids.add(id);
    return prefixIssues(["rules", index], checkRule(rule, services, settingsOf));
  });
}

function toIdPath({ rule: { id } }: CheckedRule, index: number): Path {
  return ["rules", index, ...(id === undefined ? [] : ["id"])];
}

function assertRuleCount(count: number, top: Layer | undefined): void {
  if (top === undefined || count <= MAX_RULES) return;
  const message = `A scenario has at most ${MAX_RULES} rules together with those it extends, not ${count}.`;
  rejectScenario([{ path: ["rules"], message }], top.locate);
}

/** Two files may not use the same rule id: the journal could not distinguish them. */
function assertUniqueIds(layers: readonly (Pick<Scenario, "rules"> & { readonly layer: Layer })[]): void {
  const owners = new Map<string, string>();
  for (const { rules, layer } of layers.toReversed()) {
    for (const [index, rule] of rules.entries()) {
      const { id } = rule;
      const owner = owners.get(id);
      const message = `The extended scenario ${owner} already has a rule ${JSON.stringify(id)}.`;
      if (owner !== undefined) rejectScenario([{ path: toIdPath(rule, index), message }], layer.locate);
      owners.set(id, layer.name);
    }
  }
}
