// Each fault as a page in headless Chromium meets it. The page is served from another loopback port, like a front end
// under development.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import type { FaultKind } from "../../src/rules/effect.ts";

const HOURS = { operation: "museum.getMuseumHours" } as const;
let sandbox: Awaited<ReturnType<typeof createSandbox>>;
let front: Server;
let browser: Browser;
let page: Page;
let url: string;

beforeAll(async () => {
  sandbox = await createSandbox({ clock: "2026-03-02T09:00:00Z" });
  url = `${(await sandbox.listen()).urls["museum"]}/museum-hours`;
  front = createServer((_request, response) => response.end("<!doctype html><title>front end</title>"));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  page = await browser.newPage();
  await page.goto(`http://localhost:${(front.address() as AddressInfo).port}/`); // a TCP server has a port
});
afterAll(async () => {
  await browser?.close();
  front?.close();
  await sandbox?.close();
});
beforeEach(() => sandbox.reset());

type Met = { readonly status?: number; readonly error?: string; readonly length?: number };

/** What fetch in the page reports, and how the network names it. */
async function meet(signalMs?: number): Promise<Met & { readonly network: string | undefined }> {
  let network: string | undefined;
  const listen = (request: { failure(): { errorText: string } | null }): void => {
    network = request.failure()?.errorText;
  };
  page.on("requestfailed", listen);
  const met = await page.evaluate(
    async ({ url, authorization, signalMs }): Promise<Met> => {
      let status: number | undefined;
      try {
        const signal = signalMs === undefined ? null : AbortSignal.timeout(signalMs);
        const reply = await fetch(url, { headers: { authorization }, signal });
        status = reply.status;
        return { status, length: (await reply.text()).length };
      } catch (error) {
        const { name } = error as Error; // fetch rejects with nothing else
        return status === undefined ? { error: name } : { status, error: name };
      }
    },
    { url, signalMs, ...sandbox.auth.basic() },
  );
  page.off("requestfailed", listen);
  return { ...met, network };
}

const FAILED = {
  reset: { error: "TypeError", network: "net::ERR_CONNECTION_RESET" },
  empty: { error: "TypeError", network: "net::ERR_EMPTY_RESPONSE" },
  garbage: { error: "TypeError", network: "net::ERR_INVALID_HTTP_RESPONSE" },
  truncate: { status: 200, error: "TypeError", network: "net::ERR_CONTENT_LENGTH_MISMATCH" },
  "bad-chunk": { status: 200, error: "TypeError", network: "net::ERR_INVALID_CHUNKED_ENCODING" },
} satisfies Readonly<Record<Exclude<FaultKind, "hang" | "slow-close" | "dribble">, object>>;

describe("in a page", () => {
  test.each(Object.keys(FAILED) as (keyof typeof FAILED)[])(
    "the fault %s is a failed request",
    async (fault) => {
      sandbox.use({ when: HOURS, then: { fault } });
      expect(await meet()).toEqual(FAILED[fault]);
      expect(sandbox.journal.last?.fault).toBe(fault);
    },
  );

  test("the fault hang lasts until the page aborts", async () => {
    sandbox.use({ when: HOURS, then: { fault: "hang" } });
    expect(await meet(100)).toMatchObject({ error: "TimeoutError" });
  });

  test.each(["slow-close", "dribble"] as const)("the fault %s delivers the whole response", async (fault) => {
    const { length } = await meet();
    sandbox.use({ when: HOURS, then: { fault } });
    expect(await meet()).toEqual({ status: 200, length, network: undefined });
  });
});
