// How a schema is shown in a document: nothing that the contract does not promise, and what it says of itself on the wire.

import { expect, test } from "vitest";
import { z } from "zod";
import { Components } from "../../src/operation/json-schema.ts";

const shown = (schema: z.ZodType, direction: "input" | "output" = "output") =>
  new Components().refer(schema, direction);

test("an integer has only the bounds of its schema, not those of JavaScript", () => {
  expect(shown(z.int())).toEqual({ type: "integer" });
  expect(shown(z.int().min(0))).toEqual({ type: "integer", minimum: 0 });
  expect(shown(z.int().min(1).max(30))).toEqual({ type: "integer", minimum: 1, maximum: 30 });
});

test("an object allows additional fields unless it is strict or the settings refuse unknown fields in requests", () => {
  const open = z.object({ a: z.string() });
  const plain = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  expect(shown(open)).toEqual(plain);
  expect(shown(z.strictObject(open.shape))).toEqual({ ...plain, additionalProperties: false });
  const refusing = new Components({ settings: undefined, refusesUnknown: true });
  expect(refusing.refer(open, "output")).toEqual(plain);
  expect(refusing.refer(open, "input")).toEqual({ ...plain, additionalProperties: false });
  expect(refusing.refer(z.looseObject(open.shape), "input")).toEqual({ ...plain, additionalProperties: {} });
});

test("the wire schema replaces the internal schema, but keeps its description", () => {
  const price = z
    .number()
    .describe("In euros.")
    .meta({ examples: [5], wire: { type: "string" } });
  expect(shown(price)).toEqual({ type: "string", description: "In euros.", examples: [5] });
  const scaled = z.number().meta({
    wire: (settings: unknown, direction: string, derived: object) => ({ ...derived, settings, direction }),
  });
  expect(new Components({ settings: 7, refusesUnknown: false }).refer(scaled, "input")).toEqual({
    type: "number",
    settings: 7,
    direction: "input",
  });
});

test("named schemas are listed once, in alphabetical order, and a duplicate name is rejected", () => {
  const components = new Components();
  const pair = z.object({ b: z.string().meta({ id: "Zebra" }), a: z.int().meta({ id: "Ape" }) });
  expect(components.refer(pair, "output")).toMatchObject({
    properties: { a: { $ref: "#/components/schemas/Ape" }, b: { $ref: "#/components/schemas/Zebra" } },
  });
  expect(JSON.stringify(components)).toBe('{"Ape":{"type":"integer"},"Zebra":{"type":"string"}}');
  expect(() => components.refer(z.object({ a: z.string().meta({ id: "Ape" }) }), "output")).toThrow(
    "Two different schemas are named Ape.",
  );
  const fields = components.fields(z.object({ page: z.int(), limit: z.int().optional() }), "input");
  expect(fields).toEqual([
    { name: "page", required: true, schema: { type: "integer" } },
    { name: "limit", required: false, schema: { type: "integer" } },
  ]);
  expect(components.fields(z.object({ limit: z.int().optional() }), "input")).toMatchObject([
    { required: false },
  ]);
});

test("any JSON has an empty schema, and a JSON Schema stays unchanged", () => {
  expect(shown(z.json())).toEqual({});
  expect(new Components().refer({ type: "string" }, "output")).toEqual({ type: "string" });
});
