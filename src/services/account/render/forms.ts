/** Schemas of response bodies by media type, for OpenAPI. Source: common-account-billing, Media types and Collection envelope. */

import { z } from "zod";
import { PROBLEM_JSON } from "../../../http/problem-json.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import type { JsonSchema } from "../../../operation/service.ts";
import { Credentials, pages, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { HYDRA } from "./json-ld.ts";
import { HTML, JSON_TYPE, LD_JSON } from "./media.ts";

type MediaForms = Readonly<Record<string, z.ZodType | JsonSchema>>;

const CONTEXT_META = { description: "JSON-LD context: the meaning of the field names.", readOnly: true };
/** Schema of an item's `@context`, by the value of the setting `itemContext`. */
const contexts = {
  link: z.string().meta(CONTEXT_META),
  inline: z.looseObject({ "@vocab": z.string(), hydra: z.literal(HYDRA) }).meta(CONTEXT_META),
};
const identity = {
  "@id": z.string().meta({
    description: "IRI of the resource: a path below the base URL.",
    readOnly: true,
    format: "iri-reference",
  }),
  "@type": z.string().meta({ description: "Type of the resource.", readOnly: true }),
};
const defineIri = (description: string) => z.string().meta({ description, format: "iri-reference" });
const typeName = z.string().describe("Type of the node.");

const view = z.object({
  "@id": defineIri("This page."),
  "@type": typeName,
  "hydra:first": defineIri("The first page.").optional(),
  "hydra:last": defineIri("The last page.").optional(),
  "hydra:previous": defineIri("The previous page.").optional(),
  "hydra:next": defineIri("The next page. Absent on the last page.").optional(),
});
const search = z.object({
  "@type": typeName,
  "hydra:template": z.string().describe("URL with the filters in braces (RFC 6570)."),
  "hydra:variableRepresentation": z.string().describe("Format of the values."),
  "hydra:mapping": z
    .array(
      z.object({
        "@type": typeName,
        variable: z.string().describe("The query parameter."),
        property: z.string().nullable().describe("The filtered field."),
        required: z.boolean().describe("Whether it is required."),
      }),
    )
    .describe("The filters."),
});

const page: JsonSchema = {
  type: "string",
  description: "An HTML page with the plain fields as a table and as JSON.",
};
const errorForm: JsonSchema = { type: "string", description: "An HTML page with the status." };
const violation = z.object({
  propertyPath: z.string().describe("The failing field."),
  message: z.string().describe("The violated rule."),
  code: z.string().optional().describe("UUID of the rule."),
});
const violations = z.array(violation).optional().describe("All violations. Only with status 422.");
const hydraError = z
  .object({
    "@context": z.string().describe("JSON-LD context: the meaning of the field names."),
    "@type": typeName,
    "hydra:title": z.string().describe("A constant text."),
    "hydra:description": z.string().describe("The cause, with one line per violation."),
    violations,
  })
  .meta({ id: "HydraError", description: "An error in JSON-LD." });
const problem = z
  .object({
    type: z.string().describe("URI of the problem type."),
    title: z.string().describe("A constant text."),
    status: z.int().optional().describe("The status of the response."),
    detail: z.string().describe("The cause, with one line per violation."),
    violations,
  })
  .meta({ id: "Problem", description: "An error (RFC 7807)." });
/** Error body of API Platform 4. JSON and JSON-LD clients receive the same media type; only JSON-LD clients receive Hydra fields. */
const newerProblem = problem
  .extend({
    status: z.int().describe("The status of the response."),
    "@context": z.string().optional().describe("Only for JSON-LD clients, like all fields below."),
    "@id": z.string().optional().describe("Same as `type`."),
    "@type": typeName.optional(),
    description: z.string().optional().describe("Same as `detail`."),
    "hydra:title": z.string().optional().describe("Same as `title`."),
    "hydra:description": z.string().optional().describe("Same as `detail`."),
  })
  .meta({ id: "Problem" });
/** Error body of the web framework Symfony, which returns it before API Platform receives the request. */
const symfonyError = z
  .object({
    type: z.string().describe("URI of the problem type."),
    title: z.string().describe("A constant text."),
    status: z.int().describe("The status of the response."),
    detail: z.string().describe("The cause."),
  })
  .meta({
    id: "SymfonyError",
    description: "An error of the framework, before the service sees the request.",
  });
const signInError = z
  .object({
    code: z.int().describe("The status of the response."),
    message: z.string().describe("The reason."),
  })
  .meta({ id: "SignInError", description: "An error of a token or a login." });

type NegotiatedForms = { readonly [LD_JSON]?: z.ZodType; readonly [PROBLEM_JSON]: z.ZodType };
type FormSettings = Pick<AccountSettings, "itemContext" | "profile" | "routeErrors" | "login">;

/** Cache of schemas with JSON-LD fields. Without it, an OpenAPI document would define the same schema several times. */
const linkedSchemas = { link: new Map<z.ZodType, z.ZodType>(), inline: new Map<z.ZodType, z.ZodType>() };

export function buildMediaForms(schema: z.ZodType, { itemContext }: FormSettings): MediaForms {
  const item = pages.get(schema);
  if (item !== undefined) {
    const linked = getLinkedPage(schema, item, itemContext);
    return { [LD_JSON]: linked, [JSON_TYPE]: z.array(item), [HTML]: page };
  }
  if (resources.has(schema))
    return { [LD_JSON]: getLinkedItem(schema, itemContext), [JSON_TYPE]: schema, [HTML]: page };
  return schema instanceof z.ZodUndefined ? {} : { [JSON_TYPE]: schema };
}

export function buildErrorForms(status: number, operation: AnyOperation, settings: FormSettings): MediaForms {
  if (operation.request.body === Credentials) return buildSignInForms(status, settings);
  if (status === 401) return { [JSON_TYPE]: signInError };
  const negotiated = buildNegotiatedForms(settings);
  if (status === 406) return { [PROBLEM_JSON]: negotiated[PROBLEM_JSON] };
  return status === 422 ? negotiated : { ...negotiated, [HTML]: errorForm };
}

function buildNegotiatedForms({ profile }: FormSettings): NegotiatedForms {
  return profile === "api-platform-4"
    ? { [PROBLEM_JSON]: newerProblem }
    : { [LD_JSON]: hydraError, [PROBLEM_JSON]: problem };
}

/** Error bodies of the login. The status of `loginThrottled` is a setting, so that it can equal the status of another error. */
function buildSignInForms(status: number, settings: FormSettings): MediaForms {
  const throttled = status === settings.login.status;
  const { [PROBLEM_JSON]: written } = buildNegotiatedForms(settings);
  switch (status) {
    case 400:
      return { [JSON_TYPE]: throttled ? z.union([symfonyError, signInError]) : symfonyError };
    case 404:
      return { ...buildNoSignInForms(settings), ...(throttled ? { [JSON_TYPE]: signInError } : {}) };
    case 413:
      return { [PROBLEM_JSON]: written, ...(throttled ? { [JSON_TYPE]: signInError } : {}) };
    default:
      return { [JSON_TYPE]: signInError };
  }
}

/** Bodies of the login's 404 error. Symfony does not find the path of the login if the media type of the request is not JSON. */
function buildNoSignInForms(settings: FormSettings): MediaForms {
  const negotiated = buildNegotiatedForms(settings);
  if (settings.routeErrors === "service") return { [PROBLEM_JSON]: negotiated[PROBLEM_JSON] };
  const { [LD_JSON]: linkedForm = newerProblem } = negotiated;
  const media = settings.profile === "api-platform-4" ? PROBLEM_JSON : LD_JSON;
  return { [media]: linkedForm, [JSON_TYPE]: symfonyError, [HTML]: errorForm };
}

function getLinkedItem(schema: z.ZodType, itemContext: FormSettings["itemContext"]): z.ZodType {
  const { name = "" } = resources.get(schema) ?? {};
  const fields = schema instanceof z.ZodObject ? schema.shape : {};
  const context = contexts[itemContext].optional();
  return getOrCreate(linkedSchemas[itemContext], schema, () =>
    z
      .object({ "@context": context, ...identity, ...fields })
      .meta({ id: `${name}.jsonld`, description: `${schema.description} As JSON-LD.` }),
  );
}

function getLinkedPage(
  schema: z.ZodType,
  item: z.ZodType,
  itemContext: FormSettings["itemContext"],
): z.ZodType {
  const { name = "" } = resources.get(item) ?? {};
  return getOrCreate(linkedSchemas[itemContext], schema, () =>
    z
      .object({
        "@context": z.string().optional().describe("JSON-LD context: the meaning of the field names."),
        "@id": defineIri("IRI of the collection.").optional(),
        "@type": typeName.optional(),
        "hydra:member": z.array(getLinkedItem(item, itemContext)).describe("The items of this page."),
        "hydra:totalItems": z.int().min(0).optional().describe("Number of items on all pages."),
        "hydra:view": view.optional().describe("Links to other pages, if any."),
        "hydra:search": search.optional().describe("Filters of the collection."),
      })
      .meta({
        id: `${name}Collection.jsonld`,
        description: "One page of a collection, as JSON-LD with Hydra.",
      }),
  );
}

function getOrCreate(known: Map<z.ZodType, z.ZodType>, schema: z.ZodType, make: () => z.ZodType): z.ZodType {
  const made = known.get(schema) ?? make();
  known.set(schema, made);
  return made;
}
