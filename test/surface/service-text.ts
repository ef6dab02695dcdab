/**
 * The TypeScript that users of a service meet: its client, entities, settings and data as plain types, written from the
 * declarations. `surface.test.ts` keeps the files in src/services; `proof.test.ts` proves that both say the same.
 */

import { z } from "zod";
import { type AnyOperation, noContent } from "../../src/operation/operation.ts";
import {
  listProblems,
  listStatuses,
  type Service,
  withOfferedOperations,
} from "../../src/operation/service.ts";
import { commentOf, keyText, TypeTexts } from "./type-text.ts";

export function serviceText(service: Service): string {
  const types = new TypeTexts("input");
  const body = declarationsOf(service, types);
  const text = [...types.declarations, ...body].join("\n\n");
  const shared = ["ErrorResponse", "HeaderInput", "QueryValue", "Success"];
  return [
    `/** Generated: public types of the ${service.name}. To update this file, run \`npm run docs\`. */\n`,
    `import type { ${shared.filter((name) => text.includes(name)).join(", ")} } from "../../operation/client.ts";`,
    ...(/\bDuration\b/.test(text) ? ['import type { Duration } from "../../world/time.ts";'] : []),
    `import type { ${titleOf(service)}Problem } from "./operation.ts";\n`,
    `${text}\n`,
  ].join("\n");
}

/** The types that the sandbox is typed with; what they name is added to `types`. */
function declarationsOf(service: Service, types: TypeTexts): readonly string[] {
  const { name, operations, problems, collections, settings } = service;
  const declare = (about: string, suffix: string, members: readonly string[]): string =>
    `${commentOf(about)}export type ${titleOf(service)}${suffix} = {\n${members.join("\n")}\n};`;
  const calls = Object.entries(operations);
  return [
    declare(
      `Client of the ${name}: one method per operation. The type of a response depends on its status.`,
      "Client",
      calls.map(([key, operation]) => clientMethod(key, operation, service, types)),
    ),
    declare(
      "Parameters, fields, statuses and problems that rules and matchers can use, by operation.",
      "Operations",
      calls.map(([key, operation]) => namesOf(key, operation, service)),
    ),
    `${commentOf(`Keys of the error responses of the ${name}.`)}export type ${titleOf(service)}ProblemKey = ${union(Object.keys(problems))};`,
    declare(`Settings of the ${name}.`, "SettingsInput", [types.members(types.schemaOf(settings))]),
    declare(
      "Types of the entities by collection: `input` to write them, `output` to read them.",
      "Data",
      Object.entries(collections).map(
        ([collection, { schema }]) =>
          `${collection}: ${collectionText(schema, storedName(collection), types)};`,
      ),
    ),
  ];
}

function clientMethod(key: string, operation: AnyOperation, service: Service, types: TypeTexts): string {
  const { method, path, summary, description } = operation;
  const settings = service.settings.parse({});
  const about = typeof description === "function" ? description(settings) : description;
  const { text, fields, isRequired } = requestOf(operation, types, settings);
  const doc = commentOf(
    `${summary}: \`${method.toUpperCase()} ${path}\`.`,
    ...(about === undefined ? [] : [about]),
    ...(fields === "" ? [] : ["", `Body: ${fields}.`]),
  );
  return `${doc}${key}(request${isRequired ? "" : "?"}: ${text}): Promise<${answerOf(operation, service, types)}>;`;
}

function requestOf({ request }: AnyOperation, types: TypeTexts, settings: unknown) {
  const params = membersOf(request.params, "string", types, settings);
  const query = membersOf(request.query, "QueryValue", types, settings);
  const body = request.body === undefined ? undefined : types.of(request.body);
  const parts = [
    ...(params === "" ? [] : [`readonly params: {\n${params}\n};`]),
    ...(query === "" ? [] : [`readonly query?: {\n${query}\n};`]),
    ...(body === undefined ? [] : [`readonly body: ${body};`]),
    "readonly headers?: HeaderInput;",
  ];
  const fields = request.body === undefined ? [] : fieldsOf(request.body, types);
  return {
    text: `{\n${parts.join("\n")}\n}`,
    fields: fields.map((field) => `\`${field}\``).join(", "),
    isRequired: params !== "" || body !== undefined,
  };
}

/** Parameters, each of one type: they are texts in a URL, whatever is read from them. */
function membersOf(schema: z.ZodObject, type: string, types: TypeTexts, settings: unknown): string {
  return Object.entries(schema.shape)
    .map(([name, part]) => {
      const described = types.schemaOf(part)["description"] ?? wireDescription(part, settings);
      const doc = commentOf(typeof described === "string" ? described : "");
      return `${doc}readonly ${keyText(name)}${type === "string" ? "" : "?"}: ${type};`;
    })
    .join("\n");
}

/** What the documents say of a parameter that is read by hand, under the default settings. */
function wireDescription(schema: z.core.$ZodType, settings: unknown): unknown {
  const wire = z.globalRegistry.get(schema)?.["wire"];
  const { description } = typeof wire === "function" ? wire(settings, "input", {}) : (wire ?? {});
  return description;
}

/** Names of the fields of a body, with a question mark where one may be left out. */
function fieldsOf(schema: z.ZodType, types: TypeTexts): readonly string[] {
  const { properties = {}, required = [] } = types.schemaOf(schema);
  return Object.keys(properties as object).map((name) =>
    (required as readonly string[]).includes(name) ? name : `${name}?`,
  );
}

function answerOf(operation: AnyOperation, service: Service, types: TypeTexts): string {
  const replies = Object.entries(operation.responses).map(
    ([status, schema]) => `Success<${status}, ${replyBody(schema, service, types.towards("output"))}>`,
  );
  const refusals = listStatuses(service, operation).filter((status) => !(status in operation.responses));
  return [...replies, `ErrorResponse<${refusals.join(" | ")}, ${titleOf(service)}Problem>`].join(" | ");
}

function replyBody(schema: z.ZodType, service: Service, types: TypeTexts): string {
  if (schema === noContent) return "undefined";
  if (!Object.keys(service.codec.forms(schema)).some((media) => /json/.test(media))) return "Uint8Array";
  // A page of a collection goes over the wire as a plain list.
  const isPage = schema instanceof z.ZodObject && "totalItems" in schema.shape;
  if (!isPage) return types.of(schema);
  const { element } = (schema.shape["items"] as z.ZodReadonly<z.ZodArray<z.ZodType>>).unwrap(); // a page has a list
  return `readonly ${types.of(element)}[]`;
}

function namesOf(key: string, operation: AnyOperation, service: Service): string {
  const { params, query, body } = operation.request;
  const types = new TypeTexts("input");
  const fields = body === undefined ? [] : fieldsOf(body, types).map((name) => name.replace("?", ""));
  return [
    `"${service.name}.${key}": {`,
    `params: ${union(Object.keys(params.shape))};`,
    `query: ${union(Object.keys(query.shape))};`,
    `body: ${union(fields)};`,
    `status: ${union(statusesOf(operation, service))};`,
    `problem: ${union(listProblems(service, operation))};`,
    "};",
  ].join("\n");
}

/** With those that it has under other settings: a rule for these is right as well. */
function statusesOf(operation: AnyOperation, service: Service): readonly number[] {
  const { properties = {} } = new TypeTexts("input").schemaOf(service.settings);
  const choices = Object.entries(
    properties as Readonly<Record<string, { readonly enum?: readonly unknown[] }>>,
  );
  const variants = choices.flatMap(([name, { enum: values = [] }]) =>
    values.map((value) => withOfferedOperations(service, service.settings.parse({ [name]: value }))),
  );
  const all = [service, ...variants].flatMap((variant) => listStatuses(variant, operation));
  return [...new Set(all)].sort((one, other) => one - other);
}

function union(names: readonly (string | number)[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}

/** One type where an entity is read as it is written, else two. */
function collectionText(schema: z.ZodType, stored: string, types: TypeTexts): string {
  const name = z.globalRegistry.get(schema)?.id ?? stored;
  const outputs = types.towards("output");
  const output = outputs.of(schema, name);
  const isSame = types.text(types.schemaOf(schema)) === outputs.text(outputs.schemaOf(schema));
  return `{ input: ${isSame ? output : types.of(schema, `${name}Input`)}; output: ${output} }`;
}

/** `MuseumClient` of museum. */
function titleOf({ name }: Service): string {
  return capital(name);
}

/** `StoredIdentity` of identities. */
function storedName(collection: string): string {
  return `Stored${capital(collection.replace(/ies$/, "y").replace(/s$/, ""))}`;
}

function capital(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
