/** Rejects malformed and oversized HTTP requests with problem+json, before any service sees them. */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { createSandboxProblem, type ProblemResponse } from "../../http/problem-json.ts";
import { toHeaderName, toRawHeaders } from "./send.ts";

const MAX_HEADERS = 100;
const MAX_TARGET_CHARS = 8_192;
const MAX_QUERY_PARAMETERS = 200;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

export type EdgeProblem = {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Reason phrases of Node, with the current name of status 413. */
const REASONS: typeof STATUS_CODES = { ...STATUS_CODES, 413: "Content Too Large" };
const TARGET_TOO_LONG: EdgeProblem = {
  status: 414,
  detail: `A request target has at most ${MAX_TARGET_CHARS} characters.`,
};
const UNSUPPORTED_VERSION: EdgeProblem = { status: 505, detail: "This server speaks HTTP/1.1." };

/** Checks request line and headers. Returns undefined if they are valid. */
export function findRequestProblem(request: IncomingMessage): EdgeProblem | undefined {
  const { httpVersion, rawHeaders, headers, url = "" } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return { ...UNSUPPORTED_VERSION, headers: { connection: "close" } };
  if (rawHeaders.length / 2 > MAX_HEADERS)
    return { status: 431, detail: `A request has at most ${MAX_HEADERS} header fields.` };
  if (url.length > MAX_TARGET_CHARS) return TARGET_TOO_LONG;
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  ).length;
  if (hosts > 1 || headers.host === "" || (hosts === 0 && httpVersion === "1.1"))
    return { status: 400, detail: "A request has exactly one Host, and it is not empty." };
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return toCodingProblem(coding);
  return findTargetProblem(url);
}

/** Returns 501 for other codings before a final `chunked`. Otherwise returns 400, because the end of the body is unknown. */
function toCodingProblem(coding: string): EdgeProblem {
  const status = /,\s*chunked\s*$/i.test(coding) ? 501 : 400;
  return { status, detail: "The only transfer coding is chunked.", headers: { connection: "close" } };
}

function findTargetProblem(target: string): EdgeProblem | undefined {
  if (!target.startsWith("/") && !/^https?:\/\/[^/]/i.test(target))
    return { status: 400, detail: "A request target starts with a slash or is a whole http address." };
  if (/^https?:\/\/[^/?#]*@/i.test(target))
    return { status: 400, detail: "A request target has no user information." };
  if (target.includes("#")) return { status: 400, detail: "A request target has no fragment." };
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  if (path.includes("\\")) return { status: 400, detail: "A path has no backslash." };
  if (query >= 0 && target.slice(query).split("&").length > MAX_QUERY_PARAMETERS)
    return { status: 400, detail: `A query has at most ${MAX_QUERY_PARAMETERS} parameters.` };
  return undefined;
}

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Converts an error of Node's HTTP parser to a problem. Returns undefined if the client has disconnected. */
export function toParserProblem({ code, rawPacket }: ParserError): EdgeProblem | undefined {
  switch (code) {
    case "ECONNRESET":
    case "EPIPE":
      return undefined;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, detail: "The request took too long to arrive." };
    case "HPE_HEADER_OVERFLOW":
      return startsWithLongLine(rawPacket)
        ? TARGET_TOO_LONG
        : { status: 431, detail: "The head of a request has at most 16 KiB." };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, detail: "The chunk extensions are too large." };
    case "HPE_INVALID_VERSION":
      return /^[^\r\n]*\n/.test(rawPacket?.toString("latin1", 0, MAX_TARGET_CHARS) ?? "")
        ? { status: 400, detail: "A line of a request ends with CR LF." }
        : UNSUPPORTED_VERSION;
    default:
      return { status: 400, detail: "This is not a request of HTTP/1.1." };
  }
}

export function createConnectProblem(): EdgeProblem {
  return { status: 405, detail: "This server is not a proxy.", headers: { allow: METHODS } };
}

export function isServerOptions({ method, url }: IncomingMessage): boolean {
  return method === "OPTIONS" && url === "*";
}

export function sendServerOptions(response: ServerResponse): void {
  response.writeHead(204, toRawHeaders({ allow: METHODS })).end();
}

/** Adds Content-Length, because Node adds no headers if `endSocket` writes the response to a socket. */
function buildProblemResponse({ status, detail, headers }: EdgeProblem): ProblemResponse {
  const answer = createSandboxProblem(status, detail);
  const length = String(Buffer.byteLength(answer.body));
  return { ...answer, headers: { ...answer.headers, "content-length": length, ...headers } };
}

export function sendProblem(response: ServerResponse, problem: EdgeProblem): void {
  const { status, headers, body } = buildProblemResponse(problem);
  response.writeHead(status, toRawHeaders(headers)).end(body);
}

/** Writes the problem to a socket without a `ServerResponse`, and closes the socket. */
export function endSocket(socket: Duplex, problem: EdgeProblem): void {
  if (!socket.writable) return void socket.destroy();
  const { status, headers, body } = buildProblemResponse(problem);
  const fields = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${toHeaderName(name)}: ${value}`,
  );
  const head = [`HTTP/1.1 ${status} ${REASONS[status]}`, ...fields, "", body];
  socket.end(head.join("\r\n"), () => socket.destroy());
}

function startsWithLongLine(packet: Buffer = Buffer.alloc(0)): boolean {
  const end = packet.indexOf("\n");
  return (end === -1 ? packet.length : end) > MAX_TARGET_CHARS;
}
