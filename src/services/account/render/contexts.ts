// Owns the JSON-LD contexts: one per resource, made from its schema, and those of the entry point and of errors.

import { z } from "zod";
import type { Exchange } from "../../../operation/exchange.ts";
import { resources } from "../schemas.ts";
import { entries } from "./entrypoint.ts";

export const HYDRA = "http://www.w3.org/ns/hydra/core#";

/** What names without a prefix are relative to. */
export function vocabulary({ origin, base }: Exchange): string {
  return `${origin}${base}/docs.jsonld#`;
}

/** The context document of a name, or undefined: there is none. */
export function contextDocument(name: string, exchange: Exchange): unknown {
  const terms = termsOf(name);
  if (terms === undefined) return undefined;
  return { "@context": { "@vocab": vocabulary(exchange), hydra: HYDRA, ...terms } };
}

function termsOf(name: string): Readonly<Record<string, unknown>> | undefined {
  if (name === "Error" || name === "ConstraintViolationList" || name === "ConstraintViolation") return {};
  if (name === "Entrypoint") {
    return Object.fromEntries(
      entries().map(({ key }) => [key, { "@id": `Entrypoint/${key}`, "@type": "@id" }]),
    );
  }
  const [schema] = [...resources].find(([, resource]) => resource.name === name) ?? [];
  if (!(schema instanceof z.ZodObject)) return undefined;
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, `${name}/${field}`]));
}
