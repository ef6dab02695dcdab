/** Formats an exchange as a curl command, fetch call, test or rule to paste. Redacted secrets become variables. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { RuleInput } from "../rules/grammar.ts";
import type { CredentialView } from "../sandbox/views.ts";

/** Headers that the samples omit, because HTTP clients set them automatically. */
const OMITTED =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-(encoding|language)|user-agent|referer|expect|sec-.*)$/;
const PARTIAL = /… \[cut after \d+ of \d+ bytes]$|^\[binary \d+ bytes/;
const REDACTED = /\[redacted #(\d+)]/g;

/** Throws an Error with the reason if curl could not reproduce the request. The functions for other formats do so too. */
export function toCurl(exchange: RecordedExchange): string {
  const { method, url, headers, body } = readRequest(exchange);
  if (/[^\0-\x7f]/.test(url + headers.join()) || body.includes("\0"))
    throw new Error("curl cannot send these bytes in a header, the URL or the body.");
  const how = method === "HEAD" ? "--head " : method === "GET" && body === "" ? "" : `-X ${method} `;
  const lines = headers.map(([name, value]) => (value === "" ? `${name};` : `${name}: ${value}`));
  const isUntyped = body !== "" && !("content-type" in exchange.headers);
  return [
    `curl -g ${how}${quoteForShell(url)}`,
    ...[...lines, ...(isUntyped ? ["content-type:"] : [])].map((line) => `-H ${quoteForShell(line)}`),
    ...(body === "" ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ].join(" \\\n  ");
}

export function toFetchCode(exchange: RecordedExchange): string {
  const { url, headers } = readRequest(exchange);
  const call = `const response = await fetch(${toLiteral(url)}, ${toInit(exchange, toMembers(headers))});`;
  return [...describeSecrets(call), call].join("\n");
}

/** Replaces a credential that the service accepted with `sandbox.auth`, because credentials differ between sandboxes. */
export function toTestCode(exchange: RecordedExchange): string {
  const { method, status, fault, gone, path, search, user, environment, service, rules } = exchange;
  if (gone === true && fault === undefined)
    throw new Error("The client left before the response. A test cannot repeat that moment.");
  const isAccepted = user !== undefined && exchange.headers["authorization"] !== undefined;
  const options = JSON.stringify({ user, environment });
  const own =
    service === "museum"
      ? `...sandbox.auth.basic(${JSON.stringify(user)})`
      : `authorization: \`Bearer \${sandbox.auth.token(${options})}\``;
  const rest = readRequest(exchange).headers.filter(([name]) => !isAccepted || name !== "authorization");
  const members = [...(isAccepted ? [own] : []), ...toMembers(rest)];
  const signal = fault === "hang" ? ["signal: AbortSignal.timeout(1_000)"] : [];
  const base = environment === undefined ? "" : `sandbox.urls.${environment} + `;
  const call = `sandbox.fetch(${base}${toLiteral(path + search)}, ${toInit(exchange, members, signal)})`;
  const { operation = `${method} ${path}` } = exchange;
  const isByRule = rules.some(({ outcome }) => outcome === "applied");
  return [
    ...describeSecrets(call),
    `test(${JSON.stringify(`${operation} gets ${status ?? fault}`)}, async ({ sandbox }) => {`,
    ...(isByRule ? [`  sandbox.use(${JSON.stringify(toReplayRule(exchange))});`] : []),
    ...(status === undefined
      ? [`  await expect(${call}).rejects.toThrow();`]
      : [`  const response = await ${call};`, `  expect(response.status).toBe(${status});`]),
    ...(exchange.operation === undefined
      ? ["  sandbox.journal.clear(); // an unmatched request fails the test"]
      : []),
    "});",
  ].join("\n");
}

/** Returns path and options to send the request again from this page. `authorization`: new credential of the same user. */
export function toFetchCall(exchange: RecordedExchange, authorization: string | undefined) {
  const { method, headers: sent, body } = readRequest(exchange);
  const headers = { ...Object.fromEntries(sent), ...(authorization === undefined ? {} : { authorization }) };
  const path = exchange.path + exchange.search;
  if (path.concat(body, ...Object.values(headers)).search(REDACTED) !== -1)
    throw new Error("The journal redacts the credential: this page cannot send it. Copy it as curl.");
  return { path, init: { method, headers, ...(body === "" ? {} : { body }) } };
}

export function buildFirstCall(museum: string, credentials: readonly CredentialView[]): string {
  const { user = "", password = "" } = credentials.find(({ environment }) => environment === "museum") ?? {};
  return `curl -u ${user}:${password} \\\n${museum}/special-events`;
}

export function toReplayRule(exchange: RecordedExchange): RuleInput {
  const { operation, method, path, problem, status = 500, made, fault, responseBody } = exchange;
  const when = operation === undefined ? { method, path } : { operation };
  const limit = { times: 1 };
  if (fault !== undefined) {
    const at = made === undefined ? {} : { at: "response" as const };
    return { when, ...at, limit, then: { fault: fault as never } }; // Safe cast: the journal only records known faults.
  }
  if (problem !== undefined && operation !== undefined) return { when, limit, then: { problem } };
  if (PARTIAL.test(responseBody ?? "")) throw new Error("The journal does not have the whole response body.");
  const body = responseBody === undefined ? {} : { body: parseBody(responseBody) as never }; // Safe cast: a rule accepts any JSON.
  return { when, limit, then: { respond: { status, ...body } } };
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function readRequest(exchange: RecordedExchange) {
  const { method, origin, base, path, search, headers, requestText } = exchange;
  const { "content-length": length } = headers;
  const mayHaveBody = "transfer-encoding" in headers || /^(POST|PUT|PATCH)$/.test(method);
  if (requestText === undefined && (length === undefined ? mayHaveBody : length !== "0"))
    throw new Error("The service did not read the body, so the journal does not have it.");
  const body = requestText ?? "";
  if (PARTIAL.test(body)) throw new Error("The journal does not have the whole body.");
  const sent = Object.entries(headers).filter(([name, value]) => !OMITTED.test(name) && value !== "*/*");
  return { method, url: origin + base + path + search, headers: sent, body };
}

function toInit(
  exchange: RecordedExchange,
  headers: readonly string[],
  more: readonly string[] = [],
): string {
  const { method, url, body } = readRequest(exchange);
  const plain = url.replace(REDACTED, "x");
  const { origin, pathname, search } = new URL(plain);
  if (
    origin + pathname + search !== plain ||
    /^(TRACE|CONNECT)$/.test(method) ||
    (body !== "" && /^(GET|HEAD)$/.test(method))
  )
    throw new Error("fetch cannot send this request as it was sent. Copy it as curl.");
  const isTyped = "content-type" in exchange.headers;
  const lines = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === ""
      ? []
      : [`body: ${isTyped ? toLiteral(body) : `new TextEncoder().encode(${toLiteral(body)})`}`]),
    ...more,
  ];
  return `{ ${lines.join(", ")} }`;
}

function toMembers(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${JSON.stringify(name)}: ${toLiteral(value)}`);
}

/** Returns a JavaScript expression for the string, with variables for secrets: `"Bearer " + SECRET_1`. */
function toLiteral(text: string): string {
  const parts = JSON.stringify(text).replace(REDACTED, '" + SECRET_$1 + "');
  return parts.replaceAll(' + ""', "").replace(/^"" \+ /, "");
}

function describeSecrets(code: string): readonly string[] {
  const names = [...new Set(code.match(/\bSECRET_\d+/g))].join(", ");
  return names === "" ? [] : [`// The journal redacts secrets. Define ${names} as your client sent it.`];
}

/** Quotes text for a shell. Each secret becomes a variable; if the variable is not set, the shell does not run the command. */
function quoteForShell(text: string): string {
  const word = `'${text.replaceAll("'", "'\\''")}'`;
  return word.replace(REDACTED, `'"\${SECRET_$1:?the journal redacts this value, set it as it was sent}"'`);
}
