/** Runs probes, which ask a server. A probe restarts after each missing response. No request is sent twice, except after a 429. */

import { tryParseJson } from "../linter/traffic.ts";
import type { Ask, Json, ProbeOptions, ProbeReply } from "../operation/probe.ts";
import type { Service } from "../operation/service.ts";
import { isLoopbackHost } from "../sandbox/addresses.ts";
import { wallClock } from "../world/clock.ts";

const MAX_REQUESTS = 60;
const PAUSE_MS = 1000;
const MAX_RETRY_AFTER_S = 120;
const TIMEOUT_MS = 30_000;

/** Error that stops all further requests to a server. */
export class ServerFailure extends Error {}

export type ServerOptions = {
  readonly service: Service;
  /** Base URL, without a slash at the end. */
  readonly url: string;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly wall?: typeof wallClock;
};

export type Server = ReturnType<typeof createServer>;

export function createServer(options: ServerOptions) {
  const { service, url, fetch = globalThis.fetch, wall = wallClock } = options;
  /** Texts such as passwords, which `hide` replaces by `[redacted]`. */
  const secrets: string[] = [];
  const pauseMs = isLoopbackHost(new URL(url).hostname) ? 0 : PAUSE_MS;
  let sent = 0;
  const replies = new Map<string, ProbeReply>();
  const find = (line: string, given: ProbeOptions = {}): ProbeReply => {
    const request = { accept: service.probes?.media[0] ?? "", authorization: ask.authorization, ...given };
    const key = JSON.stringify([line, request]);
    const reply = replies.get(key);
    if (reply === undefined) throw send(line, request).then((sent) => replies.set(key, sent));
    return reply;
  };
  const ask: Ask = Object.assign(find, { authorization: "" });
  const fail = (what: string) => new ServerFailure(`${url} ${hide(what)}.`);
  const hide = (text: string): string =>
    secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
  /** Replaces credentials and base URL in the text, so that texts of two servers can be compared. */
  const clean = (text: string): string => hide(text).replaceAll(url, "BASE");

  async function send(line: string, { accept = "", authorization, type, body }: ProbeOptions) {
    const [path, method = "GET"] = line.split(" ").reverse();
    const headers = new Headers({ accept });
    if (authorization) headers.set("authorization", authorization);
    if (type !== undefined) headers.set("content-type", type);
    for (;;) {
      if (sent === MAX_REQUESTS) throw fail(`needs more than ${MAX_REQUESTS} requests`);
      if (sent++ > 0) await wall.pause(pauseMs);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const init = { method, headers, body: body ?? null, redirect: "manual", signal } as const;
      const reply = await fetch(url + path, init).catch(({ name, cause }) => {
        const code = String(cause?.code ?? cause?.message ?? name);
        const isTls = /CERT|TLS|SSL|SIGN|EPROTO/.test(code);
        throw fail(`${isTls ? "has no valid TLS certificate" : "does not answer"} (${code})`);
      });
      const text = await reply.text().catch(() => {
        throw fail(`closes the connection during its response to ${line}`);
      });
      const { status } = reply;
      if (status > 500) throw fail(`fails with ${status}`);
      const media = reply.headers.get("content-type")?.split(";")[0] ?? "";
      const json = media.includes("json") ? tryParseJson(text) : undefined;
      if (status !== 429) return { status, headers: reply.headers, media, body: (json ?? {}) as Json };
      const after = reply.headers.get("retry-after") ?? "none";
      if (!(Number(after) <= MAX_RETRY_AFTER_S)) throw fail(`limits requests (429, Retry-After: ${after})`);
      await wall.pause(Number(after) * 1000);
    }
  }

  /** Calls `see` again after each missing response arrives. Rejects with a ServerFailure if the server fails. */
  async function run<T>(see: (ask: Ask) => T): Promise<T> {
    for (;;) {
      try {
        return see(ask);
      } catch (error) {
        if (!(error instanceof Promise)) throw error;
        await error; // `ask` throws a promise of the missing response.
      }
    }
  }

  /** Throws a ServerFailure with a reason if the response is not the expected one. */
  function assertReply({ status, headers, media }: ProbeReply, isExpected: boolean): void {
    if (status >= 300 && status < 400) throw fail(`redirects to ${headers.get("location")}; use that URL`);
    if (status === 401 || status === 403) throw fail(`rejects the credentials (${status})`);
    if (status >= 500) throw fail(`fails with ${status}`);
    if (media === "text/html") throw fail("returns a web page; use the URL of the API");
    if (status !== 200 || !isExpected) throw fail(`is not the service "${service.title}"`);
  }

  return { service, ask, secrets, clean, run, assertReply };
}
