/** A service is a named set of operations with one codec. The sandbox knows none of them in particular. */

import type { z } from "zod";
import { createUnknownError } from "../errors/nearest.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestHeaders } from "../http/incoming-request.ts";
import { type NumberMode, type ParsedJson, parseJson } from "../http/json.ts";
import type { Entity } from "../world/store.ts";
import type { CalendarDate } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { AnyOperation, Example } from "./operation.ts";
import type { AnyReply, Catalogue, Problem, StandardProblem } from "./problem.ts";

/** A base address of a service with its own data, identities and keys. */
export type Environment = {
  /** Unique among all environments: `museum`, `accountSandbox`. Names it in lists of URLs, data and the store. */
  readonly key: string;
  /** `production`, `sandbox` */
  readonly name: string;
  /** Its path on the shared port: `/museum/v1.1`. */
  readonly base: string;
  /** Its path on a port of its own: `/v1.1`, or empty. */
  readonly ownBase: string;
};

export type ServiceEnvironment = { readonly service: Service; readonly environment: Environment };

/** An answer in bytes. */
export type RenderedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Events go on and on; they are never stored. */
  readonly body: string | Uint8Array | EventStrings | undefined;
};

/** Texts that come one by one: the next is asked for when the last was taken, and `return` ends them. */
export type EventStrings = AsyncIterableIterator<string>;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a codec needs to know about the exchange. */
export type RenderContext = {
  readonly exchange: Exchange;
  readonly operation: AnyOperation | undefined;
  readonly settings: unknown;
};

/** How a service decodes and renders: negotiation, the shape of values and of problems. */
export type Codec = {
  /** Media types of request bodies. */
  readonly accepts: readonly string[];
  /** Whether these are compared case-sensitively; left out: no. */
  readonly exactTypes?: boolean;
  /** Media type -> schema on the wire of a value of this schema. Empty: no body. */
  forms(schema: z.ZodType): Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** Media type -> schema of an operation's problems with this status. */
  problemForms(status: number, operation: AnyOperation): Readonly<Record<string, z.ZodType | JsonSchema>>;
  /** The media type of the answer, or why there is none. */
  negotiate(context: RenderContext): string | StandardProblem;
  /** The query as fields. `unreadable` names a parameter whose escapes are broken. */
  query(search: string): { readonly values: Readonly<Record<string, unknown>>; readonly unreadable?: string };
  /** The body without what the service ignores on purpose; left out: nothing. */
  readonly body?: (value: unknown) => unknown;
  /** How the numbers of a body are parsed; see json.ts. */
  readonly numbers: NumberMode;
  /** Parses a body, byte order mark included, where the service does so in a way of its own. */
  readonly parse?: (text: string, mostMembers?: number) => ParsedJson;
  /** Whether an unknown field or query parameter is refused. */
  refusesUnknown(settings: unknown): boolean;
  /** What a request that failed before the handler fails with here, where key or text are not the standard ones. */
  ownProblem(problem: StandardProblem, context: RenderContext): Problem;
  render(reply: AnyReply, context: RenderContext): RenderedResponse | Promise<RenderedResponse>;
  renderProblem(problem: Problem, context: RenderContext): RenderedResponse;
};

/** How the bytes of a request body become a value. */
export type BodyReader = {
  readonly limitBytes: number;
  /** `mostMembers`: what the operation allows. */
  readonly parse: (text: string, mostMembers?: number) => ParsedJson;
  /** Whether the text has the byte order mark of the bytes; left out: it is dropped. */
  readonly keepsMark?: boolean;
  /** Whether media types are compared case-sensitively. */
  readonly exactTypes?: boolean;
  /** The value of a request without a body; undefined: a body is required. */
  readonly empty?: unknown;
};

export function getBodyReader({ bodies, codec }: Service): BodyReader {
  const { numbers, exactTypes = false } = codec;
  const parse: BodyReader["parse"] = (text, mostMembers) => parseJson(text, numbers, mostMembers);
  const keepsMark = codec.parse !== undefined;
  return bodies ?? { limitBytes: MAX_BODY_BYTES, parse: codec.parse ?? parse, keepsMark, exactTypes };
}

const MAX_BODY_BYTES = 1_048_576;

/** A way to identify the caller: reads the request, returns an identity or a refusal. */
export type SecurityScheme = {
  /** The problems it refuses with. */
  readonly problems: readonly string[];
  /** As OpenAPI declares it. */
  readonly openapi: JsonSchema;
  /** `name` identifies the caller in journal and rules. Left out: the guard asks for it, where the sandbox has a token. */
  authenticate?(request: {
    readonly headers: RequestHeaders;
    readonly world: World;
    readonly environment: string;
    readonly settings: unknown;
    readonly exchange: Exchange;
  }): { readonly name: string; readonly identity: unknown } | Problem;
};

/** One kind of entity that fixtures, scenarios and the control API may read and write. */
export type CollectionDefinition = {
  /** The whole entity, with fields the wire does not show. */
  readonly schema: z.ZodType;
  /** In its normal form (`toNameKey`), so that case does not matter. */
  readonly key: (entity: Entity) => string;
  /** Field -> the collection of the same environment that has an entity with that key. */
  readonly references?: Readonly<Record<string, string>>;
};

/** Base data: the day its dates are relative to, and entities by collection. */
export type Fixture = {
  readonly anchor: CalendarDate;
  readonly collections: Readonly<Record<string, readonly Entity[]>>;
};

export type GenerateOptions = {
  readonly seed: number;
  readonly environment: string;
  readonly anchor: CalendarDate;
  /** How many entities of a collection, where the default does not suit. */
  readonly counts: Readonly<Record<string, number>>;
};

/** Something to read next to the operations, without a token: an entry point, a context, the OpenAPI document. */
export type ServiceDocument = (call: {
  readonly context: RenderContext;
  readonly service: Service;
  readonly state: unknown;
  /** State of the base data, for examples: requests, logins and scenarios do not change it. */
  readonly base: () => unknown;
  readonly params: Readonly<Record<string, string>>;
}) => RenderedResponse | Problem | Promise<RenderedResponse | Problem>;

/** One point that a service's document leaves open. */
export type Assumption = {
  readonly point: string;
  /** What is served. */
  readonly served: string;
  /** The setting of the service that changes it. */
  readonly setting?: string;
};

export type Service = {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /**
   * What a reader of its OpenAPI document should know first, in Markdown; `state` has base data for a first call. Left
   * out: the description alone.
   */
  readonly introduction?: (settings: never, server: string, state: never) => string;
  /** Group of operations -> what it is for. */
  readonly tags: Readonly<Record<string, string>>;
  readonly environments: readonly Environment[];
  /** Whether its exchanges enter the journal and rules apply to them: true for all but the control API. */
  readonly observed: boolean;
  readonly problems: Catalogue;
  readonly security: Readonly<Record<string, SecurityScheme>>;
  /** Strict, every field with a default. */
  readonly settings: z.ZodType;
  readonly collections: Readonly<Record<string, CollectionDefinition>>;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /** Parameters of every operation, as OpenAPI has them. */
  readonly parameters?: readonly JsonSchema[];
  /** The command that sends an example to the service at this address; left out: its document shows none. */
  samples?(server: string, operation: AnyOperation, example: Example): string;
  /** Path, parameters in braces -> what is read there with GET. */
  readonly documents?: Readonly<Record<string, ServiceDocument>>;
  /** What is read at a path that is known but for its trailing slash; `path` is the known one. Left out: nothing. */
  readonly slashed?: ServiceDocument;
  /** Whether a path may end in a format, `/consumptions.json`: it is split off before the path is looked up. */
  readonly suffixes?: true;
  /** Whether `Allow` lists the declared methods alone; left out: HEAD and OPTIONS as well, which are answered too. */
  readonly allowsDeclared?: true;
  readonly codec: Codec;
  /** What its document leaves open and we decided; printed in the manual. */
  readonly assumptions?: readonly Assumption[];
  /** Where bodies are not read in the usual way. */
  readonly bodies?: BodyReader;
  /** The names of those who may call an environment; undefined, or left out: anybody. */
  callers?(world: World, environment: Environment, settings: unknown): readonly string[] | undefined;
  /** The operations that a setting switches on or off; while they are off their paths are unknown. */
  readonly switched?: {
    readonly operations: ReadonlySet<AnyOperation>;
    isOn(settings: unknown): boolean;
  };
  /** What its settings change of the answers it documents; left out: nothing. */
  answersUnder?(settings: unknown): Partial<Pick<Service, "problems" | "codec">>;
  /** The state of one environment as the handlers see it. Cheap; created once per world and environment. */
  state(world: World, environment: Environment, settings: unknown): unknown;
  /** Moves the dates of a fixture from its anchor day to `today`. */
  rebase(fixture: Fixture, today: CalendarDate): Fixture;
  /** New base data, generated with faker. */
  generate(options: GenerateOptions): Promise<Fixture>;
};

/** The complete and checked settings of a service. */
export type GetSettings = (service: Service) => unknown;

/** The service with the problems and forms of these settings, and all of its operations. */
export function applySettings(service: Service, settings: unknown): Service {
  return { ...service, ...service.answersUnder?.(settings) };
}

/** The service as these settings make it: what its document lists, and what coverage counts. */
export function withOfferedOperations(service: Service, settings: unknown): Service {
  const { operations, switched } = service;
  const off = switched?.isOn(settings) === false ? switched.operations : NO_OPERATIONS;
  const offered = Object.entries(operations).filter(([, operation]) => !off.has(operation));
  return { ...applySettings(service, settings), operations: Object.fromEntries(offered) };
}

const NO_OPERATIONS: ReadonlySet<AnyOperation> = new Set();

/** `account.createPreSaleAction` */
export function formatOperationName(service: Service, key: string): string {
  return `${service.name}.${key}`;
}

/** An operation with its name and its service. */
export type NamedOperation = {
  readonly service: Service;
  readonly name: string;
  readonly operation: AnyOperation;
};

/** All operations of these services, in the order in which they are declared. */
export function listOperations(services: readonly Service[]): NamedOperation[] {
  return services.flatMap((service) =>
    Object.entries(service.operations).map(([key, operation]) => ({
      service,
      name: formatOperationName(service, key),
      operation,
    })),
  );
}

/** The names of all operations whose exchanges enter the journal. */
export function listOperationNames(services: readonly Service[]): string[] {
  return listOperations(services.filter((service) => service.observed)).map(({ name }) => name);
}

/** Keys of the problems an operation documents, with those of its security scheme. */
export function listProblems(service: Service, operation: AnyOperation): readonly string[] {
  const scheme = service.security[operation.security];
  if (scheme === undefined) return operation.problems;
  return [...new Set([...scheme.problems, ...operation.problems])];
}

/** The statuses an operation documents, in ascending order. */
export function listStatuses(service: Service, operation: AnyOperation): readonly number[] {
  const problems = listProblems(service, operation).map((key) => service.problems[key]?.status ?? 0);
  const statuses = new Set([...Object.keys(operation.responses).map(Number), ...problems]);
  return [...statuses].sort((one, other) => one - other);
}

/** The environment that a name refers to, `accountSandbox` or `sandbox`; undefined: none, or more than one. */
export function findEnvironment(environments: readonly Environment[], name: string): Environment | undefined {
  const [called, ...others] = environments.filter((one) => one.name === name);
  return environments.find(({ key }) => key === name) ?? (others.length === 0 ? called : undefined);
}

/** The same; the first when no name is given. Throws a UsageError that lists the names. */
export function readEnvironment(environments: readonly Environment[], name: string | undefined): Environment {
  const environment = name === undefined ? environments[0] : findEnvironment(environments, name);
  if (environment !== undefined) return environment;
  const known = environments.flatMap(({ key, name: plain }) => [key, plain]);
  throw createUnknownError("environment", String(name), known, { pointer: "/environment" });
}
