/** Converts zod schemas to JSON Schema 2020-12 for OpenAPI. If clients see another form, `.meta({ wire })` declares it. */

import { z } from "zod";
import type { JsonSchema } from "./service.ts";

type MutableSchema = Record<string, unknown>;

/** `input` is the form that clients send, `output` the form that they receive. */
export type Direction = "input" | "output";

type SchemaContext = {
  readonly settings: unknown;
  /** Whether the service rejects unknown fields of requests. */
  readonly refusesUnknown: boolean;
};

/** Collects the schemas with an id that one OpenAPI document uses. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();
  readonly #references = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  };
  readonly #shape: SchemaContext;

  constructor(shape: SchemaContext = { settings: undefined, refusesUnknown: false }) {
    this.#shape = shape;
  }

  /** Converts a zod schema to JSON Schema, or to a `$ref` if the schema has an id. Returns a JSON Schema unchanged. */
  refer(schema: z.ZodType | JsonSchema, direction: Direction): JsonSchema {
    if (!(schema instanceof z.ZodType)) return schema;
    const known = this.#references[direction].get(schema);
    if (known !== undefined) return known;
    const { $schema: _dialect, $defs = {}, ...root } = this.#convert(schema, direction);
    const definitions = $defs as Record<string, JsonSchema>;
    for (const id of findReferences(root, definitions)) this.#add(id, definitions[id] ?? {});
    this.#references[direction].set(schema, root);
    return root;
  }

  /** Lists the properties of an object schema, for use as path or query parameters. */
  fields(schema: z.ZodObject, direction: Direction) {
    const { properties = {}, required = [] } = this.refer(schema, direction);
    return Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => ({
      name,
      required: (required as readonly string[]).includes(name),
      schema: field,
    }));
  }

  /** Returns the schemas sorted by id, so that the order of conversion does not change the document. */
  toJSON(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #convert(schema: z.ZodType, direction: Direction): MutableSchema {
    const converted = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) =>
        applyWire(zodSchema, jsonSchema as MutableSchema, direction, this.#shape),
    });
    return rewriteReferences(converted) as MutableSchema; // Safe cast: an object stays an object.
  }

  #add(id: string, schema: JsonSchema): void {
    const { id: _id, ...named } = schema;
    const known = this.#schemas.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(named))
      throw new Error(`Two different schemas are named ${id}.`);
    this.#schemas.set(id, named);
  }
}

/** Value of `wire`: a JSON Schema, or a function that creates it from the settings. */
type WireSchema = JsonSchema | ((settings: unknown, direction: Direction, derived: JsonSchema) => JsonSchema);

/** Accepts any JSON. Replaces recursive schemas (`z.lazy`), for which some code generators cannot create types. */
const ANY: JsonSchema = {};

/** Replaces the converted schema `shown` with `wire`, if declared. Keeps description and examples. */
function applyWire(
  schema: z.core.$ZodType,
  shown: MutableSchema,
  direction: Direction,
  shape: SchemaContext,
): void {
  const given = z.globalRegistry.get(schema)?.["wire"] as WireSchema | undefined; // Safe cast: all `wire` have this type.
  const declared = given ?? (schema instanceof z.ZodLazy ? ANY : undefined);
  const catchall = schema instanceof z.ZodObject ? schema.def.catchall : undefined;
  // Remove limits that zod adds but the service lacks: the safe integer range, and `additionalProperties: false`.
  if (shown["maximum"] === Number.MAX_SAFE_INTEGER) delete shown["maximum"];
  if (shown["minimum"] === Number.MIN_SAFE_INTEGER) delete shown["minimum"];
  if (shown["additionalProperties"] === false && !(catchall instanceof z.ZodNever))
    delete shown["additionalProperties"];
  if (
    shape.refusesUnknown &&
    direction === "input" &&
    schema instanceof z.ZodObject &&
    catchall === undefined
  )
    shown["additionalProperties"] = false;
  if (declared === undefined) return;
  const { wire: _declared, id: _id, ...derived } = shown;
  const wire = typeof declared === "function" ? declared(shape.settings, direction, derived) : declared;
  const kept = Object.fromEntries(
    ["description", "examples"].filter((key) => key in shown).map((key) => [key, shown[key]]),
  );
  for (const key of Object.keys(shown)) delete shown[key];
  Object.assign(shown, wire, kept);
}

/** Returns the ids of all definitions that a schema references, also indirectly. Omits definitions that `wire` replaced. */
function findReferences(root: unknown, definitions: Readonly<Record<string, JsonSchema>>) {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    const id = typeof $ref === "string" ? $ref.slice(COMPONENT_PREFIX.length) : "";
    if (id in definitions && !found.has(id)) {
      found.add(id);
      visit(definitions[id]);
    }
    Object.values(value).forEach(visit);
  };
  visit(root);
  return found;
}

const COMPONENT_PREFIX = "#/components/schemas/";

function rewriteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) =>
      key === "$ref" && typeof part === "string"
        ? [key, part.replace(/^#\/\$defs\//, COMPONENT_PREFIX)]
        : [key, rewriteReferences(part)],
    ),
  );
}
