// One request as a client writes it, and what came back, read.

import type { TestSandbox } from "./test.ts";

/** A reply's body: tests look into it and fail where it is not what they expect. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
export type Json = any;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The Content-Type, or undefined. */
  readonly type: string | undefined;
  readonly text: string;
  /** What the text says where it is JSON. */
  readonly body: Json;
};

export type Question = {
  /** Sent as JSON, or as it is when it is a text or bytes. */
  readonly body?: unknown;
  /** Of the body; default: JSON. `none`: it is sent without. */
  readonly contentType?: string;
  /** Win over those that follow from the rest. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** `line` is a method and a path under the base address; `credentials` are headers. */
export async function request(
  sandbox: Pick<TestSandbox, "fetch">,
  base: string,
  line: string,
  credentials: Readonly<Record<string, string>>,
  { body: given, contentType = "application/json", headers }: Question,
): Promise<Answer> {
  const [method = "GET", path = ""] = line.split(" ");
  const sent = bytesOf(given);
  const response = await sandbox.fetch(base + path, {
    method,
    headers: {
      ...credentials,
      ...(sent === undefined || contentType === "none" ? {} : { "content-type": contentType }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? undefined;
  const body = text !== "" && type !== undefined && /json/.test(type) ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, type, text, body };
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer> | undefined;
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}
