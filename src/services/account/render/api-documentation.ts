/**
 * The Hydra API documentation: the service's classes with their properties and operations, read from the schemas and
 * the operations' declarations. Assumed: its form (API Platform 2.x); the document shows none.
 */

import { z } from "zod";
import type { Exchange } from "../../../http/exchange.ts";
import type { AnyOperation } from "../../../operation/operation.ts";
import type { Service } from "../../../operation/service.ts";
import { type Resource, resources } from "../schemas.ts";
import type { AccountSettings } from "../settings.ts";
import { type Entry, entryPoint } from "./hydra.ts";
import { HYDRA, kindOf, vocabulary } from "./json-ld.ts";

type Node = Readonly<Record<string, unknown>>;

const TERMS: Node = {
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

const READ_ONLY: Node = { "hydra:readable": true, "hydra:writeable": false };

export function apiDocumentation(service: Service, exchange: Exchange, settings: AccountSettings): Node {
  const operations = Object.values(service.operations);
  return {
    "@context": { "@vocab": vocabulary(exchange), ...TERMS },
    "@id": `${exchange.base}/docs.jsonld`,
    "@type": "hydra:ApiDocumentation",
    "hydra:title": service.title,
    "hydra:description": service.description,
    "hydra:entrypoint": `${exchange.base}/`,
    "hydra:supportedClass": [
      ...[...resources].map(([schema, resource]) => resourceClass(schema, resource, operations)),
      entrypointClass(operations, settings),
      violationClass(),
      violationListClass(),
    ],
  };
}

function resourceClass(schema: z.ZodType, resource: Resource, operations: readonly AnyOperation[]): Node {
  const fields: Readonly<Record<string, z.ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  const properties = Object.entries(fields).map(([name, field]) => property(resource, name, field));
  return described(resource.name, properties, itemOperations(schema, resource, operations));
}

function property({ name: owner, input }: Resource, name: string, field: z.ZodType): Node {
  const written: z.ZodType | undefined = input?.shape[name];
  const about = field.description ?? written?.description;
  return {
    ...supported(`${owner}/${name}`, name, owner, `xmls:${kindOf(field)}`),
    "hydra:required": written !== undefined && !written.safeParse(undefined).success,
    "hydra:readable": true,
    "hydra:writeable": written !== undefined,
    ...(about === undefined ? {} : { "hydra:description": about }),
  };
}

function entrypointClass(operations: readonly AnyOperation[], settings: AccountSettings): Node {
  const properties = entryPoint(settings).map((entry) => ({
    "@type": "hydra:SupportedProperty",
    "hydra:property": link(entry, operations),
    "hydra:title": `The ${entry.path === entry.resource.collectionPath ? "collection of " : ""}${entry.resource.name} resources`,
    ...READ_ONLY,
  }));
  const self = operation("GET", "The API entrypoint.", { returns: "#Entrypoint" });
  return { ...described("Entrypoint", properties, [self]), "hydra:title": "The API entrypoint" };
}

/** To a collection, with the class of its members; or straight to the one resource. */
function link({ key, resource }: Entry, operations: readonly AnyOperation[]): Node {
  const target = `#${resource.name}`;
  const members = {
    "owl:equivalentClass": {
      "owl:onProperty": { "@id": "hydra:member" },
      "owl:allValuesFrom": { "@id": target },
    },
  };
  const single = resource.collectionPath === undefined;
  return {
    "@id": `#Entrypoint/${key}`,
    "@type": "hydra:Link",
    domain: "#Entrypoint",
    "rdfs:label": key,
    "rdfs:range": single ? [{ "@id": target }] : [{ "@id": "hydra:Collection" }, members],
    ...(single ? {} : { "hydra:supportedOperation": collectionOperations(resource, operations) }),
  };
}

function collectionOperations({ name, collectionPath }: Resource, all: readonly AnyOperation[]): Node[] {
  return all
    .filter(({ path }) => path === collectionPath)
    .map(({ method }) =>
      method === "get"
        ? operation("GET", `Retrieves the collection of ${name} resources.`, { returns: "hydra:Collection" })
        : operation("POST", `Creates a ${name} resource.`, { expects: `#${name}`, returns: `#${name}` }),
    );
}

/** The operations on the resource's own IRI, which is where it is read. */
function itemOperations(
  schema: z.ZodType,
  { name, collectionPath }: Resource,
  all: readonly AnyOperation[],
): Node[] {
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
          return operation("PUT", `Replaces the ${name} resource.`, { expects: self, returns: self });
        case "delete":
          return operation("DELETE", `Deletes the ${name} resource.`, { returns: "owl:Nothing" });
        default:
          return operation("GET", `Retrieves ${name} resource.`, { returns: self });
      }
    });
}

const ACTIONS: Readonly<Record<string, string>> = {
  GET: "schema:FindAction",
  POST: "schema:CreateAction",
  PUT: "schema:ReplaceAction",
  DELETE: "schema:DeleteAction",
};

function operation(method: string, title: string, more: Node): Node {
  return {
    "@type": ["hydra:Operation", ACTIONS[method]],
    "hydra:method": method,
    "hydra:title": title,
    "rdfs:label": title,
    ...more,
  };
}

function violationClass(): Node {
  const properties = ["propertyPath", "message", "code"].map((name) => ({
    ...supported(`ConstraintViolation/${name}`, name, "ConstraintViolation", "xmls:string"),
    ...READ_ONLY,
  }));
  return described("ConstraintViolation", properties);
}

function violationListClass(): Node {
  const list = "ConstraintViolationList";
  const violations = supported(`${list}/violations`, "violations", list, "#ConstraintViolation");
  return { ...described(list, [{ ...violations, ...READ_ONLY }]), subClassOf: "hydra:Error" };
}

function described(name: string, properties: readonly Node[], operations: readonly Node[] = []): Node {
  return {
    "@id": `#${name}`,
    "@type": "hydra:Class",
    "rdfs:label": name,
    "hydra:title": name,
    "hydra:supportedProperty": properties,
    ...(operations.length === 0 ? {} : { "hydra:supportedOperation": operations }),
  };
}

function supported(id: string, name: string, owner: string, range: string): Node {
  return {
    "@type": "hydra:SupportedProperty",
    "hydra:property": {
      "@id": `#${id}`,
      "@type": "rdf:Property",
      "rdfs:label": name,
      domain: `#${owner}`,
      range,
    },
    "hydra:title": name,
  };
}
