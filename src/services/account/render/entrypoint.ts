// Owns the entry point: the collections of the service, for a client that knows nothing but the base address.

import type { Exchange } from "../../../operation/exchange.ts";
import { type Resource, resources } from "../schemas.ts";

/** `preSaleAction`: how the entry point calls the collection of a resource. */
export function collectionKey({ name }: Resource): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The resources that have a collection, by the key of the entry point, in alphabetical order. */
export function collections(): readonly {
  readonly key: string;
  readonly resource: Resource;
  readonly path: string;
}[] {
  return [...resources.values()]
    .flatMap((resource) =>
      resource.collectionPath === undefined
        ? []
        : [{ key: collectionKey(resource), resource, path: resource.collectionPath }],
    )
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

export function entrypointDocument({ base }: Exchange): Readonly<Record<string, string>> {
  return {
    "@context": `${base}/contexts/Entrypoint`,
    "@id": `${base}/`,
    "@type": "Entrypoint",
    ...Object.fromEntries(collections().map(({ key, path }) => [key, base + path])),
  };
}
