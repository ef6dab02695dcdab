/** An exchange as something to paste. The journal has no secrets: credentials are those that the sandbox has now. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { CredentialView } from "../sandbox/views.ts";
import { parseBody } from "./plain.ts";

/** Who a sample calls as: the credentials of the museum, or a token of the account. */
export type SampleCaller = {
  readonly credentials: readonly CredentialView[];
  readonly token: string | undefined;
};

/** What a client sends by itself. */
const OWN =
  /^(host|connection|content-length|user-agent|accept-encoding|accept-language|sec-.*|origin|referer|authorization|cookie)$/;

/** How the journal writes a body that it has not whole. */
const PART = /… \[cut after \d+ of \d+ bytes]$|^\[binary /;

export function toCurl(exchange: RecordedExchange, caller: SampleCaller): string {
  const { method } = exchange;
  const body = bodyOf(exchange, caller);
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(urlOf(exchange))}`,
    ...Object.entries(headersOf(exchange, caller)).map((pair) => `-H ${quoted(pair.join(": "))}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

export function toFetchCode(exchange: RecordedExchange, caller: SampleCaller): string {
  const headers = headersOf(exchange, caller);
  return `const response = await fetch(${JSON.stringify(urlOf(exchange))}, ${initOf(exchange, caller, written(headers))});`;
}

/** The same for a page of the sandbox's own address. Throws where the journal does not have all of it. */
export function toFetchCall(exchange: RecordedExchange, caller: SampleCaller) {
  const { method, base, path, search } = exchange;
  const body = bodyOf(exchange, caller);
  if (body !== undefined && PART.test(body)) throw new Error("The journal does not have the whole body.");
  const init = { method, headers: headersOf(exchange, caller), ...(body === undefined ? {} : { body }) };
  return { path: base + path + search, init };
}

/** With the credentials that the sandbox under test has, whichever they are. */
export function toTestCode(exchange: RecordedExchange, caller: SampleCaller): string {
  const { method, status, fault, service, base, path, search } = exchange;
  const { operation = `${method} ${path}` } = exchange;
  const { authorization, ...others } = headersOf(exchange, caller);
  const own = authorization === undefined ? [] : [authorizationOf(exchange)];
  const rest = Object.entries(others).map((pair) => pair.map((text) => JSON.stringify(text)).join(": "));
  const call = `sandbox.fetch(${JSON.stringify(base + path + search)}, ${initOf(exchange, caller, `{ ${[...own, ...rest].join(", ")} }`)})`;
  const expected =
    status === undefined
      ? `await expect(${call}).rejects.toThrow();${fault === undefined ? "" : ` // ${fault}`}`
      : `const response = await ${call};\n  expect(response.status).toBe(${status});`;
  const matcher = { ...(service === undefined ? { path } : { operation }), ...(status && { status }) };
  return [
    `test(${JSON.stringify(`${operation} is answered ${status ?? fault}`)}, async () => {`,
    `  ${expected}`,
    `  expect(sandbox.journal.count(${JSON.stringify(matcher)})).toBe(1);`,
    "});",
  ].join("\n");
}

/** The first that anybody sends. */
export function buildFirstCall(museum: string, credentials: readonly CredentialView[]): string {
  const { user = "", password = "" } = credentials.find(({ environment }) => environment === "museum") ?? {};
  return `curl -u ${user}:${password} \\\n${museum}/special-events`;
}

/** The rule that answers the next such request as this one was. */
export function toReplayRule(exchange: RecordedExchange): RuleInput {
  const { operation, method, path, problem, status = 500, fault, responseBody } = exchange;
  const when = operation === undefined ? { method, path } : { operation };
  const limit = { times: 1 };
  if (fault !== undefined) return { when, limit, then: { fault: fault as never } }; // one of the known, as it was applied
  if (problem !== undefined && operation !== undefined) return { when, limit, then: { problem } };
  const body = responseBody === undefined ? {} : { body: parseBody(responseBody) as never }; // any JSON
  return { when, limit, then: { respond: { status, ...body } } };
}

/** The user whose token a sample needs; undefined where it needs none. */
export function findTokenUser(exchange: RecordedExchange): string | undefined {
  const { environment, operation, user = "", headers } = exchange;
  const isAccount = environment?.startsWith("account") === true && operation !== "account.login";
  return isAccount && headers["authorization"] !== undefined ? user : undefined;
}

function urlOf({ origin, base, path, search }: RecordedExchange): string {
  return origin + base + path + search;
}

function headersOf(exchange: RecordedExchange, { credentials, token }: SampleCaller): Record<string, string> {
  const sent = Object.entries(exchange.headers).filter(([name, value]) => !OWN.test(name) && value !== "*/*");
  const headers = Object.fromEntries(sent);
  if (exchange.headers["authorization"] === undefined) return headers;
  const own = credentials.find(({ environment }) => environment === exchange.environment);
  const basic = own === undefined ? "" : `Basic ${btoa(`${own.user}:${own.password}`)}`;
  return { authorization: token === undefined ? basic : `Bearer ${token}`, ...headers };
}

function authorizationOf({ service, environment, user }: RecordedExchange): string {
  if (service === "museum") return "...sandbox.auth.basic()";
  const options = JSON.stringify({ user, environment });
  return `authorization: \`Bearer \${sandbox.auth.token(${options})}\``;
}

function initOf(exchange: RecordedExchange, caller: SampleCaller, headers: string): string {
  const body = bodyOf(exchange, caller);
  const lines = [
    ...(exchange.method === "GET" ? [] : [`method: ${JSON.stringify(exchange.method)}`]),
    ...(/^\{\s*\}$/.test(headers) ? [] : [`headers: ${headers}`]),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
  ];
  return `{ ${lines.join(", ")} }`;
}

function written(headers: Readonly<Record<string, string>>): string {
  return Object.keys(headers).length === 0 ? "{}" : JSON.stringify(headers);
}

/** The body as it was sent; in the place of a password that of the user whom it names. */
function bodyOf({ requestText = "", environment }: RecordedExchange, { credentials }: SampleCaller) {
  if (requestText === "") return undefined;
  const known = credentials.find((one) => one.environment === environment && requestText.includes(one.user));
  return requestText.replace(/\[redacted #\d+]/g, (mark) => known?.password ?? mark);
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
