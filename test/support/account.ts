// One request to the account service as a client writes it, and what came back, read.

import type { TestSandbox } from "./test.ts";

/** Who is seeded. Ada is the login that the README shows. */
export const ADA = { email: "ada@example.test", password: "Vitrine!2026" };
export const COMPANY = { email: "contabilita@example.test", password: "Fattura#2026" };
export const DISABLED = { email: "ex-collega@example.test", password: "Passato$2025" };
export const SANDBOX_ADA = { email: "ada@sandbox.example.test", password: "Vitrine!2026" };

export const NO_SUCH_UUID = "00000000-0000-4000-8000-000000000000";

/** A reply's body: tests look into it and fail where it is not what they say. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
type Json = any;

type Question = {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string;
  /** Whose token is sent; default: Ada's. `null`: none at all. */
  readonly user?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly environment?: "account" | "accountSandbox";
};

/** `GET /consumptions?page=2`, in plain JSON, with a good token. */
export async function ask(sandbox: TestSandbox, line: string, question: Question = {}) {
  const [method = "GET", path = ""] = line.split(" ");
  const { user = undefined, environment = "account" } = question;
  const body = question.raw ?? (question.body === undefined ? null : JSON.stringify(question.body));
  const base = environment === "account" ? "/account" : "/account-sandbox";
  const token =
    question.user === null
      ? {}
      : { authorization: `Bearer ${sandbox.auth.token({ user: user ?? undefined, environment })}` };
  const response = await sandbox.fetch(base + path, {
    method,
    body,
    headers: {
      accept: "application/json",
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...token,
      ...question.headers,
    },
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const read: Json = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body: read };
}
