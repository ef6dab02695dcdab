// Owns the sockets: binding to both loopback families, refusing what no service should see, closing in time.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { UsageError } from "../world/usage-error.ts";

export type Fetch = (request: Request) => Response | Promise<Response>;

export type ListenOptions = {
  /** 0, the default: any free port. */
  readonly port?: number | undefined;
  /** Default: both loopback families. */
  readonly host?: string | undefined;
};

export type Listening = { readonly port: number; readonly origin: string; close(): Promise<void> };

const GRACE_MS = 1_000;

/** Resolves when bound, rejects when not. */
export async function listen(fetch: Fetch, { port = 0, host }: ListenOptions = {}): Promise<Listening> {
  const hosts = host === undefined ? ["127.0.0.1", "::1"] : [host];
  const servers: Server[] = [];
  let bound = port;
  for (const [index, address] of hosts.entries()) {
    const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
    try {
      bound = await bind(server, bound, address);
      servers.push(server);
    } catch (error) {
      if (index > 0 && isFamilyMissing(error)) continue;
      await Promise.all(servers.map(closeServer));
      throw toUsageError(error, bound, address);
    }
  }
  const origin = `http://${host === undefined ? "localhost" : host.includes(":") ? `[${host}]` : host}:${bound}`;
  return { port: bound, origin, close: async () => void (await Promise.all(servers.map(closeServer))) };
}

function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, ipv6Only: host === "::1" }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port); // a TCP server has a port
    });
  });
}

/** Ends within a second, whatever the sockets do: requests in flight get that time, then every socket is destroyed. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS - 100);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function isFamilyMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}

function toUsageError(error: unknown, port: number, host: string): Error {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error as Error;
  return new UsageError(
    "portInUse",
    `Port ${port} on ${host} is in use. Choose another, or --port 0 for any free one.`,
    {},
    { cause: error },
  );
}
