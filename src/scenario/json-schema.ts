/** Builds the published JSON Schema of scenarios. Contains the names of the services, so that editors complete them. */

import { z } from "zod";
import { listFields } from "../operation/fields.ts";
import {
  type JsonSchema,
  listOperations,
  listProblems,
  listStatuses,
  type NamedOperation,
  type Service,
} from "../operation/service.ts";
import { OPERATORS } from "../rules/condition.ts";
import { METHODS } from "../rules/matcher-schema.ts";
import { ScenarioFile } from "./schema.ts";

const SCHEMA_ID = "https://unpkg.com/vitrine/scenarios/schema/scenario.json";

/** A JSON Schema that zod generated and this file changes. The casts below rely on the structure that zod generates. */
type SchemaNode = Record<string, unknown>;

/** Returns a JSON Schema of draft 2020-12. */
export function buildScenarioSchema(services: readonly Service[]): JsonSchema {
  const options = { io: "input", unrepresentable: "any", reused: "ref" } as const;
  const schema = z.toJSONSchema(ScenarioFile(), options) as SchemaNode;
  const operations = listOperations(services);
  const definitions = (schema["$defs"] ?? {}) as SchemaNode;
  const properties = schema["properties"] as SchemaNode;
  const rule = resolveReference(resolveReference(properties["rules"], definitions)["items"], definitions);
  rule["allOf"] = operations.map(narrowRule);
  const settings = services.map(({ name, settings }) => [name, toPlainSchema(settings)] as const);
  properties["settings"] = closeObject(settings, { description: "Settings by service." });
  properties["data"] = buildDataSchema(services, properties, definitions);
  const conditions = resolveReference((rule["properties"] as SchemaNode)["when"], definitions);
  const when = conditions["properties"] as SchemaNode;
  const known: readonly (readonly [part: string, names: readonly string[]])[] = [
    ["operation", operations.map(({ name }) => name)],
    ["service", services.map(({ name }) => name)],
    ["environment", services.flatMap(({ environments }) => environments.map(({ key }) => key))],
    ["method", METHODS],
  ];
  for (const [part, names] of known) when[part] = toNamesSchema(when[part] as SchemaNode, names);
  return { ...schema, $id: SCHEMA_ID, title: "A scenario of vitrine" };
}

/** In a rule for one operation, only the problems, statuses and fields of this operation are valid. */
function narrowRule({ service, name, operation }: NamedOperation): JsonSchema {
  const problem = { enum: listProblems(service, operation) };
  const documented = { enum: listStatuses(service, operation) };
  const status = { anyOf: [documented, { type: "integer", minimum: 500 }] };
  const action = {
    properties: { problem },
    if: { not: { required: ["undocumented"] } },
    then: { properties: { respond: { properties: { status } } } },
  };
  const { params, query, body } = operation.request;
  const fields = {
    ...toFieldNames("params", params),
    ...toFieldNames("query", query),
    ...(body === undefined ? {} : toFieldNames("body", body)),
  };
  return {
    if: {
      properties: { when: { properties: { operation: { const: name } }, required: ["operation"] } },
      required: ["when"],
    },
    then: {
      properties: {
        when: { properties: fields },
        then: { ...action, properties: { ...action.properties, sequence: { items: action } } },
      },
    },
  };
}

function toFieldNames(part: string, schema: z.ZodType): SchemaNode {
  const names = listFields(schema, []);
  if (names.length === 0) return {};
  return { [part]: { propertyNames: { enum: [...names, ...Object.keys(OPERATORS)] } } };
}

/** Returns a schema that accepts a name or glob, a list of them, or operators. */
function toNamesSchema({ description }: SchemaNode, names: readonly string[]): JsonSchema {
  const name = { anyOf: [{ enum: names }, { type: "string", pattern: "\\*" }] };
  const operators = { type: "object", propertyNames: { enum: Object.keys(OPERATORS) } };
  return { description, anyOf: [name, { type: "array", items: name, minItems: 1 }, operators] };
}

function closeObject(entries: readonly (readonly [string, JsonSchema])[], about: JsonSchema = {}) {
  const properties = Object.fromEntries(entries);
  return { type: "object", ...about, properties, additionalProperties: false };
}

function buildDataSchema(services: readonly Service[], properties: SchemaNode, definitions: SchemaNode) {
  const byEnvironment = resolveReference(properties["data"], definitions);
  const byCollection = resolveReference(byEnvironment["additionalProperties"], definitions);
  const change = resolveReference(byCollection["additionalProperties"], definitions);
  const environments = services.flatMap(({ name: service, environments, collections }) => {
    const changes = Object.entries(collections).map(([name, { schema }]) => {
      definitions[`${service}.${name}`] = toPlainSchema(schema);
      const entities = { type: "array", items: { $ref: `#/$defs/${service}.${name}` } };
      const verbs = { ...(change["properties"] as SchemaNode), replace: entities, upsert: entities };
      return [name, { ...change, properties: verbs }] as const;
    });
    definitions[`${service}.data`] = closeObject(changes);
    return environments.map(({ key }) => [key, { $ref: `#/$defs/${service}.data` }] as const);
  });
  const { anchor = {} } = byEnvironment["properties"] as Readonly<Record<string, JsonSchema>>;
  return closeObject([["anchor", anchor], ...environments], {
    description: "Base data by environment and collection.",
  });
}

/** Registry that returns the metadata of schemas without `id` and `wire`, because the JSON Schema must not contain them. */
class Descriptions extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): z.core.GlobalMeta | undefined {
    const { id: _id, wire: _wire, ...description } = z.globalRegistry.get(schema) ?? {};
    return description as z.core.GlobalMeta; // Safe cast: GlobalMeta has only optional fields.
  }
}

/** Converts a zod schema to a JSON Schema without `$schema` and `$defs`. The metadata `wire` overrides keywords with the HTTP form. */
function toPlainSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    metadata: new Descriptions(),
    override({ zodSchema, jsonSchema }) {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema)?.["wire"]);
    },
  });
  return rest;
}

function resolveReference(node: unknown, definitions: SchemaNode): SchemaNode {
  const { $ref } = node as { readonly $ref?: string }; // Safe cast: zod writes only schemas and references.
  return ($ref === undefined ? node : definitions[$ref.replace("#/$defs/", "")]) as SchemaNode;
}
