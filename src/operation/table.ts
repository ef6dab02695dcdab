/** Creates the Markdown tables of the manual from the declarations of services. */

import { type JsonSchema, listOperations, listProblems, type Service } from "./service.ts";
import { listSettings } from "./settings.ts";

type TableRow = readonly string[];

export function buildOperationsTable(services: readonly Service[]): string {
  const rows = listOperations(services).map(
    ({ service, name, operation }): TableRow => [
      formatCode(name),
      formatCode(`${operation.method.toUpperCase()} ${operation.path}`),
      Object.keys(operation.responses).join(" "),
      listProblems(service, operation).map(formatCode).join(" "),
    ],
  );
  return formatTable(["operation", "method and path", "status on success", "problems"], rows);
}

export function buildProblemsTable(services: readonly Service[]): string {
  const rows = services.flatMap(({ problems }) =>
    Object.entries(problems).map(([key, { status, source }]) => [
      formatCode(key),
      String(status),
      ...source.split(/(?:; |^)Assumed: /),
    ]),
  );
  return formatTable(["problem", "status", "section", "our assumption"], rows);
}

export function buildSettingsTable(services: readonly Service[]): string {
  const rows = services.flatMap(listSettings).map(({ path, schema }): TableRow => {
    const { default: preset, description = "", type } = schema;
    const values = [...new Set([preset, ...listValues(schema)])].filter((value) => value !== undefined);
    const shown = values.map((value) => formatCode(JSON.stringify(value))).join(" ") || String(type);
    return [formatCode(path.slice(1).join(".")), shown, String(description)];
  });
  return formatTable(["setting", "values (default first)", "meaning"], rows);
}

export function buildAssumptionsTable(services: readonly Service[]): string {
  const rows = services.flatMap(({ assumptions = {} }) =>
    Object.values(assumptions).map(([point, served, setting]): TableRow => {
      return [point, served, setting === undefined ? "" : formatCode(setting)];
    }),
  );
  return formatTable(["open point", "behavior of vitrine", "setting"], rows);
}

export function buildPresetsTable(presets: readonly Readonly<Record<"name" | "title", string>>[]): string {
  const rows = presets.map(({ name, title }) => [formatCode(name), title]);
  return formatTable(["preset", "effect"], rows);
}

export function buildMatcherTable(grammar: readonly TableRow[]): string {
  const rows = grammar.map(([name = "", ...rest]) => [formatCode(name), ...rest]);
  return formatTable(["part", "allowed in", "meaning"], rows);
}

function listValues({ type, enum: values, anyOf, const: only }: JsonSchema): readonly unknown[] {
  if (only !== undefined) return [only];
  if (Array.isArray(anyOf)) return anyOf.flatMap((option: JsonSchema) => listValues(option));
  return Array.isArray(values) ? values : type === "boolean" ? [false, true] : [];
}

export function formatCode(text: string): string {
  return `\`${text}\``;
}

export function formatTable(heads: TableRow, rows: readonly TableRow[]): string {
  const line = (cells: TableRow): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`.replace(/(\| {2})+\|$/, "|");
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
