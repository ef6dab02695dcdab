// Whether an answer is the one that the model expects.

import { differs } from "./broken.ts";
import type { Asked, Expected } from "./model/life.ts";

/** An answer as it came, or how it failed to. */
export type Received = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The code of the network's error. */
  readonly failure: string | undefined;
};

const FAILURES: Readonly<Record<string, string>> = { reset: "ECONNRESET", empty: "UND_ERR_SOCKET" };

/** What is wrong with the answer; undefined: nothing. `base`: of the address that the client used. */
export function wrongIn(
  received: Received,
  expected: Expected,
  asked: Asked,
  base: string,
): string | undefined {
  const { status, headers, text, failure } = received;
  const fault = expected.fault === undefined ? undefined : FAILURES[expected.fault];
  if (failure !== undefined || fault !== undefined) return differs("the network's error", failure, fault);
  return (
    differs(`the status (${text.slice(0, 200)})`, status, expected.status) ??
    wrongHeaders(headers, expected, base) ??
    missingField(text, expected) ??
    (expected.claims === undefined ? wrongBody(received, expected, asked) : wrongToken(text, expected.claims))
  );
}

function wrongHeaders(headers: Received["headers"], { headers: wanted = {} }: Expected, base: string) {
  for (const [name, value] of Object.entries(wanted)) {
    const wrong = differs(`the header ${name}`, headers[name], name === "location" ? base + value : value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function missingField(text: string, { fields = [] }: Expected): string | undefined {
  const missing = fields.find((field) => !text.includes(field));
  return missing === undefined ? undefined : `the refusal does not mention ${missing}: ${text.slice(0, 300)}`;
}

function wrongBody(
  { status, headers, text }: Received,
  expected: Expected,
  asked: Asked,
): string | undefined {
  if (status === 204) return differs("the body", text, "");
  const type = headers["content-type"] ?? "";
  if (asked.operation === "getTicketCode" && status === 200) return differs("the type", type, "image/png");
  if (expected.body === undefined || type.startsWith("text/html")) return undefined;
  const body: unknown = JSON.parse(text);
  if (expected.problem !== undefined) return differs("the refusal", part(body, expected.body), expected.body);
  if (!type.startsWith("application/ld+json")) return differs("the body", body, expected.body);
  const { list } = expected;
  if (list === undefined) return differs("the body", plain(body), expected.body);
  const { "hydra:member": members, "hydra:totalItems": total } = body as Readonly<Record<string, unknown>>; // a collection
  return (
    differs("the number of items", total, list.total) ??
    differs("the members", (members as readonly unknown[]).map(plain), list.items)
  );
}

/** Those members of an answer that the model speaks of. */
function part(body: unknown, wanted: unknown): unknown {
  const all = body as Readonly<Record<string, unknown>>; // a refusal is an object
  return Object.fromEntries(Object.keys(wanted as object).map((name) => [name, all[name]]));
}

/** Without what JSON-LD adds. */
function plain(item: unknown): unknown {
  return Object.fromEntries(Object.entries(item as object).filter(([name]) => !name.startsWith("@")));
}

function wrongToken(text: string, claims: Readonly<Record<string, unknown>>): string | undefined {
  const { token } = JSON.parse(text) as { readonly token: string };
  return differs("the claims of the token", claimsOf(token), claims);
}

export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
}
