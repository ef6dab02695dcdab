// Owns the last step: a rendered answer becomes a Response, and a fault on the wire becomes a mark that the edge obeys.

import type { Exchange } from "../operation/exchange.ts";
import type { Rendered } from "../operation/service.ts";
import type { Effect, Fault } from "../rules/effect.ts";
import { mutate } from "../rules/mutation.ts";

/** An answer as it leaves: bytes, and perhaps a fault that the edge plays on them. */
export type Sent = Rendered & { readonly fault?: Fault };

const faults = new WeakMap<Response, Fault>();

/** The fault that the edge must play when it sends this response. */
export function faultOf(response: Response): Fault | undefined {
  return faults.get(response);
}

/** A rule's effect laid over the answer that was due; without one (at the edge) there is nothing beneath. */
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

/** Sent as the effect wants it sent, besides what it says. */
export function withWire(sent: Sent, { wire }: Pick<Effect, "wire">): Sent {
  return wire === undefined ? sent : { ...sent, fault: wire };
}

function exactly({ status, headers, body }: Extract<Effect, { kind: "respond" }>): Sent {
  if (typeof body === "string" || body === undefined) return { status, headers, body };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** The true reply, changed; as it is, and noted, where the mutation finds no hold in it. */
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

/** Completes the exchange and makes the Response; HEAD gets the headers of GET without the body. */
export function toResponse(sent: Sent, exchange: Exchange): Response {
  const headers = new Headers(sent.headers as Record<string, string>); // Headers reads, never writes
  headers.set("date", new Date(exchange.at).toUTCString());
  exchange.status = sent.status;
  exchange.responseHeaders = headers;
  const whole = sent.body instanceof ReadableStream ? undefined : sent.body;
  if (whole !== undefined) exchange.responseBody = whole;
  if (sent.fault !== undefined) exchange.fault = sent.fault.kind;
  const head = exchange.method === "HEAD";
  if (head && sent.body instanceof ReadableStream) void sent.body.cancel();
  const bare = head || BODYLESS.includes(sent.status);
  // The network would add the length by itself; in process the answer is to be the same. A dribble changes no byte.
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
