// One request to the account service as a client writes it, and what came back, read.

import { expect } from "vitest";
import { toPath } from "../../src/operation/client.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { account } from "../../src/services/account/index.ts";
import type { TestSandbox } from "./test.ts";

/** Who is seeded. Ada is the login that the README shows. */
export const ADA = { email: "ada@example.test", password: "Vitrine!2026" };
export const COMPANY = { email: "contabilita@example.test", password: "Fattura#2026" };
export const DISABLED = { email: "ex-collega@example.test", password: "Passato$2025" };
export const SANDBOX_ADA = { email: "ada@sandbox.example.test", password: "Vitrine!2026" };

export const NO_SUCH_UUID = "00000000-0000-4000-8000-000000000000";

/** A reply's body: tests look into it and fail where it is not what they expect. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
export type Json = any;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The Content-Type, or undefined. */
  readonly type: string | undefined;
  readonly text: string;
  readonly body: Json;
};

export type Question = {
  readonly accept?: string | undefined;
  /** Sent as JSON, or as it is when it is a text. */
  readonly body?: unknown;
  /** Of the body; `none`: it is sent without. */
  readonly contentType?: string;
  /** False: without a token. */
  readonly token?: string | false;
  /** Win over those that follow from the rest. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly environment?: "account" | "accountSandbox";
};

/** `line` is a method and a path under the base address; without `accept` no Accept header is sent. */
export async function call(
  sandbox: Pick<TestSandbox, "fetch" | "auth">,
  line: string,
  question: Question = {},
): Promise<Answer> {
  const [method = "GET", path = ""] = line.split(" ");
  const { accept, body: given, contentType = "application/json", environment = "account" } = question;
  const token = question.token ?? sandbox.auth.token({ environment });
  const text = given === undefined || typeof given === "string" ? given : JSON.stringify(given);
  const body = text === undefined ? undefined : new TextEncoder().encode(text);
  const headers = {
    ...(accept === undefined ? {} : { accept }),
    ...(token === false ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined || contentType === "none" ? {} : { "content-type": contentType }),
    ...question.headers,
  };
  const base = environment === "account" ? "/account" : "/account-sandbox";
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  return read(await sandbox.fetch(base + path, init));
}

type Asking = Pick<Question, "body" | "headers" | "environment"> & {
  /** Whose token is sent; default: Ada's. `null`: none at all. */
  readonly user?: string | null;
};

/** The same in plain JSON: `GET /consumptions?page=2`. */
export async function ask(
  sandbox: TestSandbox,
  line: string,
  { user, ...rest }: Asking = {},
): Promise<Answer> {
  const { environment } = rest;
  const token = user === null ? false : sandbox.auth.token({ user, environment });
  return call(sandbox, line, { accept: "application/json", token, ...rest });
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? undefined;
  const body = text !== "" && type !== undefined && /json/.test(type) ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, type, text, body };
}

/** The operation's own example as a request: a line and a body. */
export function exampleOf(
  sandbox: TestSandbox,
  operation: AnyOperation,
): { readonly line: string; readonly body: unknown } {
  const [environment] = account.environments;
  if (environment === undefined) throw new Error("The account has no environment.");
  const example = operation.example(sandbox.core.stateOf(account, environment));
  return {
    line: `${operation.method.toUpperCase()} ${toPath(operation, { params: example.params ?? {} })}`,
    body: example.body,
  };
}

/** A presale action that breaks no rule. */
export function goodAction(sandbox: TestSandbox): Record<string, unknown> {
  const mine = sandbox.data.account.preSales.all().find(({ owner }) => owner === 101);
  expect(mine, "ada has a presale").toBeDefined();
  return {
    threshold: 100,
    action_type: "alert_mail",
    target: "ops@example.test",
    enabled: true,
    pre_sale_uuid: mine?.uuid,
  };
}
