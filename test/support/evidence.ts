// Commands that ask servers, run without a process; and servers that differ from the sandbox.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import { ADA } from "./account.ts";
import type { Json } from "./request.ts";

export const PAIR = { user: "guide", password: "secret-pass" };

/** A folder with the files of the flags; gone at the end of the test. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), "evidence-"));
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("login"), JSON.stringify(ADA));
  writeFileSync(at("basic"), `${PAIR.user}:${PAIR.password}\n`);
  return {
    at,
    /** `--login FILE --out FILE` */
    flags: (...names: readonly string[]): string[] => names.flatMap((name) => [`--${name}`, at(name)]),
    read: (name: string): Json => JSON.parse(readFileSync(at(name), "utf8")),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** A sandbox that listens. */
export async function listen(options: SandboxOptions = {}) {
  const sandbox = await createSandbox(options);
  const { urls } = await sandbox.listen({ port: 0 });
  return { sandbox, urls, [Symbol.asyncDispose]: () => sandbox.close() };
}

/** A server with this behavior, on a free port. */
export async function serve(fetch: (request: Request) => Response | Promise<Response>) {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

export type Reply = { status: number; readonly headers: Headers; text: string };

/** A sandbox whose replies this function changes. `path`: below the base URL. */
export async function serveChanged(change: (path: string, reply: Reply) => void, options?: SandboxOptions) {
  const sandbox = await createSandbox(options);
  const server = await serve(async (request) => {
    const answer = await sandbox.answer(request);
    const headers = new Headers(answer.headers);
    const reply: Reply = { status: answer.status, headers, text: await answer.text() };
    change(new URL(request.url).pathname.replace(/^\/(account|museum\/v1\.1)/, ""), reply);
    headers.delete("content-length");
    return new Response(reply.text || null, { status: reply.status, headers });
  });
  return { url: `${server.url}/account`, sandbox, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}
