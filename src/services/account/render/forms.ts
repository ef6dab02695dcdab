/**
 * How OpenAPI describes the forms: the schemas of values and of refusals in each media type. Source:
 * common-account-billing, Media types and Collection envelope.
 */

import { z } from "zod";
import type { AnyOperation } from "../../../operation/operation.ts";
import { PROBLEM_JSON } from "../../../operation/problem-json.ts";
import type { JsonSchema } from "../../../operation/service.ts";
import { Credentials, pages, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { HYDRA } from "./json-ld.ts";
import { HTML, JSON_TYPE, LD_JSON } from "./media.ts";

type Forms = Readonly<Record<string, z.ZodType | JsonSchema>>;

const EXPLAINED = { description: "Where the names of the fields are explained.", readOnly: true };
/** The context of an item, by the setting `itemContext`. */
const contexts = {
  link: z.string().meta(EXPLAINED),
  inline: z.looseObject({ "@vocab": z.string(), hydra: z.literal(HYDRA) }).meta(EXPLAINED),
};
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
/** In the newer style there is one media type for refusals, and a client of JSON-LD gets members of Hydra with it. */
const newerProblem = problem
  .extend({
    status: z.int(),
    "@context": z.string().optional(),
    "@id": z.string().optional(),
    "@type": z.string().optional(),
    description: z.string().optional(),
    "hydra:title": z.string().optional(),
    "hydra:description": z.string().optional(),
  })
  .meta({ id: "Problem" });
/** What Symfony itself refuses with, before API Platform sees the request. */
const symfonyError = z
  .object({ type: z.string(), title: z.string(), status: z.int(), detail: z.string() })
  .meta({ id: "SymfonyError" });
const signInError = z.object({ code: z.int(), message: z.string() }).meta({ id: "SignInError" });

type NegotiatedForms = { readonly [LD_JSON]?: z.ZodType; readonly [PROBLEM_JSON]: z.ZodType };
/** The settings that decide what an answer looks like. */
type Shaping = Pick<AccountSettings, "itemContext" | "profile" | "routeErrors" | "login">;

/** Created once, so that a document names each schema once. */
const linked = { link: new Map<z.ZodType, z.ZodType>(), inline: new Map<z.ZodType, z.ZodType>() };

export function forms(schema: z.ZodType, { itemContext }: Pick<Shaping, "itemContext">): Forms {
  const known = resources.has(schema) || pages.has(schema);
  if (!known) return schema instanceof z.ZodUndefined ? {} : { [JSON_TYPE]: schema };
  const item = pages.get(schema);
  const plain = item === undefined ? schema : z.array(item);
  return {
    [LD_JSON]: item === undefined ? linkedItem(schema, itemContext) : linkedPage(schema, item, itemContext),
    [JSON_TYPE]: plain,
    [HTML]: page,
  };
}

export function problemForms(status: number, { request }: AnyOperation, settings: Shaping): Forms {
  if (request.body === Credentials) return signInForms(status, settings);
  if (status === 401) return { [JSON_TYPE]: signInError };
  const negotiated = negotiatedForms(settings);
  if (status === 406) return { [PROBLEM_JSON]: negotiated[PROBLEM_JSON] };
  return status === 422 ? negotiated : { ...negotiated, [HTML]: errorForm };
}

function negotiatedForms({ profile }: Pick<Shaping, "profile">): NegotiatedForms {
  return profile === "api-platform-4"
    ? { [PROBLEM_JSON]: newerProblem }
    : { [LD_JSON]: hydraError, [PROBLEM_JSON]: problem };
}

/** At the sign-in the throttle may have the status of another refusal. */
function signInForms(status: number, settings: Shaping): Forms {
  const throttled = status === settings.login.status;
  const { [PROBLEM_JSON]: written } = negotiatedForms(settings);
  switch (status) {
    case 400:
      return { [JSON_TYPE]: throttled ? z.union([symfonyError, signInError]) : symfonyError };
    case 404:
      return { ...noSignInForms(settings), ...(throttled ? { [JSON_TYPE]: signInError } : {}) };
    case 413:
      return { [PROBLEM_JSON]: written, ...(throttled ? { [JSON_TYPE]: signInError } : {}) };
    default:
      return { [JSON_TYPE]: signInError };
  }
}

/** Another media type than JSON: to Symfony the sign-in is not there at all. */
function noSignInForms(settings: Shaping): Forms {
  const negotiated = negotiatedForms(settings);
  if (settings.routeErrors === "service") return { [PROBLEM_JSON]: negotiated[PROBLEM_JSON] };
  const { [LD_JSON]: linkedForm = newerProblem } = negotiated;
  const media = settings.profile === "api-platform-4" ? PROBLEM_JSON : LD_JSON;
  return { [media]: linkedForm, [JSON_TYPE]: symfonyError, [HTML]: errorForm };
}

function linkedItem(schema: z.ZodType, itemContext: Shaping["itemContext"]): z.ZodType {
  const { name = "" } = resources.get(schema) ?? {};
  const fields = schema instanceof z.ZodObject ? schema.shape : {};
  const context = contexts[itemContext].optional();
  return remember(linked[itemContext], schema, () =>
    z.object({ "@context": context, ...identity, ...fields }).meta({ id: `${name}.jsonld` }),
  );
}

function linkedPage(schema: z.ZodType, item: z.ZodType, itemContext: Shaping["itemContext"]): z.ZodType {
  const { name = "" } = resources.get(item) ?? {};
  return remember(linked[itemContext], schema, () =>
    z
      .object({
        "@context": z.string().optional(),
        "@id": iri.optional(),
        "@type": z.string().optional(),
        "hydra:member": z.array(linkedItem(item, itemContext)),
        "hydra:totalItems": z.int().min(0).optional(),
        "hydra:view": view.optional(),
        "hydra:search": search.optional(),
      })
      .meta({ id: `${name}Collection.jsonld` }),
  );
}

function remember(known: Map<z.ZodType, z.ZodType>, schema: z.ZodType, make: () => z.ZodType): z.ZodType {
  const made = known.get(schema) ?? make();
  known.set(schema, made);
  return made;
}
