/** The type of a service: a named set of operations with one codec. The pipeline depends only on this type. */

import type { z } from "zod";
import { createUnknownError } from "../errors/nearest.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestHeaders } from "../http/incoming-request.ts";
import { type NumberMode, type ParsedJson, parseJson } from "../http/json.ts";
import type { Entity } from "../world/store.ts";
import type { CalendarDate } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { AnyOperation, Example } from "./operation.ts";
import type { ServiceProbes } from "./probe.ts";
import type { AnyReply, Catalogue, Problem, StandardProblem } from "./problem.ts";

/** A base URL of a service with separate data, users and keys. */
export type Environment = {
  /** Unique name among all environments: `museum`, `accountSandbox`. */
  readonly key: string;
  /** Name within the service, such as `production` or `sandbox`. */
  readonly name: string;
  /** Base path on the port that all environments share: `/museum/v1.1`. */
  readonly base: string;
  /** Base path on a port that serves only this environment: `/v1.1`, or an empty string. */
  readonly ownBase: string;
};

export type ServiceEnvironment = { readonly service: Service; readonly environment: Environment };

/** A response that is ready to send. */
export type RenderedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** EventStrings is an endless event stream, which only the control API returns. The journal does not store it. */
  readonly body: string | Uint8Array | EventStrings | undefined;
};

/** The strings of an event stream. The reader requests each string with `next()`, and `return()` cancels the stream. */
export type EventStrings = AsyncIterableIterator<string>;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The data that a codec needs to render a response. */
export type RenderContext = {
  readonly exchange: Exchange;
  readonly operation: AnyOperation | undefined;
  readonly settings: unknown;
};

/** Decodes requests and renders responses of a service, and negotiates the media type. */
export type Codec = {
  /** Accepted media types of request bodies. */
  readonly accepts: readonly string[];
  /** Whether the media types of request bodies are case-sensitive. Default: false. */
  readonly exactTypes?: boolean;
  /** Returns the schemas of a success body by media type. Empty: the response has no body. */
  forms(schema: z.ZodType): Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Returns the schemas of an operation's error bodies with this status, by media type. */
  problemForms(status: number, operation: AnyOperation): Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Returns the media type of the response, or a problem, for example if the client accepts no supported type. */
  negotiate(context: RenderContext): string | StandardProblem;
  /** Parses the query. `unreadable` names a parameter with invalid escapes. */
  query(search: string): { readonly values: Readonly<Record<string, unknown>>; readonly unreadable?: string };
  /** Removes parts of the body that the service ignores. Default: removes nothing. */
  readonly body?: (value: unknown) => unknown;
  /** Treatment of unusual numbers in request bodies; see `NumberMode`. */
  readonly numbers: NumberMode;
  /** Parses a body, which can begin with a byte order mark. Default: `parseJson` on a body without its mark. */
  readonly parse?: (text: string, mostMembers?: number) => ParsedJson;
  /** Whether the service rejects unknown fields and query parameters. */
  refusesUnknown(settings: unknown): boolean;
  /** Converts a problem of the router or pipeline into the problem that this service returns in the same case. */
  ownProblem(problem: StandardProblem, context: RenderContext): Problem;
  render(reply: AnyReply, context: RenderContext): RenderedResponse | Promise<RenderedResponse>;
  renderProblem(problem: Problem, context: RenderContext): RenderedResponse;
};

/** Specifies how to convert the bytes of a request body to a value. */
export type BodyReader = {
  readonly limitBytes: number;
  /** `mostMembers` is the maximum number of members, if the operation declares it. */
  readonly parse: (text: string, mostMembers?: number) => ParsedJson;
  /** Whether `parse` receives the byte order mark. Default: false. */
  readonly keepsMark?: boolean;
  readonly exactTypes?: boolean;
  /** Body value of a request without a body. If undefined, such a request is rejected. */
  readonly empty?: unknown;
};

export function getBodyReader({ bodies, codec }: Service): BodyReader {
  const { numbers, exactTypes = false } = codec;
  const parse: BodyReader["parse"] = (text, mostMembers) => parseJson(text, numbers, mostMembers);
  const keepsMark = codec.parse !== undefined;
  return bodies ?? { limitBytes: MAX_BODY_BYTES, parse: codec.parse ?? parse, keepsMark, exactTypes };
}

const MAX_BODY_BYTES = 1_048_576;

/** Authenticates the client of a request. */
export type SecurityScheme = {
  /** Keys of the problems that report rejected credentials. */
  readonly problems: readonly string[];
  readonly openapi: JsonSchema;
  /** Returns the user; journal and rules contain its `name`. Omitted in the control API, whose token `guard.ts` checks. */
  authenticate?(request: {
    readonly headers: RequestHeaders;
    readonly world: World;
    readonly environment: string;
    readonly settings: unknown;
    readonly exchange: Exchange;
  }): { readonly name: string; readonly identity: unknown } | Problem;
};

/** A collection that data files, scenarios and the control API can read or write. */
export type CollectionDefinition = {
  /** Schema of the whole entity, including fields that responses omit. */
  readonly schema: z.ZodType;
  /** Returns the key of an entity, normalized with `toNameKey` so that case does not matter. */
  readonly key: (entity: Entity) => string;
  /** Fields that contain the key of an entity in the same environment, with the name of its collection. */
  readonly references?: Readonly<Record<string, string>>;
};

/** Base data: entities by collection. Their dates are relative to the day `anchor`. */
export type Fixture = {
  readonly anchor: CalendarDate;
  readonly collections: Readonly<Record<string, readonly Entity[]>>;
};

export type GenerateOptions = {
  readonly seed: number;
  readonly environment: string;
  readonly anchor: CalendarDate;
  /** Number of entities by collection. Other collections get their default number. */
  readonly counts: Readonly<Record<string, number>>;
};

/** Responds to a path that is not an operation, such as the OpenAPI document. The pipeline does not authenticate such requests. */
export type ServiceDocument = (call: {
  readonly context: RenderContext;
  readonly service: Service;
  readonly state: unknown;
  /** Returns the state with only the base data, for examples. Requests and scenarios do not change this state. */
  readonly base: () => unknown;
  readonly params: Readonly<Record<string, string>>;
}) => RenderedResponse | Problem | Promise<RenderedResponse | Problem>;

/** Assumptions by id: the point that the document leaves open, vitrine's behavior, and the setting that changes it. */
export type Assumptions = Readonly<
  Record<string, readonly [point: string, served: string, setting?: string]>
>;

export type Service = {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Introduction of the OpenAPI document, in Markdown. `state` has the data for an example call. Default: `description`. */
  readonly introduction?: (settings: never, server: string, state: never) => string;
  /** Descriptions of the tags, which group the operations in OpenAPI documents. */
  readonly tags: Readonly<Record<string, string>>;
  readonly environments: readonly Environment[];
  /** Whether the journal records requests to the service, and rules apply to them. False only for the control API. */
  readonly observed: boolean;
  readonly problems: Catalogue;
  readonly security: Readonly<Record<string, SecurityScheme>>;
  /** Schema of the settings: a strict object whose fields all have defaults. */
  readonly settings: z.ZodType;
  readonly collections: Readonly<Record<string, CollectionDefinition>>;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Parameters of every operation, in OpenAPI form. */
  readonly parameters?: readonly JsonSchema[];
  /** Returns a shell command that sends an example request, for the OpenAPI document. */
  samples?(server: string, operation: AnyOperation, example: Example): string;
  /** Documents by path, which respond to GET. A path can have parameters in braces. */
  readonly documents?: Readonly<Record<string, ServiceDocument>>;
  /** Responds to GET and HEAD for a known path with extra slashes at its end. Default: the path is unknown. */
  readonly slashed?: ServiceDocument;
  /** Whether a path may end in a format, such as `.json` in `/consumptions.json`. The router removes this ending. */
  readonly suffixes?: true;
  /** Whether `Allow` lists only declared methods, and OPTIONS requires `Origin`. By default, it also lists HEAD and OPTIONS. */
  readonly allowsDeclared?: true;
  readonly codec: Codec;
  readonly assumptions?: Assumptions;
  /** Requests that show how a real server behaves in the points of `assumptions`. */
  readonly probes?: ServiceProbes;
  /** Specifies how to read request bodies. Default: the codec parses up to 1 MiB. */
  readonly bodies?: BodyReader;
  /** Returns the users that may call an environment, or undefined if all users may. */
  callers?(world: World, environment: Environment, settings: unknown): readonly string[] | undefined;
  /** Operations that a setting turns on or off. If they are off, requests to them match no operation. */
  readonly switched?: {
    readonly operations: ReadonlySet<AnyOperation>;
    isOn(settings: unknown): boolean;
  };
  /** Returns the problems or the codec for these settings, if the settings change them. */
  answersUnder?(settings: unknown): Partial<Pick<Service, "problems" | "codec">>;
  /** Creates the object through which handlers access data. The sandbox caches it until settings or data are replaced. */
  state(world: World, environment: Environment, settings: unknown): unknown;
  /** Returns the base data with its dates moved, so that they are relative to `today` instead of the anchor day. */
  rebase(fixture: Fixture, today: CalendarDate): Fixture;
  /** Generates random base data with faker, from a seed. */
  generate(options: GenerateOptions): Promise<Fixture>;
};

/** Returns the complete, valid settings of a service. */
export type GetSettings = (service: Service) => unknown;

/** Returns the service with the problems and codec for these settings, and with all operations. */
export function applySettings(service: Service, settings: unknown): Service {
  return { ...service, ...service.answersUnder?.(settings) };
}

/** Like `applySettings`, but without the operations that the settings turn off. For OpenAPI documents and coverage. */
export function withOfferedOperations(service: Service, settings: unknown): Service {
  const { operations, switched } = service;
  const off = switched?.isOn(settings) === false ? switched.operations : NO_OPERATIONS;
  const offered = Object.entries(operations).filter(([, operation]) => !off.has(operation));
  return { ...applySettings(service, settings), operations: Object.fromEntries(offered) };
}

const NO_OPERATIONS: ReadonlySet<AnyOperation> = new Set();

/** Full name of an operation: `account.createPreSaleAction`. */
export function formatOperationName(service: Service, key: string): string {
  return `${service.name}.${key}`;
}

export type NamedOperation = {
  readonly service: Service;
  readonly name: string;
  readonly operation: AnyOperation;
};

export function listOperations(services: readonly Service[]): NamedOperation[] {
  return services.flatMap((service) =>
    Object.entries(service.operations).map(([key, operation]) => ({
      service,
      name: formatOperationName(service, key),
      operation,
    })),
  );
}

/** Lists the full names of all operations, except the operations of the control API. */
export function listOperationNames(services: readonly Service[]): string[] {
  return listOperations(services.filter((service) => service.observed)).map(({ name }) => name);
}

/** Lists the problem keys of an operation and of its security scheme. */
export function listProblems(service: Service, operation: AnyOperation): readonly string[] {
  const scheme = service.security[operation.security];
  if (scheme === undefined) return operation.problems;
  return [...new Set([...scheme.problems, ...operation.problems])];
}

/** Lists the documented statuses of an operation in ascending order. */
export function listStatuses(service: Service, operation: AnyOperation): readonly number[] {
  const problems = listProblems(service, operation).map((key) => service.problems[key]?.status ?? 0);
  const statuses = new Set([...Object.keys(operation.responses).map(Number), ...problems]);
  return [...statuses].sort((left, right) => left - right);
}

/** Finds an environment by key (`accountSandbox`), or by a name that only one environment has (`sandbox`). */
export function findEnvironment(environments: readonly Environment[], name: string): Environment | undefined {
  const [match, ...others] = environments.filter((environment) => environment.name === name);
  return environments.find(({ key }) => key === name) ?? (others.length === 0 ? match : undefined);
}

/** Like `findEnvironment`, but throws a UsageError for an unknown name. Default: the first environment. */
export function readEnvironment(environments: readonly Environment[], name: string | undefined): Environment {
  const environment = name === undefined ? environments[0] : findEnvironment(environments, name);
  if (environment !== undefined) return environment;
  const known = environments.flatMap(({ key, name: plain }) => [key, plain]);
  throw createUnknownError("environment", String(name), known, { pointer: "/environment" });
}
