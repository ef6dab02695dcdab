// Owns the entry point: where the resources of the service are, for a client that knows nothing but the base address.

import type { Exchange } from "../../../operation/exchange.ts";
import { pathOf, type Resource, resources } from "../schemas.ts";

export type Entry = { readonly key: string; readonly resource: Resource; readonly path: string };

/**
 * The collections by the key of the entry point, in alphabetical order; and the user, who has none, by its own IRI.
 * Assumed: API Platform leaves such resources out. Here a generic client finds all four.
 */
export function entries(): readonly Entry[] {
  return [...resources.values()]
    .map((resource) => ({
      key: resource.name.charAt(0).toLowerCase() + resource.name.slice(1),
      resource,
      path: pathOf(resource),
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

export function entrypointDocument({ base }: Exchange): Readonly<Record<string, string>> {
  return {
    "@context": `${base}/contexts/Entrypoint`,
    "@id": `${base}/`,
    "@type": "Entrypoint",
    ...Object.fromEntries(entries().map(({ key, path }) => [key, base + path])),
  };
}
