// One request to the account service as a client writes it; who is seeded, and what may be sent.

import { expect } from "vitest";
import { toPath } from "../../src/operation/client.ts";
import type { AnyOperation } from "../../src/operation/operation.ts";
import { account } from "../../src/services/account/index.ts";
import { type Answer, type Question, request } from "./request.ts";
import type { TestSandbox } from "./test.ts";

/** Who is seeded. Ada is the login that the README shows. */
export const ADA = { email: "ada@example.test", password: "Vitrine!2026" };
export const COMPANY = { email: "contabilita@example.test", password: "Fattura#2026" };
export const DISABLED = { email: "ex-collega@example.test", password: "Passato$2025" };
export const SANDBOX_ADA = { email: "ada@sandbox.example.test", password: "Vitrine!2026" };

export const NO_SUCH_UUID = "00000000-0000-4000-8000-000000000000";

export type AccountQuestion = Question & {
  /** Without it no Accept header is sent. */
  readonly accept?: string | undefined;
  /** Default: a new one of Ada's. False: without. */
  readonly token?: string | false;
  readonly environment?: "account" | "accountSandbox";
};

/** `line` is a method and a path under the base address. */
export function call(
  sandbox: Pick<TestSandbox, "fetch" | "auth">,
  line: string,
  { accept, token, environment = "account", ...question }: AccountQuestion = {},
): Promise<Answer> {
  const shown = token ?? sandbox.auth.token({ environment });
  const headers = {
    ...(accept === undefined ? {} : { accept }),
    ...(shown === false ? {} : { authorization: `Bearer ${shown}` }),
  };
  const base = environment === "account" ? "/account" : "/account-sandbox";
  return request(sandbox, base, line, headers, question);
}

type PlainQuestion = Question & {
  readonly environment?: "account" | "accountSandbox";
  /** Whose token is sent; default: Ada's. `null`: none at all. */
  readonly user?: string | null;
};

/** The same in plain JSON: `GET /consumptions?page=2`. */
export function ask(
  sandbox: TestSandbox,
  line: string,
  { user, ...rest }: PlainQuestion = {},
): Promise<Answer> {
  const token = user === null ? false : sandbox.auth.token({ user, environment: rest.environment });
  return call(sandbox, line, { accept: "application/json", token, ...rest });
}

/** The operation's own example as a request: a line and a body. */
export function exampleOf(
  sandbox: TestSandbox,
  operation: AnyOperation,
): { readonly line: string; readonly body: unknown } {
  const [environment] = account.environments;
  if (environment === undefined) throw new Error("The account has no environment.");
  const example = operation.example(sandbox.core.getServiceState(account, environment));
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
