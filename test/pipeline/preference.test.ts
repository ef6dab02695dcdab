// `Prefer: code=404` asks for an answer; the answer says whether it is that one.

import { describe, expect } from "vitest";
import { listOperations, listProblems } from "../../src/operation/service.ts";
import { account } from "../../src/services/account/index.ts";
import { museum } from "../../src/services/museum/index.ts";
import { call } from "../support/account.ts";
import { ask } from "../support/museum.ts";
import { test } from "../support/test.ts";

describe("a response that matches the Prefer header", () => {
  test.for([
    ["GET /special-events", "code=400", 400, "code=400"],
    ["GET /special-events", "respond-async, code = 401", 401, "code=401"],
    ["GET /tickets/00000000-0000-4000-8000-000000000000/qr", "code=404", 404, "code=404"],
    ["GET /special-events", "code=503", 503, "code=503"],
    ["GET /special-events", "code=200", 200, "code=200"],
    ["GET /special-events?page=0", 'code="400"', 400, "code=400"],
    ["GET /special-events", "problem=invalidInput", 400, "problem=invalidInput"],
  ] as const)("names the preference: %s, %s", async ([line, prefer, status, applied], { sandbox }) => {
    const { headers, ...answer } = await ask(sandbox, line, { headers: { prefer } });
    expect(answer.status).toBe(status);
    expect(headers.get("preference-applied")).toBe(applied);
    expect(headers.has("x-vitrine-preference")).toBe(false);
    expect(sandbox.journal.last?.responseHeaders).toMatchObject({ "preference-applied": applied });
  });

  test.for([
    ["museum/v1.1/museum-hours", "application/problem+json", { title: "Service Unavailable" }],
    [
      "account/pre-sales",
      "application/ld+json; charset=utf-8",
      { "@type": "hydra:Error", "hydra:description": "Service Unavailable" },
    ],
  ] as const)(
    "with the status 503 has the form of the service: %s",
    async ([path, type, body], { sandbox }) => {
      const { url, close } = await sandbox.listen({ port: 0 });
      const credentials = path.startsWith("museum")
        ? sandbox.auth.basic()
        : { authorization: `Bearer ${sandbox.auth.token()}` };
      const answers = [];
      for (const fetched of [sandbox.fetch, fetch]) {
        const response = await fetched(`${url}/${path}`, { headers: { ...credentials, prefer: "code=503" } });
        const headers = new Map(response.headers);
        for (const name of ["connection", "keep-alive"]) headers.delete(name);
        answers.push({ status: response.status, headers, text: await response.text() });
      }
      await close();
      const [answer, overSocket] = answers;
      expect(overSocket).toEqual(answer);
      expect(answer).toMatchObject({ status: 503 });
      expect(JSON.parse(answer?.text ?? "")).toMatchObject(body);
      expect(answer?.headers.get("content-type")).toBe(type);
      expect(answer?.headers.get("x-content-type-options")).toBe("nosniff");
      expect(sandbox.journal.last).toMatchObject({ status: 503, problem: "serverError" });
    },
  );

  test.for([500, 501, 502, 504, 507, 520, 599])("may have the status %i", async (code, { sandbox }) => {
    const prefer = `code=${code}`;
    const answers = [
      await ask(sandbox, "GET /special-events", { headers: { prefer } }),
      await call(sandbox, "GET /users/me", { accept: "application/json", headers: { prefer } }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(code);
      expect(body).toHaveProperty("title");
    }
  });

  test("has the status that the problem has under the current settings", async ({ sandbox }) => {
    const prefer = (code: number) =>
      ask(sandbox, "GET /special-events", { headers: { prefer: `code=${code}` } });
    expect((await prefer(422)).status).toBe(200);
    await sandbox.scenario({ version: 1, title: "422", settings: { museum: { validationStatus: 422 } } });
    expect(await prefer(422)).toMatchObject({
      status: 422,
      body: { type: "urn:museum:problem:invalidInput" },
    });
    const { status, headers } = await prefer(400);
    expect(status).toBe(200);
    expect(headers.get("x-vitrine-preference")).toMatch(
      /does not document 400\. Known: 401, 422, and any 5xx\.$/,
    );
  });
});

describe("a preferred problem takes precedence over the error of a request", () => {
  const refused = [
    ["without credentials", { headers: { authorization: "" } }],
    ["with a body that is no JSON", { body: "{" }],
    ["with a body that does not fit", { body: {} }],
    ["of another media type", { body: {}, headers: { "content-type": "text/plain" } }],
    ["that accepts nothing served", { body: {}, headers: { accept: "image/png" } }],
  ] as const;
  const operations = listOperations([museum, account]);
  test.for(refused)("%s", async ([, question], { sandbox }) => {
    for (const { name, service, operation } of operations)
      for (const problem of listProblems(service, operation)) {
        const line = `${operation.method.toUpperCase()} ${operation.path.replaceAll(/\{\w+\}/g, "none")}`;
        const headers = { ...("headers" in question ? question.headers : {}), prefer: `problem=${problem}` };
        const send = service === museum ? ask : call;
        const body = operation.request.body && "body" in question ? question.body : undefined;
        const answer = await send(sandbox, line, { body, headers });
        expect(answer.headers.get("preference-applied"), `${name} ${problem}`).toBe(`problem=${problem}`);
        expect(sandbox.journal.last, `${name} ${problem}`).toMatchObject({
          problem,
          rules: [{ rule: "request" }],
        });
      }
  });

  test("and so does a preferred fault", async ({ sandbox }) => {
    const headers = { authorization: "", prefer: "fault=reset" };
    await expect(ask(sandbox, "POST /special-events", { body: "{", headers })).rejects.toThrow();
    expect(sandbox.journal.last).toMatchObject({ fault: "reset" });
  });

  test("but an unknown problem returns 400, and a success status is not forced", async ({ sandbox }) => {
    const send = (prefer: string) => ask(sandbox, "POST /special-events", { body: {}, headers: { prefer } });
    expect(await send("problem=eventGone")).toMatchObject({ status: 400, body: { detail: /eventGone/ } });
    expect((await send("code=201")).headers.get("x-vitrine-preference")).toMatch(/201 is not an error/);
  });
});

describe("a response that does not match the Prefer header", () => {
  test.for([
    [
      "GET /special-events",
      "code=404",
      /^museum\.listSpecialEvents does not document 404\. Known: 400, 401, and any 5xx\.$/,
    ],
    ["GET /museum-hours", "code=418", /^museum\.getMuseumHours does not document 418\./],
    ["GET /special-events", "code=201", /^The response 200 came first, or 201 is not an error\.$/],
  ] as const)("has a header with the reason: %s, %s", async ([line, prefer, why], { sandbox }) => {
    const { status, headers } = await ask(sandbox, line, { headers: { prefer } });
    expect(status).toBe(200);
    expect(headers.get("x-vitrine-preference")).toMatch(why);
    expect(headers.has("preference-applied")).toBe(false);
    expect(sandbox.journal.last).toMatchObject({ status: 200 });
  });

  test("names the response that came first", async ({ sandbox }) => {
    sandbox.use({ at: "edge", then: { respond: { status: 502 } } });
    const { status, headers } = await ask(sandbox, "GET /special-events", {
      headers: { prefer: "code=503" },
    });
    expect(status).toBe(502);
    expect(headers.get("x-vitrine-preference")).toMatch(/^The response 502 came first/);
  });

  test("has no additional header if the preference is of another kind", async ({ sandbox }) => {
    const { headers } = await ask(sandbox, "GET /special-events", { headers: { prefer: "return=minimal" } });
    expect([...headers.keys()].filter((name) => /prefer/.test(name))).toEqual([]);
  });
});
