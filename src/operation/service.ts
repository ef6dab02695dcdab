/** Declares services: a named set of operations with one codec. The core depends on no specific service. */

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
  /** Path on the shared port: `/museum/v1.1`. */
  readonly base: string;
  /** Path on a separate port: `/v1.1`, or empty. */
  readonly ownBase: string;
};

export type ServiceEnvironment = { readonly service: Service; readonly environment: Environment };

/** A response that is ready to send. */
export type RenderedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Event streams have no end and are never stored. */
  readonly body: string | Uint8Array | EventStrings | undefined;
};

/** Async iterator of strings with backpressure. `return()` cancels it. */
export type EventStrings = AsyncIterableIterator<string>;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The parts of an exchange that a codec needs. */
export type RenderContext = {
  readonly exchange: Exchange;
  readonly operation: AnyOperation | undefined;
  readonly settings: unknown;
};

/** Decodes requests and renders responses of a service, and negotiates the media type. */
export type Codec = {
  /** Media types of request bodies. */
  readonly accepts: readonly string[];
  /** Whether media types are case-sensitive. Default: false. */
  readonly exactTypes?: boolean;
  /** Schemas of a value in messages, by media type. Empty: no body. */
  forms(schema: z.ZodType): Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Schemas of an operation's problems with this status, by media type. */
  problemForms(status: number, operation: AnyOperation): Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Returns the media type of the response, or a problem. */
  negotiate(context: RenderContext): string | StandardProblem;
  /** Parses the query. `unreadable` names a parameter with invalid escapes. */
  query(search: string): { readonly values: Readonly<Record<string, unknown>>; readonly unreadable?: string };
  /** Removes parts of the body that the service ignores. Default: none. */
  readonly body?: (value: unknown) => unknown;
  /** Treatment of numbers in bodies; see json.ts. */
  readonly numbers: NumberMode;
  /** Parses a body, including a byte order mark. Default: `parseJson`, which receives no mark. */
  readonly parse?: (text: string, mostMembers?: number) => ParsedJson;
  /** Whether the service rejects unknown fields and query parameters. */
  refusesUnknown(settings: unknown): boolean;
  /** Converts a problem that occurs before the handler runs to the service's own key and message. */
  ownProblem(problem: StandardProblem, context: RenderContext): Problem;
  render(reply: AnyReply, context: RenderContext): RenderedResponse | Promise<RenderedResponse>;
  renderProblem(problem: Problem, context: RenderContext): RenderedResponse;
};

/** Converts the bytes of a request body to a value. */
export type BodyReader = {
  readonly limitBytes: number;
  /** `mostMembers` is the limit of the operation. */
  readonly parse: (text: string, mostMembers?: number) => ParsedJson;
  /** Whether `parse` receives the byte order mark. Default: false. */
  readonly keepsMark?: boolean;
  readonly exactTypes?: boolean;
  /** Value of a request without a body. Undefined: a body is required. */
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
  /** Keys of the problems that reject a client. */
  readonly problems: readonly string[];
  readonly openapi: JsonSchema;
  /** `name` identifies the user in journal and rules. Without this method, the guard checks the control token. */
  authenticate?(request: {
    readonly headers: RequestHeaders;
    readonly world: World;
    readonly environment: string;
    readonly settings: unknown;
    readonly exchange: Exchange;
  }): { readonly name: string; readonly identity: unknown } | Problem;
};

/** A collection that fixtures, scenarios and the control API can read and write. */
export type CollectionDefinition = {
  /** Schema of the whole entity, including fields that responses omit. */
  readonly schema: z.ZodType;
  /** Returns the key, normalized by `toNameKey`, so that case does not matter. */
  readonly key: (entity: Entity) => string;
  /** Referenced collection of the same environment, by field. */
  readonly references?: Readonly<Record<string, string>>;
};

/** Base data: entities by collection, with the reference day of their dates. */
export type Fixture = {
  readonly anchor: CalendarDate;
  readonly collections: Readonly<Record<string, readonly Entity[]>>;
};

export type GenerateOptions = {
  readonly seed: number;
  readonly environment: string;
  readonly anchor: CalendarDate;
  /** Number of entities by collection, if it differs from the default. */
  readonly counts: Readonly<Record<string, number>>;
};

/** A document that needs no authentication: the entry point, a JSON-LD context, or the OpenAPI document. */
export type ServiceDocument = (call: {
  readonly context: RenderContext;
  readonly service: Service;
  readonly state: unknown;
  /** State of the base data, for examples. Requests and scenarios do not change it. */
  readonly base: () => unknown;
  readonly params: Readonly<Record<string, string>>;
}) => RenderedResponse | Problem | Promise<RenderedResponse | Problem>;

/** Points that the document of a service leaves open, by id; the setting changes the behavior. */
export type Assumptions = Readonly<
  Record<string, readonly [point: string, served: string, setting?: string]>
>;

export type Service = {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Introduction of the OpenAPI document (Markdown). `state`: base data for an example call. Default: `description`. */
  readonly introduction?: (settings: never, server: string, state: never) => string;
  /** Descriptions of the groups of operations. */
  readonly tags: Readonly<Record<string, string>>;
  readonly environments: readonly Environment[];
  /** Whether journal and rules observe the service: false only for the control API. */
  readonly observed: boolean;
  readonly problems: Catalogue;
  readonly security: Readonly<Record<string, SecurityScheme>>;
  /** Schema of the settings: a strict object whose fields all have defaults. */
  readonly settings: z.ZodType;
  readonly collections: Readonly<Record<string, CollectionDefinition>>;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Parameters of every operation, in OpenAPI form. */
  readonly parameters?: readonly JsonSchema[];
  /** Returns a command that sends an example request. Default: none. */
  samples?(server: string, operation: AnyOperation, example: Example): string;
  /** Documents for GET by path, with parameters in braces. */
  readonly documents?: Readonly<Record<string, ServiceDocument>>;
  /** Responds to a known path with a trailing slash. Default: none. */
  readonly slashed?: ServiceDocument;
  /** Whether a path may end in a format, such as `/consumptions.json`. The router removes it. */
  readonly suffixes?: true;
  /** Whether `Allow` lists only declared methods. Default: also HEAD and OPTIONS. */
  readonly allowsDeclared?: true;
  readonly codec: Codec;
  readonly assumptions?: Assumptions;
  /** Show on a real server how it decides these points. */
  readonly probes?: ServiceProbes;
  /** Reads bodies. Default: JSON up to 1 MiB. */
  readonly bodies?: BodyReader;
  /** Returns the users that may call an environment, or undefined if all users may. */
  callers?(world: World, environment: Environment, settings: unknown): readonly string[] | undefined;
  /** Operations that a setting turns on or off. If they are off, their paths are unknown. */
  readonly switched?: {
    readonly operations: ReadonlySet<AnyOperation>;
    isOn(settings: unknown): boolean;
  };
  /** Returns the problems and the codec that the settings change. */
  answersUnder?(settings: unknown): Partial<Pick<Service, "problems" | "codec">>;
  /** Creates the state of an environment for handlers. The sandbox caches it until settings or state are replaced. */
  state(world: World, environment: Environment, settings: unknown): unknown;
  /** Moves the dates of base data from its anchor day to `today`. */
  rebase(fixture: Fixture, today: CalendarDate): Fixture;
  /** Generates base data with faker. */
  generate(options: GenerateOptions): Promise<Fixture>;
};

/** Returns the complete, valid settings of a service. */
export type GetSettings = (service: Service) => unknown;

/** Applies settings to problems and codec. Keeps all operations. */
export function applySettings(service: Service, settings: unknown): Service {
  return { ...service, ...service.answersUnder?.(settings) };
}

/** Applies settings and removes operations that they turn off. For documents and coverage. */
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

/** Lists the operations of all observed services. */
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

/** Finds an environment by key (`accountSandbox`) or unique name (`sandbox`). */
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
