// Owns the last step: a rendered answer becomes a Response, and a fault on the wire becomes a mark that the edge obeys.

import type { Exchange } from "../operation/exchange.ts";
import type { Rendered } from "../operation/service.ts";
import type { Effect, FaultKind } from "../scenario/effect.ts";

/** An answer as it leaves: bytes, and perhaps a fault that the edge plays on them. */
export type Sent = Rendered & { readonly fault?: FaultKind };

const faults = new WeakMap<Response, FaultKind>();

/** The fault that the edge must play when it sends this response. */
export function faultOf(response: Response): FaultKind | undefined {
  return faults.get(response);
}

/** A rule's effect laid over the answer that was due; without one (at the edge) there is nothing beneath. */
export function overlay(effect: Exclude<Effect, { kind: "problem" }>, due: Sent = NOTHING): Sent {
  if (effect.kind === "fault") return { ...due, fault: effect.fault };
  const text = typeof effect.body === "string" || effect.body === undefined;
  const headers = text ? effect.headers : { "content-type": "application/json", ...effect.headers };
  return {
    status: effect.status,
    headers,
    body: text ? (effect.body as string | undefined) : JSON.stringify(effect.body),
  };
}

const NOTHING: Sent = { status: 200, headers: {}, body: undefined };

/** Completes the exchange and makes the Response; HEAD gets the headers of GET without the body. */
export function toResponse(sent: Sent, exchange: Exchange): Response {
  const headers = new Headers(sent.headers as Record<string, string>); // Headers reads, never writes
  headers.set("date", new Date(exchange.at).toUTCString());
  exchange.status = sent.status;
  exchange.responseHeaders = headers;
  const whole = sent.body instanceof ReadableStream ? undefined : sent.body;
  if (whole !== undefined) exchange.responseBody = whole;
  if (sent.fault !== undefined) exchange.fault = sent.fault;
  const head = exchange.method === "HEAD";
  if (head && whole !== undefined) headers.set("content-length", String(Buffer.byteLength(whole)));
  const response = new Response(head ? null : bytesOf(sent.body), { status: sent.status, headers });
  if (sent.fault !== undefined) faults.set(response, sent.fault);
  return response;
}

function bytesOf(body: Rendered["body"]): string | Uint8Array<ArrayBuffer> | ReadableStream | null {
  return body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null);
}
