/** Creates the OpenAPI 3.1 document of a service from the same declarations that serve its requests. */

import { type Exchange, openExchange } from "../http/exchange.ts";
import { Components } from "./json-schema.ts";
import type { AnyOperation, Example } from "./operation.ts";
import { fail } from "./problem.ts";
import {
  type JsonSchema,
  listProblems,
  type RenderedResponse,
  type Service,
  type ServiceDocument,
  withOfferedOperations,
} from "./service.ts";

export type OpenApiOptions = {
  /** Origin and base path of the service: `http://localhost:4010` and `/museum/v1.1`. */
  readonly server: Pick<Exchange, "origin" | "base">;
  /** State of the service with only the base data. The examples show its entities. */
  readonly state: unknown;
  /** Complete settings of the service. */
  readonly settings: unknown;
};

type DocumentDraft = {
  readonly service: Service;
  readonly components: Components;
  readonly options: OpenApiOptions;
};

const SUCCESS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: "OK.",
  201: "Created.",
  204: "No content.",
};
const ERROR_HEADERS: Readonly<Record<string, string>> = {
  "WWW-Authenticate": "The accepted authentication schemes.",
  "Retry-After": "Seconds to wait before the next request.",
};
/** Text after the introduction of a simulated service. */
const ERROR_HINT =
  "**Testing errors.** This is a sandbox. Each error response below lists its problems by key. To receive one, send the " +
  "header `Prefer: problem=<key>`, or `Prefer: code=<status>` for the first problem with that status.";

export function toOpenApi(declared: Service, options: OpenApiOptions): JsonSchema {
  const { settings } = options;
  const service = withOfferedOperations(declared, settings);
  const refusesUnknown = service.codec.refusesUnknown(settings);
  const draft: DocumentDraft = { service, components: new Components({ settings, refusesUnknown }), options };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [key, operation] of Object.entries(service.operations)) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = toOperation(draft, key, operation);
    paths[operation.path] = path;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: service.title,
      version: service.version,
      description: buildIntroduction(service, options),
      contact: { name: "vitrine, a local sandbox: nothing here reaches the real service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: toBaseUrl(options.server), description: "The sandbox that served this document." }],
    tags: [...new Set(Object.values(service.operations).map(({ tag }) => tag))].map((name) => ({
      name,
      description: service.tags[name],
    })),
    paths,
    components: {
      securitySchemes: mapEntries(service.security, (_name, { openapi }) => openapi),
      schemas: draft.components.toJSON(),
    },
  };
}

export function renderOpenApi({ context, service, base }: Parameters<ServiceDocument>[0]): RenderedResponse {
  const { settings, exchange } = context;
  return {
    status: 200,
    headers: { "content-type": "application/json", "x-content-type-options": "nosniff" },
    body: JSON.stringify(toOpenApi(service, { server: exchange, state: base(), settings })),
  };
}

function toOperation(draft: DocumentDraft, key: string, operation: AnyOperation): JsonSchema {
  const { description } = operation;
  const example = operation.example(draft.options.state);
  const all = [
    ...buildParameters(draft, operation, "path", example.params),
    ...buildParameters(draft, operation, "query", example.query),
    ...(draft.service.parameters ?? []),
  ];
  return {
    operationId: key,
    summary: operation.summary,
    description: typeof description === "function" ? description(draft.options.settings) : description,
    tags: [operation.tag],
    security: toSecurity(draft.service, operation),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...buildRequestBody(draft, operation, example),
    responses: { ...buildSuccesses(draft, operation, example), ...buildProblems(draft, operation) },
    "x-source": operation.source,
    ...buildSample(draft, operation, example),
  };
}

/** Lists the accepted security schemes. `{}` makes a scheme without `authenticate` optional: the control token. */
function toSecurity({ security }: Service, { security: name }: AnyOperation): readonly JsonSchema[] {
  const scheme = security[name];
  if (scheme === undefined) return [];
  return scheme.authenticate === undefined ? [{}, { [name]: [] }] : [{ [name]: [] }];
}

function buildIntroduction(service: Service, { settings, server, state }: OpenApiOptions): string {
  const { introduction, description, observed } = service;
  // Safe cast: `options` contains the settings and state of this service.
  const own = introduction?.(settings as never, toBaseUrl(server), state as never) ?? description;
  return observed ? `${own}\n\n${ERROR_HINT}` : own;
}

function toBaseUrl({ origin, base }: OpenApiOptions["server"]): string {
  return origin + base;
}

function buildSample({ service, options }: DocumentDraft, operation: AnyOperation, example: Example) {
  if (service.samples === undefined) return {};
  const source = service.samples(toBaseUrl(options.server), operation, example);
  return { "x-codeSamples": [{ lang: "Shell", label: "curl", source }] };
}

function buildParameters(
  { components }: DocumentDraft,
  { request }: AnyOperation,
  where: "path" | "query",
  example: Example["query"],
): readonly JsonSchema[] {
  const schema = where === "path" ? request.params : request.query;
  return components.fields(schema, "input").map(({ name, required, schema: field }) => {
    const { description, ...shape } = field;
    const isNumber = shape["type"] === "integer" || shape["type"] === "number";
    const value = example?.[name] || undefined; // An empty string means that the base data has no such entity.
    return {
      name,
      in: where,
      required,
      ...(description === undefined ? {} : { description }),
      schema: shape,
      ...(value === undefined ? {} : { example: isNumber ? Number(value) : value }),
    };
  });
}

function buildRequestBody(
  { service, components }: DocumentDraft,
  operation: AnyOperation,
  example: Example,
): JsonSchema {
  const { body, accepts } = operation.request;
  if (body === undefined) return {};
  const form = { schema: components.refer(body, "input"), example: example.body };
  const medias = accepts?.slice(0, 1) ?? service.codec.accepts;
  return {
    requestBody: { required: true, content: Object.fromEntries(medias.map((media) => [media, form])) },
  };
}

function buildSuccesses(draft: DocumentDraft, operation: AnyOperation, example: Example): JsonSchema {
  const { service, components } = draft;
  const schema = { type: "string" };
  const headers = mapEntries(operation.headers, (_name, description) => ({ description, schema }));
  return mapEntries(operation.responses, (status, value) => {
    const content = mapEntries(service.codec.forms(value), (media, form) => ({
      schema: components.refer(form, "output"),
      ...buildSuccessExample(draft, operation, example, Number(status), media),
    }));
    return {
      description: [SUCCESS_DESCRIPTIONS[Number(status)] ?? "Success.", value.description]
        .filter(Boolean)
        .join(" "),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(Object.keys(content).length === 0 ? {} : { content }),
    };
  });
}

/** Renders the example response with the codec of the service. */
function buildSuccessExample(
  { service, options }: DocumentDraft,
  operation: AnyOperation,
  { reply: value }: Example,
  status: number,
  media: string,
): JsonSchema {
  if (value === undefined || !/json/.test(media)) return {};
  const exchange = createExampleExchange(service, options.server, media);
  const answer = { kind: "reply", status, value, headers: {} } as const;
  const rendered = service.codec.render(answer, { exchange, operation, settings: options.settings });
  return "body" in rendered ? { example: JSON.parse(String(rendered.body)) } : {};
}

/** Builds one response per error status, with the descriptions and sources of all problems that have this status. */
function buildProblems(draft: DocumentDraft, operation: AnyOperation): JsonSchema {
  const { service, components } = draft;
  const byStatus = new Map<number, string[]>();
  for (const key of listProblems(service, operation)) {
    const status = service.problems[key]?.status ?? 0;
    byStatus.set(status, [...(byStatus.get(status) ?? []), key]);
  }
  return mapEntries(Object.fromEntries(byStatus), (status, keys) => ({
    description: keys.map((key) => describeProblem(service, key)).join("\n"),
    ...buildProblemHeaders(service, keys),
    content: mapEntries(service.codec.problemForms(Number(status), operation), (media, form) => ({
      schema: components.refer(form, "output"),
      ...buildProblemExamples(draft, operation, keys, media),
    })),
    "x-sources": Object.fromEntries(keys.map((key) => [key, service.problems[key]?.source])),
  }));
}

function describeProblem({ problems }: Service, key: string): string {
  const { title, when = title } = problems[key] ?? {};
  return `- \`${key}\`: ${when}`;
}

function buildProblemHeaders({ problems }: Service, keys: readonly string[]): JsonSchema {
  const names = new Set(keys.flatMap((key) => Object.keys(problems[key]?.headers ?? {})));
  if (names.size === 0) return {};
  const schema = { type: "string" };
  const headers = [...names].map((name) => [name, { description: ERROR_HEADERS[name], schema }] as const);
  return { headers: Object.fromEntries(headers) };
}

/** Renders an example of each problem with the codec of the service. */
function buildProblemExamples(
  { service, options }: DocumentDraft,
  operation: AnyOperation,
  keys: readonly string[],
  media: string,
): JsonSchema {
  if (!/json/.test(media)) return {};
  const { settings } = options;
  const examples = keys.flatMap((key) => {
    const context = { exchange: createExampleExchange(service, options.server, media), operation, settings };
    const { headers, body } = service.codec.renderProblem(fail(key), context);
    const hasMedia = headers["content-type"]?.startsWith(media) === true;
    return hasMedia ? [[key, { summary: key, value: JSON.parse(String(body)) }]] : [];
  });
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}

function createExampleExchange(
  service: Service,
  { origin, base }: OpenApiOptions["server"],
  media: string,
): Exchange {
  const request = { method: "GET", path: "/", search: "", params: {}, base, origin };
  const headers = new Headers({ accept: media });
  const exchange = openExchange({ seq: 0, world: "main", at: 0, ...request, headers, service: service.name });
  exchange.media = media;
  return exchange;
}

function mapEntries<T, U>(record: Readonly<Record<string, T>>, to: (key: string, value: T) => U) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(key, value)]));
}
