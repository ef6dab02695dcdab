// Owns `hydra:search`: the filters of a collection, read from the query parameters that its operation declares.
// Source: common-account-billing, Collection envelope.

import type { AnyOperation } from "../../../operation/operation.ts";

/** Undefined: the collection has no filters. Assumed: `page` is not one of them (API Platform). */
export function hydraSearch(
  path: string,
  { request }: AnyOperation,
): Readonly<Record<string, unknown>> | undefined {
  const names = Object.keys(request.query.shape).map((name) => name.replace(/\[\]$/, ""));
  const fields = [...new Set(names)].filter((name) => name !== "page");
  if (fields.length === 0) return undefined;
  const variables = fields.flatMap((field) => [
    { variable: field, property: field },
    { variable: `${field}[]`, property: field },
  ]);
  return {
    "@type": "hydra:IriTemplate",
    "hydra:template": `${path}{?${variables.map(({ variable }) => variable).join(",")}}`,
    "hydra:variableRepresentation": "BasicRepresentation",
    "hydra:mapping": variables.map((variable) => ({
      "@type": "IriTemplateMapping",
      ...variable,
      required: false,
    })),
  };
}
