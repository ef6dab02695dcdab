// One request to the museum as a client writes it, and what came back, read.

import { museum } from "../../src/services/museum/index.ts";
import type { TestSandbox } from "./test.ts";

export const MUSEUM = "/museum/v1.1";

/** A reply's body: tests look into it and fail where it is not what they expect. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
type Json = any;

export type Asked = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
};

type Question = {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
};

export async function ask(
  sandbox: Pick<TestSandbox, "fetch" | "auth">,
  line: string,
  question: Question = {},
): Promise<Asked> {
  const [method = "GET", path = ""] = line.split(" ");
  const body = question.raw ?? (question.body === undefined ? undefined : JSON.stringify(question.body));
  const response = await sandbox.fetch(MUSEUM + path, {
    method,
    headers: {
      ...sandbox.auth.basic("ada", "secret"),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...question.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** What the museum keeps, to look at and to set. */
export function museumData(sandbox: TestSandbox) {
  const [environment] = museum.environments;
  if (environment === undefined) throw new Error("The museum has no environment.");
  return {
    specialEvents: sandbox.core.collection(museum, environment, "specialEvents"),
    tickets: sandbox.core.collection(museum, environment, "tickets"),
  };
}
