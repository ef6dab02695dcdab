// Every refusal in every form, and the border between 400 and 422 from both sides.

import { describe, expect } from "vitest";
import { PasswordInput, PreSaleActionInput, UserInput } from "../../../src/services/account/schemas.ts";
import { type AccountQuestion, call, goodAction } from "../../support/account.ts";
import type { Answer, Json } from "../../support/request.ts";
import { type TestSandbox, test, testOfMistakes } from "../../support/test.ts";

const LD = "application/ld+json; charset=utf-8";
const PROBLEM = "application/problem+json; charset=utf-8";
const ERROR_PAGE = "text/html; charset=UTF-8";
const RFC_2616 = "https://tools.ietf.org/html/rfc2616#section-10";
const TITLE = "An error occurred";
const MEDIA = ["application/ld+json", "application/json", "text/html"] as const;

/** A refusal that each media type renders in its own way, and how a client gets it. */
type Case = {
  readonly status: number;
  readonly line: string;
  readonly question?: AccountQuestion | ((sandbox: TestSandbox) => AccountQuestion);
  readonly detail: string;
};

const broken = { body: "{" };
const cases: readonly Case[] = [
  { status: 400, line: "PUT /users/me", question: broken, detail: "Syntax error" },
  { status: 400, line: "GET /consumptions?page=0", detail: "Page should not be less than 1" },
  { status: 400, line: "GET /consumptions/%E0%A4%A", detail: "The path is not valid percent-encoding." },
  {
    status: 403,
    line: "GET /users/me",
    question: ({ auth }) => ({ token: auth.token({ kind: "wrong-roles" }) }),
    detail: "Access Denied.",
  },
  { status: 404, line: "GET /consumptions/unknown", detail: "Not Found" },
  { status: 404, line: "GET /users/7", detail: "Not Found" },
  { status: 404, line: "GET /nowhere", detail: 'No route found for "GET http://localhost/account/nowhere"' },
  {
    status: 405,
    line: "PATCH /pre-sale-actions",
    detail:
      'No route found for "PATCH http://localhost/account/pre-sale-actions": Method Not Allowed (Allow: GET, POST)',
  },
  {
    status: 413,
    line: "PUT /users/me",
    question: { body: `{"fullname":"${"x".repeat(1_048_576)}"}` },
    detail: "The body is larger than 1048576 bytes.",
  },
  {
    status: 415,
    line: "PUT /users/me",
    question: { body: {}, contentType: "text/plain" },
    detail:
      'The content-type "text/plain" is not supported. Supported MIME types are "application/ld+json", "application/json", "text/html".',
  },
];

describe.each(cases)("$line returns $status", ({ status, line, question, detail }) => {
  testOfMistakes("in JSON-LD, JSON and HTML", async ({ sandbox }) => {
    const [linked, plain, page] = await inEachForm(sandbox, line, question);
    expect([linked?.status, plain?.status, page?.status]).toEqual([status, status, status]);
    expect(linked).toMatchObject({ type: LD });
    expect(linked?.body).toEqual({
      "@context": "/account/contexts/Error",
      "@type": "hydra:Error",
      "hydra:title": TITLE,
      "hydra:description": detail,
    });
    expect(plain).toMatchObject({ type: PROBLEM });
    expect(plain?.body).toEqual({ type: RFC_2616, title: TITLE, detail });
    expectErrorPage(page, status);
  });
});

describe.each(cases)("$line returns $status in the newer style", ({ status, line, question, detail }) => {
  test.override({ options: { settings: { account: { profile: "api-platform-4" } } }, sandboxVerify: false });

  test("in JSON-LD, JSON and HTML", async ({ sandbox }) => {
    const [linked, plain, page] = await inEachForm(sandbox, line, question);
    const type = `/errors/${status}`;
    expect(plain).toMatchObject({ status, type: PROBLEM });
    expect(plain?.body).toEqual({ title: TITLE, detail, status, type });
    expect(linked).toMatchObject({ status, type: PROBLEM });
    expect(linked?.body).toEqual({
      "@context": "/account/contexts/Error",
      "@id": `/account${type}`,
      "@type": "hydra:Error",
      title: TITLE,
      detail,
      status,
      type,
      description: detail,
      "hydra:title": TITLE,
      "hydra:description": detail,
    });
    expectErrorPage(page, status);
    expect(linked?.headers.get("link")).toMatch(
      /apiDocumentation",<http:\/\/www\.w3\.org\/ns\/hydra\/error>/,
    );
    for (const other of [plain, page]) expect(other?.headers.get("link")).not.toContain("hydra/error>");
  });
});

async function inEachForm(
  sandbox: TestSandbox,
  line: string,
  asked: Case["question"] = {},
): Promise<Answer[]> {
  const question = typeof asked === "function" ? asked(sandbox) : asked;
  const answers: Answer[] = [];
  for (const accept of MEDIA) answers.push(await call(sandbox, line, { ...question, accept }));
  return answers;
}

function expectErrorPage(page: Answer | undefined, status: number): void {
  expect(page).toMatchObject({ status, type: ERROR_PAGE });
  expect(page?.text).toMatch(/<title>An Error Occurred: [A-Z][A-Za-z ]+<\/title>/);
  expect(page?.text).toContain(`The server returned a "${status} `);
  expect(page?.headers.get("content-security-policy")).toContain("default-src 'none'");
}

describe("a 422 reports all violations at once", () => {
  const body = { threshold: -1, action_type: "fax", target: "a@b", enabled: true, pre_sale_uuid: "x" };
  const violations = [
    ["threshold", "This value should be either positive or zero.", "ea4e51d1-3342-48bd-87f1-9e672cd90cad"],
    ["action_type", "The value you selected is not a valid choice.", "8e179f1b-97aa-4560-a02f-2a8b42e49df7"],
    ["target", "This value is not a valid email address.", "bd79c0ab-ddba-46cc-a703-a7a4b08de310"],
    ["pre_sale_uuid", "This is not a valid UUID.", "aa314679-dac9-4f54-bf97-b2049df8f2a3"],
  ].map(([propertyPath, message, code]) => ({ propertyPath, message, code }));
  const detail = violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join("\n");

  test("in JSON-LD as a list of violations, otherwise as a problem", async ({ sandbox }) => {
    const before = sandbox.data.account.preSaleActions.all();
    const [linked, plain, page] = await inEachForm(sandbox, "POST /pre-sale-actions", { body });
    expect(linked).toMatchObject({ status: 422, type: LD });
    expect(linked?.body).toEqual({
      "@context": "/account/contexts/ConstraintViolationList",
      "@type": "ConstraintViolationList",
      "hydra:title": TITLE,
      "hydra:description": detail,
      violations,
    });
    for (const answer of [plain, page]) {
      expect(answer).toMatchObject({ status: 422, type: PROBLEM });
      expect(answer?.body).toEqual({ type: RFC_2616, title: TITLE, detail, violations });
    }
    expect(sandbox.data.account.preSaleActions.all()).toEqual(before);
    expect(sandbox.journal.count({ operation: "account.createPreSaleAction", status: 422 })).toBe(3);
  });

  describe("in the newer style", () => {
    test.override({ options: { settings: { account: { profile: "api-platform-4" } } } });

    test("with an identifier that joins the codes of the violations", async ({ sandbox }) => {
      const [linked] = await inEachForm(sandbox, "POST /pre-sale-actions", { body });
      const type = `/validation_errors/${violations.map(({ code }, index) => `${index}=${code}`).join(";")}`;
      expect(linked).toMatchObject({ status: 422, type: PROBLEM });
      expect(linked?.body).toMatchObject({
        "@context": "/account/contexts/ConstraintViolation",
        "@id": `/account${type}`,
        "@type": "ConstraintViolation",
        type,
        status: 422,
        violations,
        detail,
      });
      const one = await call(sandbox, "PUT /users/me/change-password", { body: { password: "short" } });
      expect(one.body["@id"]).toBe("/account/validation_errors/de1e3db3-5ed4-4941-aae4-59f3667cc3a3");
    });
  });
});

describe("login errors always have the same form", () => {
  const credentials = { email: "ada@example.test", password: "Vitrine!2026" };
  test.for(MEDIA)("429 is JSON even if the client accepts %s", async (accept, { sandbox }) => {
    await call(sandbox, "POST /login", { token: false, body: credentials });
    const answer = await call(sandbox, "POST /login", { token: false, body: credentials, accept });
    expect(answer).toMatchObject({ status: 429, type: "application/json" });
    expect(answer.body).toEqual({ code: 429, message: expect.stringContaining("once every 24 hours") });
    expect(answer.headers.get("retry-after")).toBe("86400");
  });
});

test("a 406 is a problem document, even for a client that accepts only HTML", async ({ sandbox }) => {
  const answer = await call(sandbox, "GET /consumptions.json", { accept: "text/html" });
  expect(answer).toMatchObject({ status: 406, type: PROBLEM });
});

// The distinction: another JSON type, null of a required field included, is 400 and names the first such field; a field
// that is missing or fails a check is 422, all at once.

type Body = {
  readonly line: string;
  readonly schema: Json;
  readonly good: (sandbox: TestSandbox) => Record<string, unknown>;
};
const bodies: readonly Body[] = [
  { line: "POST /pre-sale-actions", schema: PreSaleActionInput, good: goodAction },
  { line: "PUT /users/me", schema: UserInput, good: () => ({ fullname: "Ada" }) },
  {
    line: "PUT /users/me/change-password",
    schema: PasswordInput,
    good: () => ({ password: "Vitrine!2027" }),
  },
];
const fields = bodies.flatMap((body) =>
  Object.keys(body.schema.shape).map((field) => ({ ...body, field, name: `${field} of ${body.line}` })),
);
/** One value of each JSON type as it is written, and what PHP calls it. */
const values: readonly (readonly [written: string, type: string])[] = [
  ["7", "integer"],
  ["7.0", "double"],
  ["1e2", "double"],
  ["12345678901234567890", "double"],
  ["true", "boolean"],
  ['"text"', "string"],
  ["[]", "array"],
  ["{}", "array"],
  ["null", "NULL"],
];

describe.each(fields)("$name", ({ line, field, good, schema }) => {
  const isProfile = schema === UserInput;
  const own = field === "threshold" ? "integer" : field === "enabled" ? "boolean" : "string";
  const php = { integer: "int", boolean: "bool", string: "string" }[own];

  test("returns 400 with the given type if it has another JSON type", async ({ sandbox }) => {
    for (const [written, type] of values) {
      if (type === own || (type === "NULL" && isProfile)) continue;
      const answer = await call(sandbox, line, { body: withField(good(sandbox), field, written) });
      expect([written, answer.status]).toEqual([written, 400]);
      expect(answer.body["hydra:description"]).toBe(
        `The type of the "${field}" attribute must be "${php}", "${type}" given.`,
      );
    }
  });

  test("returns 422 if it is missing, or becomes null in a profile", async ({ sandbox }) => {
    const { [field]: _left, ...rest } = good(sandbox);
    const answer = await call(sandbox, line, { body: rest });
    if (isProfile) {
      expect(answer).toMatchObject({ status: 200, body: { [field]: rest[field] ?? null } });
      return;
    }
    const rule = own === "string" ? "blank" : "null";
    expect(answer.status).toBe(422);
    expect(answer.body.violations).toEqual([
      { propertyPath: field, message: `This value should not be ${rule}.`, code: expect.any(String) },
    ]);
  });
});

/** Fields with a check to fail: a boolean has none. */
const ruled = fields.filter(({ field }) => field !== "enabled");
const tooLong = JSON.stringify("x".repeat(256));
const wrong: Readonly<Record<string, string>> = { threshold: "-1" };

test.for(ruled)(
  "$name returns 422 if it has the right type but breaks a rule",
  async ({ line, field, good, schema }, { sandbox }) => {
    const written = wrong[field] ?? (schema === UserInput ? tooLong : '"§"');
    const answer = await call(sandbox, line, { body: withField(good(sandbox), field, written) });
    expect(answer.status).toBe(422);
    expect(answer.body.violations).toMatchObject([{ propertyPath: field }]);
  },
);

/** The body with one field written letter by letter, so that `7.0` stays `7.0`. */
function withField(body: Record<string, unknown>, field: string, written: string): string {
  return JSON.stringify({ ...body, [field]: "@@" }).replace('"@@"', () => written);
}

describe("edge cases of the body", () => {
  test("a wrong type hides violations, and only the first one is reported", async ({ sandbox }) => {
    const body = '{"target": 1, "threshold": "x", "enabled": 1}';
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect(answer.status).toBe(400);
    expect(answer.body["hydra:description"]).toBe(
      'The type of the "target" attribute must be "string", "integer" given.',
    );
  });

  test.for(['"x"', "1", "null", "true"])("%s is no object and returns 400", async (body, { sandbox }) => {
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect([answer.status, answer.body["hydra:description"]]).toEqual([
      400,
      "The body must be a JSON object.",
    ]);
  });

  test.for([
    ["", "Syntax error"],
    ["{'a': 1}", "Syntax error"],
    ["[".repeat(200) + "]".repeat(200), "Maximum stack depth exceeded"],
    ['{"threshold": 1e999}', "The body cannot be read: a 64-bit float cannot represent the number 1e999."],
  ] as const)("%s cannot be parsed and returns 400: %s", async ([body, text], { sandbox }) => {
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect([answer.status, answer.body["hydra:description"]]).toEqual([400, text]);
  });

  test.for([
    ["x", "aa314679-dac9-4f54-bf97-b2049df8f2a3"],
    ["00000000-0000-4000-8000-0000000000000", "494897dd-36f8-4d31-8923-71a8d5f3000d"],
    ["g0000000-0000-4000-8000-000000000000", "51120b12-a2bc-41bf-aa53-cd73daf330d0"],
    ["000000000000-4000-8000-0000-00000000", "98469c83-0309-4f5d-bf95-a496dcaa869c"],
  ] as const)("the uuid %s has a code of its own", async ([pre_sale_uuid, code], { sandbox }) => {
    const body = { ...goodAction(sandbox), pre_sale_uuid };
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect(answer.body.violations).toMatchObject([{ propertyPath: "pre_sale_uuid", code }]);
  });
});

describe("with typeErrors 422", () => {
  test.override({ options: { settings: { account: { typeErrors: 422 } } } });

  test("a wrong type is reported as a violation, together with the other violations", async ({ sandbox }) => {
    const body = '{"threshold": "x", "target": "", "enabled": null, "action_type": "alert_mail"}';
    const answer = await call(sandbox, "POST /pre-sale-actions", { body });
    expect(answer.status).toBe(422);
    const code = "ba785a8c-82cb-4283-967c-3cf342181b40";
    expect(answer.body.violations).toEqual([
      { propertyPath: "threshold", message: "This value should be of type int.", code },
      { propertyPath: "target", message: "This value should not be blank.", code: expect.any(String) },
      { propertyPath: "enabled", message: "This value should be of type bool.", code },
      { propertyPath: "pre_sale_uuid", message: "This value should not be blank.", code: expect.any(String) },
    ]);
    expect((await call(sandbox, "POST /pre-sale-actions", { body: "1" })).status).toBe(400);
  });
});

describe("the order of checks", () => {
  test("token, Accept header and resource are checked before the body", async ({ sandbox }) => {
    const status = async (line: string, question: AccountQuestion) =>
      (await call(sandbox, line, question)).status;
    const bad = { body: "{", contentType: "text/plain", accept: "application/xml" };
    expect(await status("PUT /pre-sale-actions/unknown", { ...bad, token: false })).toBe(401);
    expect(await status("PUT /pre-sale-actions/unknown", bad)).toBe(406);
    const { accept: _accept, ...acceptable } = bad;
    expect(await status("PUT /pre-sale-actions/unknown", acceptable)).toBe(404);
    expect(await status("PUT /users/me", acceptable)).toBe(415);
    expect(await status("PUT /users/me", { body: "{" })).toBe(400);
  });
});
