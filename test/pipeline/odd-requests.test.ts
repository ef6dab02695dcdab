// Requests that are not quite as expected: what becomes of them, for the client and in the journal.

import { describe, expect } from "vitest";
import { splitUrl, toRequestHeaders } from "../../src/http/incoming-request.ts";
import { type Access, findAccessProblem } from "../../src/pipeline/guard.ts";
import { isAnnouncedEmpty, WebRequest } from "../../src/pipeline/web-request.ts";
import { ADA, call, goodAction } from "../support/account.ts";
import { ask, MUSEUM } from "../support/museum.ts";
import { atOnce, frozenSandbox, test, testOfMistakes } from "../support/test.ts";

const HOURS = { operation: "museum.getMuseumHours" } as const;

describe("a path", () => {
  testOfMistakes("that is only a base URL counts as / of its service", async ({ sandbox }) => {
    const met = await ask(sandbox, "GET ");
    expect(met.status).toBe(404);
    expect(sandbox.journal.last).toMatchObject({ base: MUSEUM, path: "/", service: "museum" });
  });

  testOfMistakes("that does not exist returns 404 for OPTIONS too", async ({ sandbox }) => {
    expect((await ask(sandbox, "OPTIONS /special-events")).status).toBe(204);
    expect((await ask(sandbox, "OPTIONS /exhibits")).status).toBe(404);
  });

  testOfMistakes(
    "with a trailing slash is redirected only if GET can read it without the slash",
    async ({ sandbox }) => {
      const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
      const met = async (method: string, path: string) => {
        const { status, headers: got } = await sandbox.fetch(`/account${path}`, { method, headers });
        return [status, got.get("location")];
      };
      for (const method of ["GET", "HEAD"]) expect((await met(method, "/pre-sales/"))[0], method).toBe(301);
      expect((await met("GET", "/pre-sales///"))[1]).toMatch(/\/account\/pre-sales$/);
      for (const method of ["POST", "DELETE"])
        expect((await met(method, "/pre-sales/"))[0], method).not.toBe(301);
      expect((await met("GET", "/nowhere/"))[0]).toBe(404);
    },
  );

  testOfMistakes("outside of all services is refused by the sandbox itself", async ({ sandbox }) => {
    const reply = await sandbox.fetch("/apple-touch-icon.png");
    expect(await reply.json()).toEqual({
      type: "urn:vitrine:sandbox",
      title: "Rejected by the sandbox",
      status: 404,
      detail: "Nothing is served at /apple-touch-icon.png.",
    });
    expect((await sandbox.fetch("/robots.txt")).headers.get("content-type")).toBe(
      "text/plain; charset=utf-8",
    );
  });
});

describe("an input", () => {
  test("that the operation does not know gets one finding for each unknown part", async ({ sandbox }) => {
    const [event] = sandbox.data.museum.specialEvents.all();
    const found = await ask(sandbox, `PATCH /special-events/${event?.eventId}?colour=red`, {
      body: { price: 1, prise: 2 },
    });
    expect(found.status).toBe(200);
    expect(sandbox.journal.last?.findings).toEqual([
      {
        key: "unknownQuery",
        message: 'museum.updateSpecialEvent has no "colour" in its query.',
      },
      { key: "unknownField", message: 'museum.updateSpecialEvent has no "prise" in its body.' },
    ]);
  });

  test.for(["utf-8", '"UTF8"', "us-ascii", "iso-8859-1", "utf-16"])(
    "with the charset %s is read as UTF-8 because it is JSON",
    async (charset, { sandbox }) => {
      const event = { name: "N\u00e4cht", location: "B", eventDescription: "C", dates: [], price: 1 };
      const headers = { "content-type": `application/json; charset=${charset}` };
      const created = await ask(sandbox, "POST /special-events", { body: event, headers });
      expect(created).toMatchObject({ status: 201, body: event });
      const action = await call(sandbox, "POST /pre-sale-actions", { body: goodAction(sandbox), headers });
      expect(action.status).toBe(201);
      const login = await call(sandbox, "POST /login", { token: false, body: ADA, headers });
      expect(login.status).toBe(200);
    },
  );
});

testOfMistakes(
  "an internal error is reported as one of the sandbox to the client, and with its reason in the journal",
  async ({ sandbox }) => {
    const [event] = sandbox.data.museum.specialEvents.all();
    if (event === undefined) return expect.unreachable("the base data has events");
    const { store } = sandbox.core.world;
    store.collection("museum/specialEvents").set(event.eventId, { ...event, price: "free" });
    const met = await ask(sandbox, `GET /special-events/${event.eventId}`);
    expect(met).toMatchObject({ status: 500, body: { type: "urn:vitrine:defect", exchange: 1 } });
    expect(met.headers.get("x-vitrine-defect")).toBe("1");
    expect(sandbox.journal.last?.findings).toEqual([
      {
        key: "defect",
        message: expect.stringContaining("get /special-events/{eventId} returned an invalid body"),
      },
    ]);
    expect(sandbox.report().failures).toEqual([
      expect.stringMatching(
        /^#1 GET \/special-events\/\S+: internal error of the sandbox: .*returned an invalid body.*$/,
      ),
    ]);
  },
);

test("a dribbled response keeps its Content-Length, and a slow-close response has none", async () => {
  await using sandbox = await frozenSandbox({ wall: atOnce });
  const whole = await ask(sandbox, "GET /museum-hours");
  sandbox.use({ when: HOURS, limit: { times: 1 }, then: { delay: { dribble: { chunks: 2, over: "2ms" } } } });
  const dribbled = await ask(sandbox, "GET /museum-hours");
  expect(dribbled.headers.get("content-length")).toBe(whole.headers.get("content-length"));
  expect(dribbled.text).toBe(whole.text);
  sandbox.use({ when: HOURS, limit: { times: 1 }, then: { fault: "slow-close" } });
  const slow = await ask(sandbox, "GET /museum-hours");
  expect(slow.headers.get("content-length")).toBeNull();
});

describe("the check for a request body", () => {
  const streamOf = (...chunks: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
  const requestWith = (body: ReadableStream | null, headers: Record<string, string> = {}) =>
    new WebRequest(
      new Request("http://localhost/_vitrine/reset", {
        method: "POST",
        body,
        headers,
        duplex: "half",
      } as RequestInit),
    );

  test("uses the headers, and otherwise looks whether any bytes arrive", async () => {
    expect(await requestWith(null).isEmpty()).toBe(true);
    expect(await requestWith(streamOf()).isEmpty()).toBe(true);
    expect(await requestWith(streamOf("{}")).isEmpty()).toBe(false);
    const announced = [
      { "content-length": "0" },
      { "content-length": "2" },
      { "transfer-encoding": "chunked" },
      {},
    ];
    expect(announced.map((headers) => isAnnouncedEmpty(toRequestHeaders(headers)))).toEqual([
      true,
      false,
      false,
      undefined,
    ]);
  });

  test("consumes no part of the body", async () => {
    const request = requestWith(streamOf('{"a":', "1}"));
    expect(await request.isEmpty()).toBe(false);
    expect(new TextDecoder().decode(await request.bytes(100))).toBe('{"a":1}');
    expect(await requestWith(streamOf("12", "3")).bytes(2)).toBeUndefined();
    expect(await requestWith(streamOf("12", "3")).bytes(3)).toHaveLength(3);
  });

  test("lets the control API accept a change without a body", async ({ sandbox }) => {
    const headers = { "content-type": "application/json" };
    const send = (body: ReadableStream) =>
      sandbox.fetch("/_vitrine/snapshots", { method: "POST", headers, body, duplex: "half" } as RequestInit);
    expect(await (await send(streamOf())).json()).toEqual({ id: "s1" });
    expect(await (await send(streamOf('{"name":', '"before"}'))).json()).toEqual({ id: "before" });
    expect((await send(streamOf(" "))).status).toBe(400);
  });
});

describe("the guard", () => {
  const access: Access = {
    allowedHosts: [],
    allowedOrigins: ["https://app.example.test"],
    isControlToken: undefined,
    origins: () => ["http://192.0.2.1:4010"],
  };
  const refusal = (url: string, headers: Record<string, string> = {}, change: Partial<Access> = {}) => {
    const address = splitUrl(url);
    const asked = { method: "GET", address, headers: toRequestHeaders(headers) } as never;
    return findAccessProblem(asked, address.pathname, { ...access, ...change });
  };
  const STATE = "http://192.0.2.1:4010/_vitrine/state";

  test("serves the bound address, and its error names the option that allows another", () => {
    expect(refusal(STATE)).toBeUndefined();
    expect(refusal("http://192.0.2.2:4010/_vitrine/state")).toEqual({
      status: 403,
      message:
        'The host name "192.0.2.2" is not allowed. Allow it with the option allowedHosts (--allowed-host 192.0.2.2).',
    });
  });

  test("names the header of a page of another origin, and accepts a URL that a person typed", () => {
    expect(refusal(STATE, { "sec-fetch-site": "none" })).toBeUndefined();
    expect(refusal(STATE, { "sec-fetch-site": "same-origin" })).toBeUndefined();
    for (const [headers, sign] of [
      [{ "sec-fetch-site": "cross-site" }, "Sec-Fetch-Site"],
      [{ origin: "http://evil.example" }, "Origin"],
    ] as const)
      expect(refusal(STATE, headers)?.message).toBe(
        `Pages of other origins must not use the control API (header ${sign}).`,
      );
    expect(refusal(STATE, { origin: "http://192.0.2.1:4010" })).toBeUndefined();
  });

  test("accepts the token with any spacing, and no other token", () => {
    const isControlToken = (given: string) => given === "sesame";
    for (const authorization of ["Bearer sesame", "bearer   sesame"])
      expect(refusal(STATE, { authorization }, { isControlToken })).toBeUndefined();
    for (const authorization of [
      "sesame",
      "Basic sesame",
      "Bearer sesam",
      "Bearer sesame2",
      "x Bearer sesame",
    ])
      expect(refusal(STATE, { authorization }, { isControlToken })?.status, authorization).toBe(401);
  });
});

describe("with a control token", () => {
  test.override({ options: { controlToken: "sesame" } });
  const PERSON = { accept: "text/html,*/*" };

  test("a browser at the dashboard is redirected to the page that asks for it, and a program gets 401", async ({
    sandbox,
  }) => {
    for (const path of ["/_vitrine", "/_vitrine/"]) {
      const led = await sandbox.fetch(`${path}?x=1`, { headers: PERSON });
      expect([led.status, led.headers.get("location")]).toEqual([302, "/_vitrine/locked?x=1"]);
    }
    const others: [path: string, headers: Record<string, string>][] = [
      ["/_vitrine/state", PERSON],
      ["/_vitrine/", { accept: "application/json, text/html" }],
      ["/_vitrine/", {}],
    ];
    for (const [path, headers] of others) expect((await sandbox.fetch(path, { headers })).status).toBe(401);
    const foreign = await sandbox.fetch("/_vitrine/", {
      headers: { ...PERSON, "sec-fetch-site": "cross-site" },
    });
    expect(foreign.status).toBe(403);
  });
});
