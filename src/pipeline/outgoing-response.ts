/** An answer on its way to the client: changed by a rule, completed with its date and length, made a web Response. */

import type { Exchange } from "../http/exchange.ts";
import { createSandboxProblem, toProblemResponse } from "../http/problem-json.ts";
import type { EventStrings, RenderedResponse } from "../operation/service.ts";
import {
  arrivesWhole,
  cutsBody,
  describeUnsupportedFault,
  type Effect,
  type Fault,
  type FaultKind,
  takeFirstHalf,
} from "../rules/effect.ts";
import { mutate } from "../rules/mutation.ts";
import { readPreference } from "../rules/one-off.ts";
import { toBytes } from "../world/bytes.ts";
import { getPlatform } from "../world/platform.ts";

/** An answer as sent, and perhaps a fault that the HTTP server or the in-process fetch plays on it. */
export type OutgoingResponse = RenderedResponse & {
  readonly fault?: Fault | undefined;
  /** The connection ends with this answer. */
  readonly last?: true;
};

const EMPTY_RESPONSE: OutgoingResponse = { status: 200, headers: {}, body: undefined };
const EMPTY_FAULT: Fault = { kind: "empty" };
/** Statuses that cannot have a body. */
const BODYLESS_STATUSES = [204, 205, 304];

/** Applies a rule's effect to the answer that was due; at the edge there is none. */
export function applyEffect(
  effect: Exclude<Effect, { kind: "problem" }>,
  exchange: Exchange,
  due: OutgoingResponse = EMPTY_RESPONSE,
): OutgoingResponse {
  switch (effect.kind) {
    case "fault":
      return { ...due, fault: effect.fault };
    case "gone":
      return due;
    case "mutate":
      return withWire(applyMutations(effect.mutations, exchange, due), effect);
    case "respond":
      return withWire(buildResponse(effect), effect);
  }
}

export function withWire(sent: OutgoingResponse, { wire }: Effect): OutgoingResponse {
  return wire === undefined ? sent : { ...sent, fault: wire };
}

function buildResponse({ status, headers, body }: Extract<Effect, { kind: "respond" }>): OutgoingResponse {
  if (typeof body === "string" || body === undefined) return { status, headers, body };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** The real reply, mutated; unchanged, with a finding, where the mutation does not apply. */
function applyMutations(mutations: Parameters<typeof mutate>[1], exchange: Exchange, due: OutgoingResponse) {
  const json = typeof due.body === "string" && /json/.test(due.headers["content-type"] ?? "");
  const result = json ? mutate(JSON.parse(String(due.body)), mutations) : { missed: "the reply is not JSON" };
  if ("missed" in result) {
    const message = `The reply was left as it is: ${result.missed}.`;
    exchange.findings.push({ key: "mutationMissed", message });
    return due;
  }
  return { ...due, body: JSON.stringify(result.value) };
}

/**
 * Completes answer and exchange: header names in lower case, date, length; HEAD gets the headers of GET alone. `made` is
 * the status of the service's own answer, where there is one.
 */
export function completeResponse(
  sent: OutgoingResponse,
  exchange: Exchange,
  made: number | undefined,
): OutgoingResponse {
  const { status, body } = sent;
  const headers = toLowerNames(sent.headers);
  headers["date"] = formatDate(exchange.at);
  const whole = isEvents(body) ? undefined : body;
  const head = exchange.method === "HEAD";
  const bare = head || BODYLESS_STATUSES.includes(status);
  // A client would take a head without a body for the whole answer, so nothing of it leaves.
  const isBodyless = bare || (whole ?? "").length === 0;
  const fault =
    sent.fault !== undefined && isBodyless && cutsBody(sent.fault.kind) ? EMPTY_FAULT : sent.fault;
  // The network would add the length; in process the answer must be the same. A dribble changes no byte.
  const isWhole = fault === undefined || fault.kind === "dribble";
  const isCounted = isWhole && !isEvents(body) && !BODYLESS_STATUSES.includes(status);
  if (isCounted && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
    headers["content-length"] = String(
      typeof whole === "string" ? getPlatform().utf8Length(whole) : (whole?.length ?? 0),
    );
  recordOutcome({ status, headers, body: bare ? undefined : whole, fault }, exchange, made);
  if (!bare) return { status, headers: withContentType(headers, body), body, fault };
  if (isEvents(body)) void body.return?.();
  return { status, headers, body: undefined, fault };
}

type FinalResponse = Omit<OutgoingResponse, "body"> & { readonly body: string | Uint8Array | undefined };

/** Notes what leaves, and of an answer that does not leave that it was made. */
function recordOutcome({ status, headers, body, fault }: FinalResponse, exchange: Exchange, made?: number) {
  exchange.fault = fault?.kind;
  const isCut = fault !== undefined && cutsBody(fault.kind);
  if (exchange.gone === true || (fault !== undefined && !isCut && !arrivesWhole(fault.kind))) {
    exchange.made = made;
    exchange.nextPage = undefined;
    return;
  }
  exchange.status = status;
  exchange.responseHeaders = headers;
  exchange.responseBody = body;
  if (body === undefined || !isCut) return;
  const whole = toBytes(body);
  const half = takeFirstHalf(whole);
  exchange.sent = { bytes: half.length, of: whole.length };
  // A character that was cut in two is left out.
  exchange.responseBody = typeof body === "string" ? new TextDecoder().decode(half, { stream: true }) : half;
}

/** As the web does it: a text of no other type is plain text. */
function withContentType(headers: Record<string, string>, body: RenderedResponse["body"]) {
  if (typeof body !== "string" || headers["content-type"] !== undefined) return headers;
  return { ...headers, "content-type": "text/plain;charset=UTF-8" };
}

/** A copy whose names are in lower case; values of one name are joined. */
function toLowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const name in headers) {
    const lower = name.toLowerCase();
    const value = headers[name]?.trim() ?? "";
    copy[lower] = Object.hasOwn(copy, lower) ? `${copy[lower]}, ${value}` : value;
  }
  return copy;
}

let lastDate = { second: Number.NaN, text: "" };

/** Formats a time for HTTP. Without the cache of the last second a get takes 3 % more CPU. */
function formatDate(instant: number): string {
  const second = Math.floor(instant / 1000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(instant).toUTCString() };
  return lastDate.text;
}

export function toResponse({ status, headers, body }: OutgoingResponse): Response {
  return new Response(toBodyInit(body), { status, headers: headers as Record<string, string> }); // it only reads them
}

function toBodyInit(body: RenderedResponse["body"]) {
  if (isEvents(body)) return createStream(body);
  return body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null);
}

export function isEvents(body: RenderedResponse["body"]): body is EventStrings {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** The bytes that a fault breaks. No rule reaches the control API, whose events alone have no end. */
export function toBodyBytes({ body = "" }: OutgoingResponse): Uint8Array {
  return toBytes(isEvents(body) ? "" : body);
}

function createStream(events: EventStrings): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => void events.return?.(),
    },
    { highWaterMark: 0 },
  );
}

/** A wire fault needs the connection, which may belong to another: those that can be played all the same are in `faults`. */
export function withSupportedFault(sent: OutgoingResponse, faults: readonly FaultKind[]): OutgoingResponse {
  if (sent.fault === undefined || faults.includes(sent.fault.kind)) return sent;
  return createSandboxProblem(501, describeUnsupportedFault(sent.fault.kind, faults));
}

/** The response header that says why a preference was not followed. */
const PREFERENCE_HEADER = "X-Vitrine-Preference";

/** Reports whether the preference of the request was applied. */
export function withPreference(sent: OutgoingResponse, exchange: Exchange): OutgoingResponse {
  const { headers, findings, problem } = exchange;
  const key = readPreference(headers, "problem");
  const wanted = key ?? readPreference(headers, "code");
  if (wanted === undefined) return sent;
  const isMet = key === undefined ? Number(wanted) === sent.status : key === problem;
  const why = findings.find((finding) => finding.key === "preferenceNotMet")?.message;
  const said = isMet
    ? { "Preference-Applied": `${key === undefined ? "code" : "problem"}=${wanted}` }
    : { [PREFERENCE_HEADER]: why ?? `The answer ${sent.status} came first, or ${wanted} is no refusal.` };
  return { ...sent, headers: { ...sent.headers, ...said } };
}

/** 500, marked as the simulator's own; the stack stays in the journal. */
export function createDefectResponse(exchange: Exchange, defect: unknown): OutgoingResponse {
  const stack = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
  exchange.findings.push({ key: "defect", message: stack });
  const title = "A defect of the sandbox itself; the journal has the details.";
  const members = { type: "urn:vitrine:defect", title, exchange: exchange.seq };
  return toProblemResponse(500, members, { "x-vitrine-defect": "1" });
}
