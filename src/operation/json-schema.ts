/** From zod schemas to the JSON Schema 2020-12 of OpenAPI. `.meta({ wire })` declares the form on the wire. */

import { z } from "zod";
import type { JsonSchema } from "./service.ts";

type MutableSchema = Record<string, unknown>;

/** Whether a schema is shown as what a client sends (`input`) or as what it gets (`output`). */
export type Direction = "input" | "output";

type SchemaContext = {
  readonly settings: unknown;
  /** Whether objects that a client sends may have no other fields. */
  readonly refusesUnknown: boolean;
};

/** The named schemas of one document, collected while its parts are created. */
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

  /** The schema, or a reference to its component where it has an id. JSON Schema is returned unchanged. */
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

  /** The properties of an object schema, one by one, as parameters are declared. */
  fields(schema: z.ZodObject, direction: Direction) {
    const { properties = {}, required = [] } = this.refer(schema, direction);
    return Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => ({
      name,
      required: (required as readonly string[]).includes(name),
      schema: field,
    }));
  }

  /** In alphabetical order, so that a document does not depend on which was added first. */
  toJSON(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #convert(schema: z.ZodType, direction: Direction): MutableSchema {
    const converted = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) =>
        applyWire(zodSchema, jsonSchema as MutableSchema, direction, this.#shape),
    });
    return rewriteReferences(converted) as MutableSchema; // an object stays an object
  }

  #add(id: string, schema: JsonSchema): void {
    const { id: _id, ...named } = schema;
    const known = this.#schemas.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(named))
      throw new Error(`Two different schemas are named ${id}.`);
    this.#schemas.set(id, named);
  }
}

/** The `wire` of a schema: JSON Schema, or what makes it of the service's settings. */
type WireSchema = JsonSchema | ((settings: unknown, direction: Direction, derived: JsonSchema) => JsonSchema);

/** JSON of any kind, which says no more than a schema that refers to itself, and which every generator can type. */
const ANY: JsonSchema = {};

/** Replaces what zod derived with the schema's own `wire`; a description and examples next to it stay. */
function applyWire(
  schema: z.core.$ZodType,
  shown: MutableSchema,
  direction: Direction,
  shape: SchemaContext,
): void {
  const given = z.globalRegistry.get(schema)?.["wire"] as WireSchema | undefined; // the only form that schemas give it
  const declared = given ?? (schema instanceof z.ZodLazy ? ANY : undefined);
  // JSON numbers have no safe range, and objects of these services may grow: both would promise more than the contract.
  if (shown["maximum"] === Number.MAX_SAFE_INTEGER) delete shown["maximum"];
  if (shown["minimum"] === Number.MIN_SAFE_INTEGER) delete shown["minimum"];
  if (shown["additionalProperties"] === false && !isStrict(schema)) delete shown["additionalProperties"];
  if (shape.refusesUnknown && direction === "input" && isPlainObject(schema))
    shown["additionalProperties"] = false;
  if (declared === undefined) return;
  const { wire: _declared, id: _id, ...derived } = shown;
  const wire = typeof declared === "function" ? declared(shape.settings, direction, derived) : declared;
  const stays = Object.fromEntries(
    ["description", "examples"].filter((key) => key in shown).map((key) => [key, shown[key]]),
  );
  for (const key of Object.keys(shown)) delete shown[key];
  Object.assign(shown, wire, stays);
}

function isStrict(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
}

function isPlainObject(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined;
}

/** Which definitions a schema needs: not those of what its `wire` stands for. */
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
