/** The tables of the manual, in Markdown: created from the declarations, so that the manual cannot contradict them. */

import type { AnyOperation } from "./operation.ts";
import { documentedProblems, type JsonSchema, namedOperations, type Service } from "./service.ts";
import { settingsIn } from "./settings.ts";

type Row = readonly string[];

/** Operation, method and path, success, problems by key. */
export function operationsTable(services: readonly Service[]): string {
  const rows = namedOperations(services).map(
    ({ service, name, operation }): Row => [
      code(name),
      code(`${operation.method.toUpperCase()} ${operation.path}`),
      successes(operation),
      documentedProblems(service, operation).map(code).join(" "),
    ],
  );
  return table(["operation", "method and path", "success", "problems"], rows);
}

/** Every problem of every catalogue: its status, its title, and where it is documented. */
export function problemsTable(services: readonly Service[]): string {
  const rows = services.flatMap(({ name, problems }) =>
    Object.entries(problems).map(([key, { status, title, source }]): Row => {
      return [code(`${name}.${key}`), String(status), title, source];
    }),
  );
  return table(["problem", "status", "says", "source"], rows);
}

/** Every switch of every service: its values, its default, what it does. */
export function settingsTable(services: readonly Service[]): string {
  const rows = services.flatMap(settingsIn).map(({ path, schema }): Row => {
    const { default: preset, description = "" } = schema;
    const usual = preset === undefined ? "" : code(JSON.stringify(preset));
    return [code(path.join(".")), valuesOf(schema), usual, String(description)];
  });
  return table(["setting", "values", "default", "what it does"], rows);
}

/** What the documents leave open and these services decide, and the settings that change it. */
export function assumptionsTable(services: readonly Service[]): string {
  const rows = services.flatMap(({ name, assumptions = [] }) =>
    assumptions.map(({ point, served, setting }): Row => {
      return [name, point, served, setting === undefined ? "" : code(`${name}.${setting}`)];
    }),
  );
  return table(["service", "not shown", "served", "setting"], rows);
}

export type Preset = { readonly name: string; readonly title: string };

export function presetsTable(presets: readonly Preset[]): string {
  return table(
    ["scenario", "what happens"],
    presets.map(({ name, title }): Row => [code(name), title]),
  );
}

/** Parts and operators of a matcher: name, where it can be used, meaning. */
export function matcherTable(rows: readonly Row[]): string {
  return table(
    ["part", "in", "means"],
    rows.map(([name = "", ...rest]): Row => [code(name), ...rest]),
  );
}

function valuesOf({ type, enum: values, anyOf, const: only }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (Array.isArray(values)) return values.map((value) => code(JSON.stringify(value))).join(" ");
  if (Array.isArray(anyOf)) return anyOf.map((one: JsonSchema) => valuesOf(one)).join(" ");
  return String(type ?? "any");
}

function successes({ responses }: AnyOperation): string {
  return Object.keys(responses).join(" ");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function table(heads: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
