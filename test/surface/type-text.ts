/** JSON Schema, as zod writes it, as the text of a TypeScript type. Named schemas become declarations of their own. */

import { z } from "zod";
import { duration } from "../../src/operation/checks.ts";

type Node = Readonly<Record<string, unknown>>;
export type Direction = "input" | "output";
/** Schemas whose types are named or written by hand. */
export type Forms = ReadonlyMap<z.core.$ZodType, string>;

/** The named types of one file, collected while the others are written. */
export class TypeTexts {
  readonly #direction: Direction;
  readonly #named: Map<string, string>;
  readonly #forms: Forms;
  /** `readonly `, for types whose members and lists are read-only. */
  readonly #modifier: string;

  constructor(direction: Direction, named = new Map<string, string>(), forms?: Forms) {
    this.#direction = direction;
    this.#named = named;
    this.#forms = forms ?? new Map([[duration, "Duration"]]);
    this.#modifier = forms === undefined ? "" : "readonly ";
  }

  /** The same declarations, written as the other side sees them. */
  towards(direction: Direction): TypeTexts {
    return new TypeTexts(direction, this.#named);
  }

  /** The declarations so far, in alphabetical order. */
  get declarations(): readonly string[] {
    return [...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  }

  /** The type of a schema: its name where it is an object with one. */
  of(schema: z.ZodType, name = nameOf(schema)): string {
    const { $defs = {}, ...root } = this.#convert(schema);
    for (const [id, definition] of Object.entries($defs as Readonly<Record<string, Node>>))
      this.#declare(id, definition);
    if (name === undefined || root["properties"] === undefined) return this.text(root);
    this.#declare(name, root);
    return name;
  }

  /** The schema itself, where it is one with a name as well. */
  schemaOf(schema: z.ZodType): Node {
    const { $defs = {}, ...root } = this.#convert(schema);
    const name = String(root["$ref"]).replace(/^.*\//, "");
    return ($defs as Readonly<Record<string, Node>>)[name] ?? root;
  }

  /** What zod writes, with `tsType` where a text has a form that TypeScript can check. */
  #convert(schema: z.ZodType): Node {
    const forms = this.#forms;
    const root: z.core.$ZodType = schema;
    return z.toJSONSchema(schema, {
      io: this.#direction,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema }) {
        const { parent } = zodSchema._zod; // of a schema that was described
        const form = forms.get(zodSchema) ?? (parent && forms.get(parent));
        if (zodSchema !== root && form !== undefined) jsonSchema["tsType"] = form;
        // JSON Schema cannot tell what a transform makes. Here that is a text, which the compiler checks.
        if (zodSchema._zod.def.type === "transform") jsonSchema.type = "string";
      },
    });
  }

  text(schema: Node): string {
    const { $ref, type, anyOf, oneOf, enum: values } = schema;
    const options = anyOf ?? oneOf;
    if (typeof schema["tsType"] === "string") return schema["tsType"];
    // Only z.json() has a definition without a name.
    if (typeof $ref === "string") return $ref.replace(/^.*\//, "").replace(/^__.*/, "Condition");
    if ("const" in schema) return JSON.stringify(schema["const"]);
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
    if (Array.isArray(options)) return options.map((option: Node) => this.text(option)).join(" | ");
    const parts = schema["prefixItems"];
    if (Array.isArray(parts))
      return `${this.#modifier}[${parts.map((part: Node) => this.text(part)).join(", ")}]`;
    if (type === "array") return this.#list((schema["items"] ?? {}) as Node); // of one kind
    if (type === "object") return this.#object(schema);
    if (Array.isArray(type)) return type.map((one) => this.text({ type: one })).join(" | ");
    if (type === "integer") return "number";
    return typeof type === "string" ? type : "unknown";
  }

  /** The members of an object, each with its documentation. */
  members(schema: Node): string {
    const required = (schema["required"] ?? []) as readonly string[]; // as JSON Schema defines it
    const members = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Node>>);
    return members
      .map(([name, member]) => {
        const isOptional = !required.includes(name);
        return `${docOf(member)}${this.#modifier}${keyText(name)}${isOptional ? "?" : ""}: ${this.text(member)}${isOptional ? " | undefined" : ""};`;
      })
      .join("\n");
  }

  #list(items: Node): string {
    const item = this.text(items);
    return / [|&] /.test(item) && !item.startsWith("{")
      ? `${this.#modifier}(${item})[]`
      : `${this.#modifier}${item}[]`;
  }

  #object(schema: Node): string {
    const { properties, additionalProperties } = schema;
    if (properties !== undefined) return `{\n${this.members(schema)}\n}`;
    const member =
      typeof additionalProperties === "object" ? this.text(additionalProperties as Node) : "unknown";
    return this.#modifier === "" ? `Record<string, ${member}>` : `Readonly<Record<string, ${member}>>`;
  }

  #declare(name: string, schema: Node): void {
    const text = `${docOf(schema)}export type ${name} = ${this.text(schema)};`;
    const known = this.#named.get(name);
    if (known !== undefined && known !== text) throw new Error(`Two different types are named ${name}.`);
    this.#named.set(name, text);
  }
}

function nameOf(schema: z.ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}

/** A comment of the description and the default; nothing where there is neither. */
function docOf({ description, default: standard }: Node): string {
  const lines = [
    ...(typeof description === "string" ? [description] : []),
    ...(standard === undefined || typeof standard === "object"
      ? []
      : [`Default ${JSON.stringify(standard)}.`]),
  ];
  return commentOf(lines.map((line) => line.replace(/(?<![.:!?])$/, ".")).join(" "));
}

export function commentOf(...lines: readonly string[]): string {
  const [first = "", ...rest] = lines;
  if (rest.length > 0) return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
  return first === "" ? "" : `/** ${first} */\n`;
}

export function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
