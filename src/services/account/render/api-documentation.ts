/** Builds the Hydra API documentation from schemas and operations. Assumed: the form of API Platform 2.x. */

import { z } from "zod";
import type { Exchange } from "../../../http/exchange.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import type { Service } from "../../../operation/service.ts";
import { type Resource, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { type HydraEntry, listEntryPoint } from "./hydra.ts";
import { buildVocabulary, getFieldKind, HYDRA } from "./json-ld.ts";

type HydraNode = Readonly<Record<string, unknown>>;

const TERMS: HydraNode = {
  hydra: HYDRA,
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  xmls: "http://www.w3.org/2001/XMLSchema#",
  owl: "http://www.w3.org/2002/07/owl#",
  schema: "http://schema.org/",
  domain: { "@id": "rdfs:domain", "@type": "@id" },
  range: { "@id": "rdfs:range", "@type": "@id" },
  subClassOf: { "@id": "rdfs:subClassOf", "@type": "@id" },
  expects: { "@id": "hydra:expects", "@type": "@id" },
  returns: { "@id": "hydra:returns", "@type": "@id" },
};

const READ_ONLY: HydraNode = { "hydra:readable": true, "hydra:writeable": false };

export function buildApiDocs(service: Service, exchange: Exchange, settings: AccountSettings): HydraNode {
  const operations = Object.values(service.operations);
  return {
    "@context": { "@vocab": buildVocabulary(exchange), ...TERMS },
    "@id": `${exchange.base}/docs.jsonld`,
    "@type": "hydra:ApiDocumentation",
    "hydra:title": service.title,
    "hydra:description": service.description,
    "hydra:entrypoint": `${exchange.base}/`,
    "hydra:supportedClass": [
      ...[...resources].map(([schema, resource]) => buildResourceClass(schema, resource, operations)),
      buildEntrypointClass(operations, settings),
      buildViolationClass(),
      buildViolationList(),
    ],
  };
}

function buildResourceClass(schema: z.ZodType, resource: Resource, operations: readonly AnyOperation[]) {
  const fields: Readonly<Record<string, z.ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const properties = Object.entries(fields).map(([name, field]) => buildProperty(resource, name, field));
  return buildClass(resource.name, properties, buildItemOperations(schema, resource, operations));
}

function buildProperty({ name: owner, input }: Resource, name: string, field: z.ZodType): HydraNode {
  const written: z.ZodType | undefined = input?.shape[name];
  const about = field.description ?? written?.description;
  return {
    ...buildSupported(owner, name, `xmls:${getFieldKind(field)}`),
    "hydra:required": written !== undefined && !written.safeParse(undefined).success,
    "hydra:readable": true,
    "hydra:writeable": written !== undefined,
    ...(about === undefined ? {} : { "hydra:description": about }),
  };
}

function buildEntrypointClass(operations: readonly AnyOperation[], settings: AccountSettings): HydraNode {
  const properties = listEntryPoint(settings).map((entry) => ({
    "@type": "hydra:SupportedProperty",
    "hydra:property": buildLink(entry, operations),
    "hydra:title": `The ${entry.path === entry.resource.collectionPath ? "collection of " : ""}${entry.resource.name} resources`,
    ...READ_ONLY,
  }));
  const self = buildOperation("GET", "The API entrypoint.", { returns: "#Entrypoint" });
  return { ...buildClass("Entrypoint", properties, [self]), "hydra:title": "The API entrypoint" };
}

/** Describes a link of the entry point: to a collection, with the class of its members, or to a single resource. */
function buildLink({ key, resource }: HydraEntry, operations: readonly AnyOperation[]): HydraNode {
  const target = `#${resource.name}`;
  const values = { "owl:onProperty": { "@id": "hydra:member" }, "owl:allValuesFrom": { "@id": target } };
  const members = { "owl:equivalentClass": values };
  const single = resource.collectionPath === undefined;
  return {
    "@id": `#Entrypoint/${key}`,
    "@type": "hydra:Link",
    domain: "#Entrypoint",
    "rdfs:label": key,
    "rdfs:range": single ? [{ "@id": target }] : [{ "@id": "hydra:Collection" }, members],
    ...(single ? {} : { "hydra:supportedOperation": buildListOperations(resource, operations) }),
  };
}

function buildListOperations({ name, collectionPath }: Resource, all: readonly AnyOperation[]): HydraNode[] {
  return all
    .filter(({ path }) => path === collectionPath)
    .map(({ method }) => {
      const [self, returns] = [`#${name}`, "hydra:Collection"];
      if (method !== "get")
        return buildOperation("POST", `Creates a ${name} resource.`, { expects: self, returns: self });
      return buildOperation("GET", `Retrieves the collection of ${name} resources.`, { returns });
    });
}

/** Returns the operations on a single resource: those with the same path as its GET operation. */
function buildItemOperations(
  schema: z.ZodType,
  { name, collectionPath }: Resource,
  all: readonly AnyOperation[],
): HydraNode[] {
  const read = all.find(
    ({ method, path, responses }) =>
      method === "get" && path !== collectionPath && Object.values(responses).includes(schema),
  );
  const self = `#${name}`;
  return all
    .filter(({ path }) => path === read?.path)
    .map(({ method }) => {
      switch (method) {
        case "put":
          return buildOperation("PUT", `Replaces the ${name} resource.`, { expects: self, returns: self });
        case "delete":
          return buildOperation("DELETE", `Deletes the ${name} resource.`, { returns: "owl:Nothing" });
        default:
          return buildOperation("GET", `Retrieves ${name} resource.`, { returns: self });
      }
    });
}

const ACTIONS: Readonly<Record<string, string>> = {
  GET: "schema:FindAction",
  POST: "schema:CreateAction",
  PUT: "schema:ReplaceAction",
  DELETE: "schema:DeleteAction",
};

function buildOperation(method: string, title: string, more: HydraNode): HydraNode {
  return {
    "@type": ["hydra:Operation", ACTIONS[method]],
    "hydra:method": method,
    "hydra:title": title,
    "rdfs:label": title,
    ...more,
  };
}

function buildViolationClass(): HydraNode {
  const properties = ["propertyPath", "message", "code"].map((name) => ({
    ...buildSupported("ConstraintViolation", name, "xmls:string"),
    ...READ_ONLY,
  }));
  return buildClass("ConstraintViolation", properties);
}

function buildViolationList(): HydraNode {
  const list = "ConstraintViolationList";
  const violations = buildSupported(list, "violations", "#ConstraintViolation");
  return { ...buildClass(list, [{ ...violations, ...READ_ONLY }]), subClassOf: "hydra:Error" };
}

function buildClass(name: string, properties: HydraNode[], operations: HydraNode[] = []): HydraNode {
  return {
    "@id": `#${name}`,
    "@type": "hydra:Class",
    "rdfs:label": name,
    "hydra:title": name,
    "hydra:supportedProperty": properties,
    ...(operations.length === 0 ? {} : { "hydra:supportedOperation": operations }),
  };
}

function buildSupported(owner: string, name: string, range: string): HydraNode {
  const property = { "@id": `#${owner}/${name}`, "@type": "rdf:Property", "rdfs:label": name };
  return {
    "@type": "hydra:SupportedProperty",
    "hydra:property": { ...property, domain: `#${owner}`, range },
    "hydra:title": name,
  };
}
