/**
 * How OpenAPI describes the forms: the schemas of values and of refusals in each media type. Source:
 * common-account-billing, Media types and Collection envelope.
 */

import { z } from "zod";
import type { AnyOperation } from "../../../operation/operation.ts";
import { PROBLEM_JSON } from "../../../operation/problem-json.ts";
import type { JsonSchema } from "../../../operation/service.ts";
import { Credentials, pages, resources } from "../schemas.ts";
import { HYDRA } from "./json-ld.ts";
import { HTML, JSON_TYPE, LD_JSON } from "./media.ts";

type Forms = Readonly<Record<string, z.ZodType | JsonSchema>>;

const context = z
  .union([z.string(), z.looseObject({ "@vocab": z.string(), hydra: z.literal(HYDRA) })])
  .meta({ description: "Where the names of the fields are explained.", readOnly: true });
const identity = {
  "@id": z.string().meta({ readOnly: true, format: "iri-reference" }),
  "@type": z.string().meta({ readOnly: true }),
};
const iri = z.string().meta({ format: "iri-reference" });

const view = z.object({
  "@id": iri,
  "@type": z.string(),
  "hydra:first": iri.optional(),
  "hydra:last": iri.optional(),
  "hydra:previous": iri.optional(),
  "hydra:next": iri.optional(),
});
const search = z.object({
  "@type": z.string(),
  "hydra:template": z.string(),
  "hydra:variableRepresentation": z.string(),
  "hydra:mapping": z.array(
    z.object({
      "@type": z.string(),
      variable: z.string(),
      property: z.string().nullable(),
      required: z.boolean(),
    }),
  ),
});

const page: JsonSchema = {
  type: "string",
  description: "A page for a person: the plain field set as a table, and as JSON within the page.",
};
const errorForm: JsonSchema = { type: "string", description: "A page that names the status." };
const violation = z.object({ propertyPath: z.string(), message: z.string(), code: z.string().optional() });
const violations = z.array(violation).optional();
const hydraError = z
  .object({
    "@context": z.string(),
    "@type": z.string(),
    "hydra:title": z.string(),
    "hydra:description": z.string(),
    violations,
  })
  .meta({ id: "HydraError" });
const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int().optional(),
    detail: z.string(),
    violations,
  })
  .meta({ id: "Problem" });
const signInError = z.object({ code: z.int(), message: z.string() }).meta({ id: "SignInError" });

/** Created once, so that a document names each schema once. */
const linked = new Map<z.ZodType, z.ZodType>();

export function forms(schema: z.ZodType): Forms {
  const known = resources.has(schema) || pages.has(schema);
  if (!known) return schema instanceof z.ZodUndefined ? {} : { [JSON_TYPE]: schema };
  const item = pages.get(schema);
  const plain = item === undefined ? schema : z.array(item);
  return {
    [LD_JSON]: item === undefined ? linkedItem(schema) : linkedPage(schema, item),
    [JSON_TYPE]: plain,
    [HTML]: page,
  };
}

/** Refusals in the default style. */
export function problemForms(status: number, { request }: AnyOperation): Forms {
  if (status === 401 || status === 429) return { [JSON_TYPE]: signInError };
  if (request.body === Credentials) return { [status === 400 ? JSON_TYPE : PROBLEM_JSON]: problem };
  if (status === 406) return { [PROBLEM_JSON]: problem };
  const json = { [LD_JSON]: hydraError, [PROBLEM_JSON]: problem };
  return status === 422 ? json : { ...json, [HTML]: errorForm };
}

function linkedItem(schema: z.ZodType): z.ZodType {
  const { name = "" } = resources.get(schema) ?? {};
  const fields = schema instanceof z.ZodObject ? schema.shape : {};
  return remember(schema, () =>
    z.object({ "@context": context.optional(), ...identity, ...fields }).meta({ id: `${name}.jsonld` }),
  );
}

function linkedPage(schema: z.ZodType, item: z.ZodType): z.ZodType {
  const { name = "" } = resources.get(item) ?? {};
  return remember(schema, () =>
    z
      .object({
        "@context": z.string().optional(),
        "@id": iri.optional(),
        "@type": z.string().optional(),
        "hydra:member": z.array(linkedItem(item)),
        "hydra:totalItems": z.int().min(0).optional(),
        "hydra:view": view.optional(),
        "hydra:search": search.optional(),
      })
      .meta({ id: `${name}Collection.jsonld` }),
  );
}

function remember(schema: z.ZodType, make: () => z.ZodType): z.ZodType {
  const made = linked.get(schema) ?? make();
  linked.set(schema, made);
  return made;
}
