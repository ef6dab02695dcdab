/** Completes a response: applies effects of rules, adds headers, and converts it to a web Response. */

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

/** A response, and the fault of a rule or `Prefer` header, which the HTTP server or `sandbox.fetch` simulates. */
export type OutgoingResponse = RenderedResponse & {
  readonly fault?: Fault | undefined;
  /** Closes the connection after this response. */
  readonly last?: true;
};

const EMPTY_RESPONSE: OutgoingResponse = { status: 200, headers: {}, body: undefined };
const EMPTY_FAULT: Fault = { kind: "empty" };
/** Statuses that cannot have a body. */
const BODYLESS_STATUSES = [204, 205, 304];

/** Applies the effect of a rule to the response `due`, which is empty if the rule runs before the operation. */
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

/** Mutates the JSON body. If a mutation is impossible, adds a finding and leaves the response unchanged. */
function applyMutations(mutations: Parameters<typeof mutate>[1], exchange: Exchange, due: OutgoingResponse) {
  const json = typeof due.body === "string" && /json/.test(due.headers["content-type"] ?? "");
  const result = json ? mutate(JSON.parse(String(due.body)), mutations) : { missed: "the body is not JSON" };
  if ("missed" in result) {
    const message = `The mutation has no effect: ${result.missed}.`;
    exchange.findings.push({ key: "mutationMissed", message });
    return due;
  }
  return { ...due, body: JSON.stringify(result.value) };
}

/** Adds general headers, such as Date, and records the response. `made`: status before rules with `at: "response"` changed it. */
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
  // If a fault should truncate an empty body, closes the connection without a response instead.
  const isBodyless = bare || (whole ?? "").length === 0;
  const fault =
    sent.fault !== undefined && isBodyless && cutsBody(sent.fault.kind) ? EMPTY_FAULT : sent.fault;
  // Adds Content-Length, like an HTTP server, if there is no fault. `dribble` is an exception, because it sends the whole body.
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

/** Records the sent response in the exchange. If the client receives no response, records only the fault and `made`. */
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
  // `stream: true` omits an incomplete character at the end of `half`.
  exchange.responseBody = typeof body === "string" ? new TextDecoder().decode(half, { stream: true }) : half;
}

/** Sets the default Content-Type of a string body, like a web Response. */
function withContentType(headers: Record<string, string>, body: RenderedResponse["body"]) {
  if (typeof body !== "string" || headers["content-type"] !== undefined) return headers;
  return { ...headers, "content-type": "text/plain;charset=UTF-8" };
}

/** Copies headers with lowercase names. Joins the values of names that differ only in case. */
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

/** Formats an HTTP date. The cache of the last second saves 3 % of the CPU time of a GET. */
function formatDate(instant: number): string {
  const second = Math.floor(instant / 1000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(instant).toUTCString() };
  return lastDate.text;
}

export function toResponse({ status, headers, body }: OutgoingResponse): Response {
  return new Response(toBodyInit(body), { status, headers: headers as Record<string, string> }); // Safe: Response only reads `headers`.
}

function toBodyInit(body: RenderedResponse["body"]) {
  if (isEvents(body)) return createStream(body);
  return body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null);
}

export function isEvents(body: RenderedResponse["body"]): body is EventStrings {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** Returns the body as bytes for faults. Skips event streams: only the control API sends them, and faults never apply to it. */
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

/** Returns a 501 if the runtime cannot simulate the fault, for example because another app owns the connection. */
export function withSupportedFault(sent: OutgoingResponse, faults: readonly FaultKind[]): OutgoingResponse {
  if (sent.fault === undefined || faults.includes(sent.fault.kind)) return sent;
  return createSandboxProblem(501, describeUnsupportedFault(sent.fault.kind, faults));
}

/** Response header with the reason why the sandbox did not follow the request's `Prefer` header. */
const PREFERENCE_HEADER = "X-Vitrine-Preference";

/** Adds a header that reports whether the response follows the request's `Prefer` header (`code` or `problem`). */
export function withPreference(sent: OutgoingResponse, exchange: Exchange): OutgoingResponse {
  const { headers, findings, problem } = exchange;
  const key = readPreference(headers, "problem");
  const wanted = key ?? readPreference(headers, "code");
  if (wanted === undefined) return sent;
  const isMet = key === undefined ? Number(wanted) === sent.status : key === problem;
  const why = findings.find((finding) => finding.key === "preferenceNotMet")?.message;
  const report = isMet
    ? { "Preference-Applied": `${key === undefined ? "code" : "problem"}=${wanted}` }
    : { [PREFERENCE_HEADER]: why ?? `The response ${sent.status} came first, or ${wanted} is not an error.` };
  return { ...sent, headers: { ...sent.headers, ...report } };
}

/** Returns a 500 for an internal error. Adds the stack trace to the journal, not to the response. */
export function createDefectResponse(exchange: Exchange, defect: unknown): OutgoingResponse {
  const stack = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
  exchange.findings.push({ key: "defect", message: stack });
  const title = "Internal error of the sandbox. The journal has the details.";
  const members = { type: "urn:vitrine:defect", title, exchange: exchange.seq };
  return toProblemResponse(500, members, { "x-vitrine-defect": "1" });
}
