/** Controls a sandbox in another process. Each method sends one request to the control API. */

import { z } from "zod";
import { createUnknownError } from "../errors/nearest.ts";
import { quote } from "../errors/quote.ts";
import { type UsageCode, UsageError } from "../errors/usage-error.ts";
import { toInit, toPath } from "../operation/client.ts";
import type { AnyOperation } from "../operation/operation.ts";
import type { Service } from "../operation/service.ts";
import { CONTROL, CONTROL_BASE } from "../pipeline/guard.ts";
import type { CollectionMethods, RemoteMethods, RemoteWorld } from "../sandbox/controls.ts";
import type { WallClock } from "../world/clock.ts";
import type { MethodRequest } from "./endpoint.ts";

export type RemoteOptions = {
  /** Base URL of the sandbox, such as `http://localhost:4010` or `http://localhost:3000/mock`. */
  readonly origin: string;
  /** Name of the world. The main world is named `main`. */
  readonly world: string;
  /** The control token, if the sandbox requires one. */
  readonly token: string | undefined;
  readonly services: readonly Service[];
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly wall: WallClock;
  /** Returns the controls of another world in the same sandbox. */
  readonly at: (world: string) => RemoteWorld;
};

type CallMethod = (name: string, args: readonly unknown[]) => Promise<unknown>;

export function createRemoteControls(options: RemoteOptions): RemoteWorld {
  const { origin, world, token, services, fetch, at, wall } = options;
  const prefix = origin + (world === "main" ? "" : `/~${world}`);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call: CallMethod = async (name, args) => {
    const { remoteCalls } = await import("./table.ts"); // Loads this large module on first use.
    const method = remoteCalls.get(name);
    if (method === undefined) throw createUnknownError("method", name, [...remoteCalls.keys()]);
    const { operation } = method;
    const body = operation.request.body === undefined ? undefined : {};
    const request = omitUndefined({ body, ...method.request?.(...args), headers: authorization });
    const url = prefix + CONTROL_BASE + toPath(operation, request);
    const response = await fetch(url, toInit(operation, request)).catch((cause: unknown) => {
      const message = `No response from ${quote(origin)}. Start the sandbox, or check the URL.`;
      throw new UsageError("badOption", message, {}, { cause });
    });
    const answer = await readControlResponse(response, url, operation, wall);
    return method.result === undefined ? answer : method.result(answer, { at });
  };
  const environments = [...services.flatMap((service) => service.environments), CONTROL];
  const own: Pick<RemoteWorld, "id" | "urls" | "data" | "close"> = {
    id: world,
    urls: Object.fromEntries(environments.map(({ key, base }) => [key, prefix + base])),
    data: createDataMethods(services, call),
    async close() {
      // The main world cannot be removed.
      if (world !== "main") await call("worlds.remove", [world]);
    },
  };
  return withMethods(own, call) as RemoteWorld; // Safe cast: table.ts has an endpoint for every other method.
}

/** Returns a proxy. Each name that `own` lacks is a method, or a group of methods. */
function withMethods(own: object, call: CallMethod): object {
  return new Proxy(own, {
    get: (_own, name) =>
      Reflect.get(own, name) ?? (isMethodName(name) ? createMethod(name, call) : undefined),
    has: (_own, name) => Reflect.has(own, name) || isMethodName(name),
  });
}

/** Creates a method that can also be a group: the property `advance` of `clock` calls `clock.advance`. */
function createMethod(name: string, call: CallMethod): unknown {
  return new Proxy((...args: readonly unknown[]) => call(name, args), {
    get: (method, inner) =>
      Reflect.get(method, inner) ??
      (isMethodName(inner) ? createMethod(`${name}.${inner}`, call) : undefined),
  });
}

/** Excludes `then` and `toJSON`, because `await` and `JSON.stringify` would call them. */
function isMethodName(name: string | symbol): name is string {
  return typeof name === "string" && name !== "then" && name !== "toJSON";
}

/** Returns the methods of each collection, by environment and collection name. */
function createDataMethods(services: readonly Service[], call: CallMethod): RemoteWorld["data"] {
  const environments = services.flatMap(({ environments, collections }) =>
    environments.map(({ key: service }) => {
      const entries = Object.entries(collections).map(([collection, { key }]) => {
        const create = (name: string) => (entities: unknown) =>
          call(`data.${name}`, [{ service, collection }, entities]) as Promise<never>; // Safe: the endpoint validates its result.
        const all: RemoteMethods<CollectionMethods>["all"] = () => create("all")(undefined);
        const methods: RemoteMethods<CollectionMethods> = {
          all,
          get: async (wanted) => (await all()).find((entity) => key(entity) === wanted),
          upsert: create("upsert"),
          replace: create("replace"),
          remove: create("remove"),
        };
        return [collection, methods] as const;
      });
      return [service, Object.fromEntries(entries)] as const;
    }),
  );
  return Object.fromEntries(environments);
}

/** Maximum time from the response headers to the end of the body. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Returns the body. Throws a UsageError for a problem. The error names `url` if the server is not a sandbox. */
async function readControlResponse(
  response: Response,
  url: string,
  { responses }: AnyOperation,
  wall: WallClock,
): Promise<unknown> {
  const { ok, status, headers } = response;
  const end = new AbortController();
  const read = response.json().catch(() => undefined); // Ignored: the type check below reports invalid JSON.
  const body: unknown = await Promise.race([read, wall.pause(RESPONSE_TIMEOUT_MS, end.signal)]);
  end.abort();
  const [schema] = Object.values(responses);
  if (ok && getBodyType(status, body) === schema?.type) return body;
  const expected = schema?.type === "undefined" ? "no body" : `a JSON ${schema?.type}`;
  const type = headers.get("content-type") ?? "no type";
  const foreign = `${url} answered ${status} ${type}. Expected ${expected} from the control API of a sandbox, within ${RESPONSE_TIMEOUT_MS / 1000} s. Check the URL.`;
  const problem = ProblemSchema.catch({}).parse(ok ? undefined : body);
  const { code = "badOption", detail = foreign, pointer } = problem;
  // Unchecked cast: a sandbox of another version may send a code that `UsageCode` does not contain.
  throw new UsageError(code as UsageCode, detail, detail.includes(pointer ?? "") ? {} : { pointer });
}

/** Returns zod's name for the type of the body: `undefined`, `array` or `object`. All other types: `other`. */
function getBodyType(status: number, body: unknown): string {
  if (status === 204) return "undefined";
  if (Array.isArray(body)) return "array";
  return typeof body === "object" && body !== null ? "object" : "other";
}

const ProblemSchema = z.object({ code: z.string(), detail: z.string(), pointer: z.string() }).partial();

/** Omits undefined query parameters. `JSON.stringify` omits undefined members of the body. */
function omitUndefined(request: MethodRequest & { readonly headers: object }): never {
  const query = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined);
  return { ...request, query: Object.fromEntries(query) } as never; // Safe cast: the endpoint's `request` built it.
}
