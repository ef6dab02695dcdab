/** The tools of `vitrine mcp`: selected endpoints of the control API, and `request`, which calls a service. */

import { z } from "zod";
import { getMember } from "../errors/nearest.ts";
import { shorten } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import { type HeaderInput, toInit, toPath } from "../operation/client.ts";
import { Components } from "../operation/json-schema.ts";
import type { AnyOperation } from "../operation/operation.ts";
import { CONTROL_BASE } from "../pipeline/guard.ts";
import { writeMatcherQuery } from "./matcher-query.ts";
import { controlOperations } from "./table.ts";

const KEYS = (
  "createWorld deleteWorld reset getState listOperations listPresets listCredentials createToken putScenario addRule " +
  "clearRules setClock advanceClock listExchanges getExchange verifyExpectation getReport explain"
).split(" ");
const MAX_ANSWER_CHARS = 20_000;

const request = {
  summary: "Send a request to a service, as a client does",
  description: "Returns the status, headers and body of the response.",
  request: {
    body: z.object({
      path: z.string(),
      method: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.string().optional(),
    }),
  },
  example: () => ({ body: { path: "/museum/v1.1/museum-hours", headers: { authorization: "Basic YTpi" } } }),
} as unknown as AnyOperation; // Safe cast: `listTools` and `callTool` read only these fields.
const tools: Readonly<Record<string, AnyOperation>> = {
  ...Object.fromEntries(Object.entries(controlOperations).filter(([key]) => KEYS.includes(key))),
  request,
};

type Input = { readonly world?: string } & Readonly<Record<string, unknown>>;
/** Sends a request to a path of the sandbox, in the given world. */
export type Send = (world: string | undefined, path: string, init: RequestInit) => Promise<Response>;

export function listTools(): readonly object[] {
  return Object.entries(tools).map(([name, { method, summary, description, request, example }]) => {
    const { params, body } = example(undefined);
    const sent = JSON.stringify({ ...params, ...(body as object) });
    const fields = [request.params, request.query, request.body].flatMap((part) =>
      part instanceof z.ZodObject ? new Components().fields(z.object(part.shape), "input") : [],
    );
    // Omit the schemas of nested values: descriptions explain them in fewer characters.
    const properties = fields
      .filter((field) => field.name !== "view")
      .map(({ name, schema: { type, enum: choices, description } }) => [
        name,
        { type, enum: choices, description },
      ]);
    const required = fields.filter((field) => field.required).map((field) => field.name);
    const world = { type: "string", description: "The name of a world. Default: main." };
    return {
      name,
      description: `${summary}. ${description}${sent === "{}" ? "" : ` Example: ${sent}`}`,
      annotations: { readOnlyHint: method === "get" },
      inputSchema: { type: "object", properties: { ...Object.fromEntries(properties), world }, required },
    };
  });
}

/** Returns the response as text, brief if possible. Only calls of the control API send `headers` and throw for a problem. */
export async function callTool(name: string, input: Input, send: Send, headers: HeaderInput) {
  const { world, ...rest } = input;
  const operation = getMember(tools, "tool", name);
  if (operation === request) return formatResponse(await send(world, String(rest["path"]), rest));
  const { params, query, body } = operation.request;
  const texts = writeMatcherQuery(rest);
  const inQuery = Object.entries(texts).filter(([key]) => !(key in params.shape));
  const brief = "view" in query.shape ? { view: "brief" } : {};
  const sent = body === undefined ? { query: { ...Object.fromEntries(inQuery), ...brief } } : { body: rest };
  const call = { params: texts, ...sent, headers };
  return readAnswer(await send(world, CONTROL_BASE + toPath(operation, call), toInit(operation, call)));
}

export async function readAnswer(response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return shorten(text, MAX_ANSWER_CHARS) || "Nothing.";
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  throw new UsageError("badOption", isJson ? JSON.parse(text).detail : `${response.status}: ${text}`);
}

async function formatResponse(response: Response): Promise<string> {
  const fields = [...response.headers].map((field) => field.join(": "));
  return [response.status, ...fields, "", shorten(await response.text(), MAX_ANSWER_CHARS)].join("\n");
}
