import { describe, expect } from "vitest";
import { ADA, ask, COMPANY } from "../../support/account.ts";
import { type TestSandbox, test } from "../../support/test.ts";

const FIELDS = [
  "email",
  "fullname",
  "invoicing_vat_number",
  "invoicing_fiscal_id",
  "invoicing_address",
  "invoicing_city",
  "invoicing_province",
  "invoicing_cap",
  "invoicing_name",
  "invoicing_country",
  "invoicing_sdi_recipient_code",
  "invoicing_sdi_pec",
];
const nulls = Object.fromEntries(FIELDS.slice(1).map((field) => [field, null]));

const logIn = async (sandbox: TestSandbox, password: string) =>
  (await ask(sandbox, "POST /login", { body: { email: ADA.email, password }, user: null })).status;

test("each user sees their own profile with all fields, some of them null", async ({ sandbox }) => {
  const ada = await ask(sandbox, "GET /users/me");
  expect(ada.status).toBe(200);
  expect(Object.keys(ada.body)).toEqual(FIELDS);
  expect(ada.body).toMatchObject({ email: ADA.email, invoicing_country: "GB", invoicing_sdi_pec: null });
  const company = await ask(sandbox, "GET /users/me", { user: COMPANY.email });
  expect(company.body).toMatchObject({ email: COMPANY.email, invoicing_country: "IT" });
});

test("me is the only user id that exists", async ({ sandbox }) => {
  for (const id of ["101", "102", "Me", ADA.email, "%6De%20"]) {
    expect((await ask(sandbox, `GET /users/${id}`)).status, id).toBe(404);
    expect((await ask(sandbox, `PUT /users/${id}`, { body: "{" })).status, id).toBe(404);
    expect((await ask(sandbox, `PUT /users/${id}/change-password`, { body: "{" })).status, id).toBe(404);
  }
});

describe("a replaced profile", () => {
  test("contains the sent fields: omitted fields become null, empty strings stay", async ({ sandbox }) => {
    const body = { fullname: "Ada Lücke-Öz 株式会社", invoicing_city: "", invoicing_cap: null };
    const reply = await ask(sandbox, "PUT /users/me", { body });
    expect(reply).toMatchObject({ status: 200, body: { ...nulls, ...body, email: ADA.email } });
    expect((await ask(sandbox, "GET /users/me")).body).toEqual(reply.body);
    expect(sandbox.data.account.users.get("101")).toEqual({ ...reply.body, uid: 101 });
  });

  test("never changes the e-mail address, nor another user", async ({ sandbox }) => {
    const before = (await ask(sandbox, "GET /users/me", { user: COMPANY.email })).body;
    const reply = await ask(sandbox, "PUT /users/me", { body: { email: "x@example.test", uid: 102 } });
    expect(reply.body).toEqual({ ...nulls, email: ADA.email });
    expect((await ask(sandbox, "GET /users/me", { user: COMPANY.email })).body).toEqual(before);
  });

  test("cannot be too long", async ({ sandbox }) => {
    const before = sandbox.data.account.users.get("101");
    const body = { fullname: "x".repeat(256), invoicing_name: "y".repeat(300) };
    const detail = ["fullname", "invoicing_name"]
      .map((field) => `${field}: This value is too long. It should have 255 characters or less.`)
      .join("\n");
    expect(await ask(sandbox, "PUT /users/me", { body })).toMatchObject({ status: 422, body: { detail } });
    expect(sandbox.data.account.users.get("101")).toEqual(before);
  });
});

describe("a changed password", () => {
  test("replaces the old one at login, and issued tokens stay valid", async ({ sandbox }) => {
    const headers = { authorization: `Bearer ${sandbox.auth.token()}` };
    const reply = await ask(sandbox, "PUT /users/me/change-password", {
      body: { password: "Neu&gut 2027" },
      user: null,
      headers,
    });
    expect(reply).toMatchObject({ status: 200, body: { email: ADA.email } });
    expect(reply.text).not.toContain("2027");
    expect(await logIn(sandbox, ADA.password)).toBe(401);
    expect(await logIn(sandbox, "Neu&gut 2027")).toBe(200);
    expect((await ask(sandbox, "GET /users/me", { user: null, headers })).status).toBe(200);
  });

  test.for(["Abcdef1!", "1234567a@", "пароль-a1$", "a1!     ", "#1aaaaaa"])(
    "may be %s",
    async (password, { sandbox }) => {
      expect((await ask(sandbox, "PUT /users/me/change-password", { body: { password } })).status).toBe(200);
      expect(await logIn(sandbox, password)).toBe(200);
    },
  );

  test.for(["Abcde1!", "Abcdefg!", "1234567!", "Abcdefg1", "Abcdef1-", "пароль12!", "short"])(
    "may not be %s",
    async (password, { sandbox }) => {
      const reply = await ask(sandbox, "PUT /users/me/change-password", { body: { password } });
      expect(reply.status).toBe(422);
      expect(reply.body.violations).toEqual([
        {
          propertyPath: "password",
          message: "This value is not valid.",
          code: "de1e3db3-5ed4-4941-aae4-59f3667cc3a3",
        },
      ]);
      expect(await logIn(sandbox, ADA.password)).toBe(200);
    },
  );

  test("cannot be empty", async ({ sandbox }) => {
    const detail = "password: This value should not be blank.";
    const reply = await ask(sandbox, "PUT /users/me/change-password", { body: { password: "" } });
    expect(reply).toMatchObject({ status: 422, body: { detail } });
  });

  test("is forgotten by a reset, and does not affect the other environment", async ({ sandbox }) => {
    await ask(sandbox, "PUT /users/me/change-password", {
      body: { password: "Sandbox#27" },
      environment: "accountSandbox",
    });
    expect(await logIn(sandbox, ADA.password)).toBe(200);
    await ask(sandbox, "PUT /users/me/change-password", { body: { password: "Other#2027" } });
    sandbox.reset();
    expect(await logIn(sandbox, ADA.password)).toBe(200);
  });
});
