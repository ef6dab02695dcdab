/** JSON Schema, as zod writes it, as the text of a TypeScript type. Named schemas become declarations of their own. */

import { z } from "zod";
import { duration } from "../../src/operation/checks.ts";

type Node = Readonly<Record<string, unknown>>;
export type Direction = "input" | "output";

/** The named types of one file, collected while the others are written. */
export class TypeTexts {
  readonly #direction: Direction;
  readonly #named: Map<string, string>;

  constructor(direction: Direction, named = new Map<string, string>()) {
    this.#direction = direction;
    this.#named = named;
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
    return z.toJSONSchema(schema, {
      io: this.#direction,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema }) {
        if (zodSchema === duration) jsonSchema["tsType"] = "Duration";
        // JSON Schema cannot tell what a transform makes. Here that is a text, which the compiler checks.
        if (zodSchema._zod.def.type === "transform") jsonSchema.type = "string";
      },
    });
  }

  text(schema: Node): string {
    const { $ref, type, anyOf, oneOf, enum: values } = schema;
    const options = anyOf ?? oneOf;
    if (typeof schema["tsType"] === "string") return schema["tsType"];
    if (typeof $ref === "string") return $ref.replace(/^.*\//, "");
    if ("const" in schema) return JSON.stringify(schema["const"]);
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
    if (Array.isArray(options)) return options.map((option: Node) => this.text(option)).join(" | ");
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
        return `${docOf(member)}${keyText(name)}${isOptional ? "?" : ""}: ${this.text(member)}${isOptional ? " | undefined" : ""};`;
      })
      .join("\n");
  }

  #list(items: Node): string {
    const item = this.text(items);
    return / [|&] /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }

  #object(schema: Node): string {
    const { properties, additionalProperties } = schema;
    if (properties !== undefined) return `{\n${this.members(schema)}\n}`;
    const member =
      typeof additionalProperties === "object" ? this.text(additionalProperties as Node) : "unknown";
    return `Record<string, ${member}>`;
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
