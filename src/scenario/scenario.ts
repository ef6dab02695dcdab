/** Reads scenarios and their parents, the scenarios that they extend. Reports all errors with their locations. */

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

export type ScenarioLibrary = {
  names(): readonly string[];
  /** Returns undefined if the name is unknown. `from` is the file whose `extends` contains the name. */
  read(name: string, from: string | undefined): { readonly file: string; readonly text: string } | undefined;
};

/** A valid scenario, merged with its parents. */
export type Scenario = {
  readonly name: string;
  readonly title: string | undefined;
  /** Whether all merged scenarios are presets of the package. */
  readonly isPreset: boolean;
  readonly description: string | undefined;
  readonly seed: number | undefined;
  readonly clock: ScenarioFile["clock"];
  readonly settings: readonly ServiceSettings[];
  readonly data: readonly CollectionChange[];
  readonly rules: readonly CheckedRule[];
  readonly expect: NonNullable<ScenarioFile["expect"]>;
  /** Calls `find` for each rule. If it returns issues, throws a UsageError with their locations in the file. */
  checkRules(find: (rule: CheckedRule) => readonly ValidationIssue[]): void;
};

export type ScenarioContext = {
  readonly services: readonly Service[];
  readonly library: ScenarioLibrary;
  /** Base settings by service name. Default: the defaults of the service. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
};

/** The content of a scenario file. It is a class, so that an object from an HTTP body cannot pass as a file. */
export class ScenarioText {
  readonly file: string;
  readonly text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }
}

export type LoadableScenario = string | ScenarioText | object;

/** Reads a scenario, or merges several: later ones override earlier ones. Throws a UsageError for an invalid scenario. */
export function loadScenario(
  input: LoadableScenario | readonly LoadableScenario[],
  context: ScenarioContext,
): Scenario {
  // The casts are safe: `isArray` checks the type, but does not narrow readonly arrays.
  const inputs = Array.isArray(input) ? (input as readonly LoadableScenario[]) : [input as LoadableScenario];
  let values = 0;
  const roots = inputs.map((each) => {
    if (typeof each === "string" || each instanceof ScenarioText) return openLayer(each, context);
    values += 1;
    const name = values === 1 ? "scenario" : `scenario-${values}`;
    return parseLayer(name, createValueSource(each), undefined, [], context);
  });
  const { services } = context;
  const layers = orderLayers(roots);
  const [top] = layers;
  const checked = layers.map((layer) => ({ layer, ...readLayerParts(layer, layer === top, services) }));
  const rules = checked.flatMap((each) => each.rules);
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
    isPreset: inputs.every((each) => typeof each === "string"),
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
  /** Identifies the layer: the path of its file, or a symbol for a scenario without a file. */
  readonly key: string | symbol;
  readonly name: string;
  readonly file: ScenarioFile;
  readonly locate: ErrorLocator;
  readonly parents: readonly Layer[];
};

/** Orders layers in the evaluation order of their rules: a scenario before its parents, later parents before earlier ones. */
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

/** `above` lists the files that extend this one, directly or indirectly. */
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
    const rejectParent = (message: string): never =>
      rejectScenario([{ path: ["extends", index], message }], locate);
    if (found === undefined)
      return rejectParent(describeUnknown("scenario", parent, context.library.names()));
    if (found.file === key || above.includes(found.file)) {
      const circle = [...above, key, found.file].map(toShortName).join(" -> ");
      return rejectParent(`A scenario cannot extend itself: ${circle}.`);
    }
    return parseLayer(parent, readSource(found.text, found.file), found.file, [...above, key], context);
  });
  const own = path === undefined ? { key: Symbol(name), name } : { key: path, name: toShortName(path) };
  return { ...own, file, locate, parents };
}

/** Collects the errors of a file with an invalid structure. Also checks the content of rules whose structure is valid. */
function collectAllIssues(value: unknown, issues: readonly ValidationIssue[], context: ScenarioContext) {
  const { services } = context;
  const names = checkNames(value, services);
  const unknown = names.map(({ path }) => `${toPointer(path)}/`);
  // Skips errors inside the value of an unknown name, because they result from the wrong name.
  const isInside = ({ path }: ValidationIssue, parent: string) => `${toPointer(path)}/`.startsWith(parent);
  const others = issues.filter((issue) => !unknown.some((parent) => isInside(issue, parent)));
  const { settings } = ScenarioFile().pick({ settings: true }).loose().safeParse(value).data ?? {};
  const settingsOf = resolveSettings(toServiceSettings(settings), context);
  return [...names, ...others, ...checkRules(withIds(pickValidRules(value), ""), services, settingsOf)];
}

/** Returns a function that finds the settings of a service, for the checks of rules. Ignores invalid settings. */
function resolveSettings(changes: readonly ServiceSettings[], { services, settings = {} }: ScenarioContext) {
  const valid = changes.filter((each) => checkSettings(each.service, each.settings, services).length === 0);
  const merged = mergeSettings(services, settings, valid);
  return ({ name }: Service) => merged[name];
}

function toServiceSettings(settings: ScenarioFile["settings"] = {}): ServiceSettings[] {
  return Object.entries(settings).map(([service, given]) => ({ service, settings: given }));
}

function pickValidRules(value: unknown): Rule[] {
  const { rules } = (value ?? {}) as { readonly rules?: unknown }; // Safe cast: the next line checks `rules`.
  return Array.isArray(rules) ? rules.map(pickValidParts) : [];
}

/** Converts `/scenarios/presale-expired.json` to `presale-expired`. */
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

/** Collects the errors of a file with a valid structure. */
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

/** Rejects duplicate rule ids across files, because the journal identifies rules by id. */
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
