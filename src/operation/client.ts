/** The typed client: one function per operation, typed by its declaration. `status` determines the type of a response. */

import type { z } from "zod";
import { readFields, readText } from "../errors/arguments.ts";
import { encodePercent } from "../http/percent.ts";
import type { AnyOperation, Operation, OperationTypes } from "./operation.ts";

/** Value of a query parameter. A list becomes several parameters with the same name. */
export type QueryValue = string | number | boolean | readonly (string | number)[];
export type HeaderInput = Readonly<Record<string, string>>;
type EmptyRequest = Record<never, never>;

/** A success response. Its status determines the type of its body. */
export type Success<Status extends number, Body> = {
  readonly ok: true;
  readonly status: Status;
  readonly body: Body;
  readonly headers: Headers;
};

/** An error response with one of the documented statuses. */
export type ErrorResponse<Status extends number, Problem> = {
  readonly ok: false;
  readonly status: Status;
  readonly body: Problem;
  readonly headers: Headers;
};

type ClientRequest<A extends OperationTypes> = (keyof A["params"] extends never
  ? EmptyRequest
  : { readonly params: { readonly [K in keyof A["params"]]: string } }) &
  (A["body"] extends z.ZodUndefined ? EmptyRequest : { readonly body: z.input<A["body"]> }) & {
    readonly query?: { readonly [K in keyof A["query"]]?: QueryValue };
    readonly headers?: HeaderInput;
  };

/** Type of a response body in `application/json`. There, a page (`items` and `totalItems`) is the array of its items. */
type WireValue<T> = T extends { readonly items: readonly (infer I)[]; readonly totalItems: number }
  ? readonly I[]
  : T;

type ClientResponse<A extends OperationTypes> =
  | {
      [S in keyof A["responses"] & number]: Success<S, WireValue<z.output<A["responses"][S]>>>;
    }[keyof A["responses"] & number]
  | ErrorResponse<A["refusals"], A["refusal"]>;

type ClientMethod<O> =
  O extends Operation<infer A>
    ? Partial<ClientRequest<A>> extends ClientRequest<A>
      ? (request?: ClientRequest<A>) => Promise<ClientResponse<A>>
      : (request: ClientRequest<A>) => Promise<ClientResponse<A>>
    : never;

export type OperationClient<Operations> = { readonly [K in keyof Operations]: ClientMethod<Operations[K]> };

/** Sends one request. `path` is relative to the base URL. */
export type SendRequest = (path: string, init: RequestInit, operation: AnyOperation) => Promise<Response>;

type AnyRequest = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export function createClient<const Operations extends Readonly<Record<string, AnyOperation>>>(
  operations: Operations,
  send: SendRequest,
): OperationClient<Operations> {
  const calls = Object.entries(operations).map(([key, operation]) => [
    key,
    async (given?: AnyRequest) => {
      const request = readFields(given, ["params", "query", "body", "headers"], "request");
      const response = await send(toPath(operation, request), toInit(operation, request), operation);
      const { ok, status, headers } = response;
      return { ok, status, body: await readBody(response), headers };
    },
  ]);
  return Object.fromEntries(calls) as OperationClient<Operations>; // Safe cast: `operations` has the same keys.
}

/** Builds the path of a request, with percent-encoded parameters and the query. */
export function toPath(operation: AnyOperation, { params = {}, query = {} }: AnyRequest): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodePercent(readText(params[name], `params.${name}`)),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, String(item)]),
  );
  const search = new URLSearchParams(pairs).toString();
  return search === "" ? path : `${path}?${search}`;
}

export function toInit(operation: AnyOperation, { body, headers = {} }: AnyRequest): RequestInit {
  const method = operation.method.toUpperCase();
  const accept = "application/json";
  if (body === undefined) return { method, headers: { accept, ...headers } };
  const sent = { accept, "content-type": "application/json", ...headers };
  return { method, headers: sent, body: JSON.stringify(body) };
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (/json/.test(type)) return response.json();
  if (/^text\//.test(type)) return response.text();
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length === 0 ? undefined : bytes;
}
