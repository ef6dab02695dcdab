/**
 * What the edge refuses before any service sees it: requests that are not valid HTTP, or larger than a sandbox has to
 * bear. Every refusal is problem+json without stack, path or version.
 */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ProblemAnswer, sandboxProblem } from "../../http/problem-json.ts";
import { fieldsOf, usualName } from "./send.ts";

const MOST_HEADERS = 100;
const MOST_TARGET_CHARACTERS = 8_192;
const MOST_QUERY_PARAMETERS = 200;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

export type EdgeRefusal = {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Node calls 413 by its older name. */
const REASONS: typeof STATUS_CODES = { ...STATUS_CODES, 413: "Content Too Large" };
const TARGET_TOO_LONG: EdgeRefusal = {
  status: 414,
  detail: `A request target has at most ${MOST_TARGET_CHARACTERS} characters.`,
};
const WRONG_VERSION: EdgeRefusal = { status: 505, detail: "This server speaks HTTP/1.1." };

/** Why no service may see this request, or undefined. Its head was parsed; its body was not read. */
export function refuseRequest(request: IncomingMessage): EdgeRefusal | undefined {
  const { httpVersion, rawHeaders, headers, url = "" } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return { ...WRONG_VERSION, headers: { connection: "close" } };
  if (rawHeaders.length / 2 > MOST_HEADERS)
    return { status: 431, detail: `A request has at most ${MOST_HEADERS} header fields.` };
  if (url.length > MOST_TARGET_CHARACTERS) return TARGET_TOO_LONG;
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  ).length;
  if (hosts > 1 || headers.host === "" || (hosts === 0 && httpVersion === "1.1"))
    return { status: 400, detail: "A request has exactly one Host, and it is not empty." };
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return refuseCoding(coding);
  return refuseTarget(url);
}

/** Without `chunked` at the end it is unknown where the body ends; with it, the other codings are unsupported. */
function refuseCoding(coding: string): EdgeRefusal {
  const status = /,\s*chunked\s*$/i.test(coding) ? 501 : 400;
  return { status, detail: "The only transfer coding is chunked.", headers: { connection: "close" } };
}

function refuseTarget(target: string): EdgeRefusal | undefined {
  if (!target.startsWith("/") && !/^https?:\/\/[^/]/i.test(target))
    return { status: 400, detail: "A request target starts with a slash or is a whole http address." };
  if (/^https?:\/\/[^/?#]*@/i.test(target))
    return { status: 400, detail: "A request target has no user information." };
  if (target.includes("#")) return { status: 400, detail: "A request target has no fragment." };
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  if (path.includes("\\")) return { status: 400, detail: "A path has no backslash." };
  if (query >= 0 && target.slice(query).split("&").length > MOST_QUERY_PARAMETERS)
    return { status: 400, detail: `A query has at most ${MOST_QUERY_PARAMETERS} parameters.` };
  return undefined;
}

/** The refusal for an error of the HTTP parser; undefined when the client is gone. */
export function refuseParsing(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
): EdgeRefusal | undefined {
  switch (error.code) {
    case "ECONNRESET":
    case "EPIPE":
      return undefined;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, detail: "The request took too long to arrive." };
    case "HPE_HEADER_OVERFLOW":
      return startsWithLongLine(error.rawPacket)
        ? TARGET_TOO_LONG
        : { status: 431, detail: "The head of a request has at most 16 KiB." };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, detail: "The chunk extensions are too large." };
    case "HPE_INVALID_VERSION":
      return /^[^\r\n]*\n/.test(error.rawPacket?.toString("latin1", 0, MOST_TARGET_CHARACTERS) ?? "")
        ? { status: 400, detail: "A line of a request ends with CR LF." }
        : WRONG_VERSION;
    default:
      return { status: 400, detail: "This is not a request of HTTP/1.1." };
  }
}

export function refuseConnect(): EdgeRefusal {
  return { status: 405, detail: "This server is not a proxy.", headers: { allow: METHODS } };
}

/** `OPTIONS *` asks what the whole server can do. */
export function isServerOptions({ method, url }: IncomingMessage): boolean {
  return method === "OPTIONS" && url === "*";
}

export function answerServerOptions(response: ServerResponse): void {
  response.writeHead(204, fieldsOf({ allow: METHODS })).end();
}

/** The whole answer; on a socket its length must be announced. */
function answerOf({ status, detail, headers }: EdgeRefusal): ProblemAnswer {
  const answer = sandboxProblem(status, detail);
  const length = String(Buffer.byteLength(answer.body));
  return { ...answer, headers: { ...answer.headers, "content-length": length, ...headers } };
}

/** Refuses a request whose head could be read. */
export function sendRefusal(response: ServerResponse, refusal: EdgeRefusal): void {
  const { status, headers, body } = answerOf(refusal);
  response.writeHead(status, fieldsOf(headers)).end(body);
}

/** Refuses on a bare socket, where there is no response to write to, and closes it. */
export function endSocket(socket: Duplex, refusal: EdgeRefusal): void {
  if (!socket.writable) return void socket.destroy();
  const { status, headers, body } = answerOf(refusal);
  const fields = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${usualName(name)}: ${value}`,
  );
  const head = [`HTTP/1.1 ${status} ${REASONS[status]}`, ...fields, "", body];
  socket.end(head.join("\r\n"), () => socket.destroy());
}

function startsWithLongLine(packet: Buffer = Buffer.alloc(0)): boolean {
  const end = packet.indexOf("\n");
  return (end === -1 ? packet.length : end) > MOST_TARGET_CHARACTERS;
}
