/** HTTP and HTTPS server. Listens on the IPv4 and IPv6 loopback addresses by default, and closes within a time limit. */

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createSecureContext, type SecureContextOptions as Tls } from "node:tls";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { UsageError } from "../../errors/usage-error.ts";
import type { OutgoingResponse } from "../../pipeline/outgoing-response.ts";
import { cutsBody } from "../../rules/effect.ts";
import { LOOPBACK_ADDRESSES } from "../../sandbox/addresses.ts";
import type { HandleRequest, Listen } from "../../server/runtime.ts";
import { clearTimeout, setImmediate, setTimeout } from "../../world/timers.ts";
import { injectFault } from "./faults.ts";
import {
  createConnectProblem,
  type EdgeProblem,
  endSocket,
  findRequestProblem,
  isServerOptions,
  sendProblem,
  sendServerOptions,
  toParserProblem,
} from "./refuse.ts";
import { send } from "./send.ts";
import { SocketRequest } from "./socket-request.ts";

/** Maximum time in ms that `close` waits for pending responses. */
const GRACE_MS = 900;
const MAX_ATTEMPTS = 20;
const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Node's default of 5 s can close a connection while a slow client sends a request, which causes a reset.
  keepAliveTimeout: 60_000,
  // If Host is missing, Node would send a 400 without a body. `findRequestProblem` returns a problem that explains it.
  requireHostHeader: false,
};
const MAX_CONNECTIONS = 1_024;

export const listen: Listen = async (answer, { port = 0, host, cert, key } = {}) => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const message = `${port} is not a port. Choose one from 1 to 65535, or 0 for any free one.`;
    throw new UsageError("badOption", message);
  }
  const tls = readCertificate(cert, key);
  const hosts = host === undefined ? LOOPBACK_ADDRESSES : [host];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOn(hosts, port, answer, tls);
    } catch (error) {
      // For port 0, the system chooses a port that is free for IPv4. Retry if that port is taken for IPv6.
      const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!taken || port !== 0 || attempt === MAX_ATTEMPTS) throw toUsageError(error, port, hosts);
    }
  }
};

/** Reads certificate and key; undefined if neither path is set. Throws a UsageError if they are invalid or do not match. */
function readCertificate(cert?: string, key?: string): Tls | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError("badOption", "https needs both a certificate and its key: --cert and --key.");
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    const { reason, message } = cause as Error & { readonly reason?: string };
    const text = `${cert} and ${key} are not a certificate and its key in PEM format: ${reason ?? message}.`;
    throw new UsageError("badOption", text, {}, { cause });
  }
}

async function listenOn(hosts: readonly string[], port: number, answer: HandleRequest, tls?: Tls) {
  const edges: Edge[] = [];
  let bound = port;
  for (const host of hosts) {
    const edge = new Edge(answer, tls);
    try {
      bound = await edge.bind(bound, host);
      edges.push(edge);
    } catch (error) {
      if (edges.length > 0 && isFamilyMissing(error)) continue;
      await Promise.all(edges.map((other) => other.close()));
      throw error;
    }
  }
  const [name = "localhost"] = hosts.length > 1 ? [] : hosts;
  const scheme = tls === undefined ? "http" : "https";
  return {
    port: bound,
    origin: `${scheme}://${name.includes(":") ? `[${name}]` : name}:${bound}`,
    close: async () => void (await Promise.all(edges.map((edge) => edge.close()))),
    closeIdle(isAffected: (request: IncomingMessage) => boolean) {
      for (const edge of edges) edge.closeIdle(isAffected);
    },
  };
}

/** A server on one address, with its open sockets. */
class Edge {
  readonly #server: Server;
  readonly #serve: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  /** Open sockets with their newest response. */
  readonly #sockets = new Map<Socket, ServerResponse | undefined>();
  /** Only with TLS: the TCP sockets below the TLS sockets, because only a TCP socket can send a reset. */
  readonly #plain = new Set<Socket>();
  #closing: Promise<void> | undefined;

  constructor(answer: HandleRequest, tls?: Tls) {
    this.#serve = getRequestListener(
      (request, bindings) => {
        const { incoming, outgoing } = bindings as HttpBindings; // Safe cast: the other bindings are for HTTP/2.
        serveRequest(answer, request, incoming, outgoing);
        return RESPONSE_ALREADY_SENT;
      },
      {
        overrideGlobalObjects: false,
        // Host name for HTTP/1.0 requests without a Host header.
        hostname: "localhost",
        // Rethrow the error, so that `#accept` writes the error response.
        errorHandler: (error) => {
          throw error;
        },
      },
    );
    const accept = (request: IncomingMessage, response: ServerResponse) => this.#accept(request, response);
    const options = { ...SERVER_OPTIONS, ...tls };
    this.#server = tls === undefined ? createServer(options, accept) : createSecureServer(options, accept);
    // Disables Node's limit, which drops headers silently. `findRequestProblem` limits their number instead.
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connection", (socket: Socket) => {
      if (tls === undefined) return this.#watch(socket);
      this.#plain.add(socket);
      socket.once("close", () => this.#plain.delete(socket));
    });
    this.#server.on("secureConnection", (socket: Socket) => {
      const { remoteAddress, remotePort } = socket;
      const isBelow = (one: Socket) => one.remotePort === remotePort && one.remoteAddress === remoteAddress;
      const plain = [...this.#plain].find(isBelow);
      socket.resetAndDestroy = () => plain?.resetAndDestroy() ?? socket.destroy();
      this.#watch(socket);
    });
    this.#server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      // Close the connection unless a 100 is sent: without it, the client may or may not send its body.
      const { shouldKeepAlive } = response;
      response.shouldKeepAlive = false;
      request.once("resume", () => {
        if (response.headersSent) return;
        response.shouldKeepAlive = shouldKeepAlive && this.#closing === undefined;
        response.writeContinue();
      });
      this.#accept(request, response);
    });
    this.#server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
      const detail = "The only expectation is 100-continue.";
      sendProblem(response, { status: 417, detail, headers: { connection: "close" } });
    });
    this.#server.on("connect", (_request, socket) => endSocket(socket, createConnectProblem()));
    this.#server.on("clientError", (error, socket) => {
      const problem = toParserProblem(error);
      if (problem === undefined) socket.destroy();
      // After the response to a rejected request, its body can cause a parser error, which needs no second response.
      else if (this.#isAnswering(socket as Socket))
        (socket as Socket).destroySoon(); // Safe cast: an HTTP server has TCP sockets.
      else endSocket(socket, problem);
    });
  }

  /** Resolves with the bound port. */
  bind(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ port, host, ipv6Only: host === "::1" }, () => {
        this.#server.off("error", reject);
        resolve((this.#server.address() as AddressInfo).port); // Safe cast: the address of a TCP server has a port.
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      const timer = setTimeout(() => this.#destroy([...this.#sockets.keys(), ...this.#plain]), GRACE_MS);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      for (const response of this.#sockets.values()) if (isInFlight(response)) this.#makeLast(response);
      // Wait for one turn of the event loop, so that requests already received get a response.
      setImmediate(() => this.#destroyIdle());
    });
    return this.#closing;
  }

  closeIdle(isAffected: (request: IncomingMessage) => boolean): void {
    for (const [socket, response] of this.#sockets)
      if (response?.closed && isAffected(response.req)) socket.destroy();
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    this.#sockets.set(request.socket, response);
    if (this.#closing !== undefined) this.#makeLast(response);
    const problem = findRequestProblem(request);
    if (isServerOptions(request)) sendServerOptions(response);
    else if (problem !== undefined) sendProblem(response, problem);
    else this.#serve(request, response).catch((error) => rejectLate(error, response));
  }

  /** Closes the socket after this response. */
  #makeLast(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    response.once("close", () => this.#destroyIdle());
  }

  #watch(socket: Socket): void {
    this.#sockets.set(socket, undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #isAnswering(socket: Socket): boolean {
    const response = this.#sockets.get(socket);
    return isInFlight(response) && response.headersSent;
  }

  #destroyIdle(): void {
    this.#destroy([...this.#sockets].flatMap(([socket, response]) => (isInFlight(response) ? [] : [socket])));
  }

  #destroy(sockets: readonly Socket[]): void {
    for (const socket of sockets) socket.destroy();
  }
}

function isInFlight(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.closed;
}

/** Calls `answer` and sends its response. Stays synchronous if `answer` returns no promise. */
function serveRequest(
  answer: HandleRequest,
  request: Request,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const sent = answer(new SocketRequest(request, incoming));
  if (sent instanceof Promise)
    sent.then((late) => sendResponse(late, incoming, outgoing)).catch((error) => rejectLate(error, outgoing));
  else sendResponse(sent, incoming, outgoing);
}

function sendResponse(sent: OutgoingResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  // A truncated response closes its connection anyway. `Connection: close` would change the error that clients report.
  if (sent.last && !cutsBody(sent.fault?.kind)) outgoing.shouldKeepAlive = false;
  if (sent.fault === undefined) send(sent, outgoing);
  else injectFault(sent.fault, sent, incoming, outgoing);
}

/** Sends a 400 for an invalid URL, otherwise a 500 without a stack trace. Disconnects if the headers are already sent. */
function rejectLate(error: unknown, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else if (error instanceof Error && error.name === "RequestError") sendProblem(response, INVALID_TARGET);
  else sendProblem(response, { status: 500, detail: "Internal error of the sandbox." });
}

const INVALID_TARGET: EdgeProblem = {
  status: 400,
  detail: "The Host header and the request target do not form a valid URL.",
};

function isFamilyMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}

function toUsageError(error: unknown, port: number, hosts: readonly string[]): Error {
  const { code } = error as NodeJS.ErrnoException;
  const cause = { cause: error };
  if (code === "EADDRINUSE") {
    const message = `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`;
    return new UsageError("portInUse", message, {}, cause);
  }
  const where = `${hosts.join(" and ")}, port ${port}`;
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "no permission",
    EADDRNOTAVAIL: "it is not an address of this machine",
    ENOTFOUND: "host not found",
  };
  const reason = reasons[code ?? ""];
  if (reason === undefined) return error as Error; // Safe cast: listen() rejects only with Error objects.
  return new UsageError("badOption", `Cannot listen on ${where}: ${reason}.`, {}, cause);
}
