/** Turns a rendered answer into a Response, and marks it with the wire fault to be played on it. */

import type { Exchange } from "../operation/exchange.ts";
import type { Rendered } from "../operation/service.ts";
import type { Effect, Fault } from "../rules/effect.ts";
import { mutate } from "../rules/mutation.ts";

/** An answer as sent: bytes, and perhaps a fault that the HTTP server or the in-process fetch plays on them. */
export type Sent = Rendered & { readonly fault?: Fault };

const faults = new WeakMap<Response, Fault>();

/** The fault that must be played when this response is sent. */
export function faultOf(response: Response): Fault | undefined {
  return faults.get(response);
}

/** Applies a rule's effect to the answer that was due; at the edge there is none. */
export function overlay(
  effect: Exclude<Effect, { kind: "problem" }>,
  exchange: Exchange,
  due: Sent = NOTHING,
): Sent {
  switch (effect.kind) {
    case "fault":
      return { ...due, fault: effect.fault };
    case "mutate":
      return withWire(mutated(effect.mutations, exchange, due), effect);
    case "respond":
      return withWire(exactly(effect), effect);
  }
}

/** Adds the effect's wire fault, if any, to an answer. */
export function withWire(sent: Sent, { wire }: Effect): Sent {
  return wire === undefined ? sent : { ...sent, fault: wire };
}

function exactly({ status, headers, body }: Extract<Effect, { kind: "respond" }>): Sent {
  if (typeof body === "string" || body === undefined) return { status, headers, body };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** The real reply, mutated; unchanged, with a finding, where the mutation does not apply. */
function mutated(mutations: Parameters<typeof mutate>[1], exchange: Exchange, due: Sent): Sent {
  const json = typeof due.body === "string" && /json/.test(due.headers["content-type"] ?? "");
  const result = json ? mutate(JSON.parse(String(due.body)), mutations) : { missed: "the reply is not JSON" };
  if ("missed" in result) {
    exchange.findings.push({
      key: "mutationMissed",
      message: `The reply was left as it is: ${result.missed}.`,
    });
    return due;
  }
  return { ...due, body: result.value === undefined ? "" : JSON.stringify(result.value) };
}

const NOTHING: Sent = { status: 200, headers: {}, body: undefined };
/** Statuses that cannot have a body. */
const BODYLESS = [204, 205, 304];

/** Completes the exchange and creates the Response; HEAD gets the headers of GET without the body. */
export function toResponse(sent: Sent, exchange: Exchange): Response {
  const headers = new Headers(sent.headers as Record<string, string>); // Headers only reads it
  headers.set("date", new Date(exchange.at).toUTCString());
  exchange.status = sent.status;
  exchange.responseHeaders = headers;
  const whole = sent.body instanceof ReadableStream ? undefined : sent.body;
  if (whole !== undefined) exchange.responseBody = whole;
  if (sent.fault !== undefined) exchange.fault = sent.fault.kind;
  const head = exchange.method === "HEAD";
  if (head && sent.body instanceof ReadableStream) void sent.body.cancel();
  const bare = head || BODYLESS.includes(sent.status);
  // The network would add the length; in process the answer must be the same. A dribble changes no byte.
  const isWhole = sent.fault === undefined || sent.fault.kind === "dribble";
  if (whole !== undefined && (head || !bare) && isWhole && !headers.has("content-length"))
    headers.set("content-length", String(Buffer.byteLength(whole)));
  const response = new Response(bare ? null : bytesOf(sent.body), { status: sent.status, headers });
  if (sent.fault !== undefined) faults.set(response, sent.fault);
  return response;
}

function bytesOf(body: Rendered["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  return body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null);
}
