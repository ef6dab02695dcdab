/** Describes the media types for OpenAPI. Source: common-account-billing, Media types and Collection envelope. */

import { z } from "zod";
import { PROBLEM_JSON } from "../../../http/problem-json.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import type { JsonSchema } from "../../../operation/service.ts";
import { Credentials, pages, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { HYDRA } from "./json-ld.ts";
import { HTML, JSON_TYPE, LD_JSON } from "./media.ts";

type MediaForms = Readonly<Record<string, z.ZodType | JsonSchema>>;

const CONTEXT_META = { description: "Where the names of the fields are explained.", readOnly: true };
/** The context of an item, by the setting `itemContext`. */
const contexts = {
  link: z.string().meta(CONTEXT_META),
  inline: z.looseObject({ "@vocab": z.string(), hydra: z.literal(HYDRA) }).meta(CONTEXT_META),
};
const identity = {
  "@id": z.string().meta({
    description: "The address of the resource: a path under the base address.",
    readOnly: true,
    format: "iri-reference",
  }),
  "@type": z.string().meta({ description: "The kind of resource.", readOnly: true }),
};
const defineIri = (description: string) => z.string().meta({ description, format: "iri-reference" });
const typeName = z.string().describe("The kind of node.");

const view = z.object({
  "@id": defineIri("This page."),
  "@type": typeName,
  "hydra:first": defineIri("The first page.").optional(),
  "hydra:last": defineIri("The last page.").optional(),
  "hydra:previous": defineIri("The page before this one.").optional(),
  "hydra:next": defineIri("The page after this one; absent on the last.").optional(),
});
const search = z.object({
  "@type": typeName,
  "hydra:template": z.string().describe("The address with the filters in braces (RFC 6570)."),
  "hydra:variableRepresentation": z.string().describe("How values are written."),
  "hydra:mapping": z
    .array(
      z.object({
        "@type": typeName,
        variable: z.string().describe("The query parameter."),
        property: z.string().nullable().describe("The field that it filters by."),
        required: z.boolean().describe("Whether it must be sent."),
      }),
    )
    .describe("The filters."),
});

const page: JsonSchema = {
  type: "string",
  description: "A page for a person: the plain field set as a table, and as JSON within the page.",
};
const errorForm: JsonSchema = { type: "string", description: "A page that names the status." };
const violation = z.object({
  propertyPath: z.string().describe("The failing field."),
  message: z.string().describe("The rule that it breaks."),
  code: z.string().optional().describe("Identifies the rule: a UUID."),
});
const violations = z.array(violation).optional().describe("Every broken rule; only of a 422.");
const hydraError = z
  .object({
    "@context": z.string().describe("Where the names of the fields are explained."),
    "@type": typeName,
    "hydra:title": z.string().describe("The same for every refusal."),
    "hydra:description": z.string().describe("What is wrong; of broken rules one line for each."),
    violations,
  })
  .meta({ id: "HydraError", description: "A refusal, for clients of JSON-LD." });
const problem = z
  .object({
    type: z.string().describe("A URI of the kind of problem."),
    title: z.string().describe("The same for every refusal."),
    status: z.int().optional().describe("The status of the answer."),
    detail: z.string().describe("What is wrong; of broken rules one line for each."),
    violations,
  })
  .meta({ id: "Problem", description: "A refusal (RFC 7807)." });
/** In the newer style there is one media type for refusals, and a client of JSON-LD gets members of Hydra with it. */
const newerProblem = problem
  .extend({
    status: z.int().describe("The status of the answer."),
    "@context": z.string().optional().describe("For clients of JSON-LD, as all fields below."),
    "@id": z.string().optional().describe("As `type`."),
    "@type": typeName.optional(),
    description: z.string().optional().describe("As `detail`."),
    "hydra:title": z.string().optional().describe("As `title`."),
    "hydra:description": z.string().optional().describe("As `detail`."),
  })
  .meta({ id: "Problem" });
/** What Symfony itself refuses with, before API Platform sees the request. */
const symfonyError = z
  .object({
    type: z.string().describe("A URI of the kind of problem."),
    title: z.string().describe("The same for every refusal."),
    status: z.int().describe("The status of the answer."),
    detail: z.string().describe("What is wrong."),
  })
  .meta({
    id: "SymfonyError",
    description: "A refusal by the framework, before the service sees the request.",
  });
const signInError = z
  .object({
    code: z.int().describe("The status of the answer."),
    message: z.string().describe("Why there is no access."),
  })
  .meta({ id: "SignInError", description: "A refusal of a token or a login." });

type NegotiatedForms = { readonly [LD_JSON]?: z.ZodType; readonly [PROBLEM_JSON]: z.ZodType };
type FormSettings = Pick<AccountSettings, "itemContext" | "profile" | "routeErrors" | "login">;

/** Created once, so that a document names each schema once. */
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

/** At the sign-in the throttle may have the status of another refusal. */
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

/** Another media type than JSON: to Symfony the sign-in is not there at all. */
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
        "@context": z.string().optional().describe("Where the names of the fields are explained."),
        "@id": defineIri("The address of the collection.").optional(),
        "@type": typeName.optional(),
        "hydra:member": z.array(getLinkedItem(item, itemContext)).describe("The items of this page."),
        "hydra:totalItems": z.int().min(0).optional().describe("Number of items on all pages."),
        "hydra:view": view.optional().describe("Links to the other pages; absent where there are none."),
        "hydra:search": search.optional().describe("The filters that the collection takes."),
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
