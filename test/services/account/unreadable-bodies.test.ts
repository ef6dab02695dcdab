// Bodies that JavaScript would read and the real service does not, or for another reason.

import { describe, expect } from "vitest";
import { parsePhpJson } from "../../../src/services/account/render/index.ts";
import { ADA, call, goodAction } from "../../support/account.ts";
import { type TestSandbox, test } from "../../support/test.ts";

const SYNTAX = "Syntax error";
const CONTROL = "Control character error, possibly incorrectly encoded";
const SURROGATE = "Single unpaired UTF-16 surrogate in unicode escape";
const MARK = "\ufeff";

const writes = (sandbox: TestSandbox): readonly (readonly [string, Record<string, unknown>])[] => [
  ["POST /pre-sale-actions", goodAction(sandbox)],
  [`PUT /pre-sale-actions/${sandbox.data.account.preSaleActions.all()[0]?.uuid}`, goodAction(sandbox)],
  ["PUT /users/me", { fullname: "Ada" }],
  ["PUT /users/me/change-password", { password: "Vitrine!2027" }],
];

describe("a body with a byte order mark", () => {
  test("is refused by every write as bad syntax, and nothing is written", async ({ sandbox }) => {
    const { digest } = sandbox.state();
    for (const [line, fields] of writes(sandbox)) {
      const body = MARK + JSON.stringify(fields);
      const { status, body: refusal } = await call(sandbox, line, { body });
      expect([line, status, refusal["hydra:description"]]).toEqual([line, 400, SYNTAX]);
      expect(sandbox.journal.last).toMatchObject({ problem: "malformedBody", changes: [] });
      expect(sandbox.journal.last?.requestText?.startsWith(MARK)).toBe(true);
    }
    sandbox.journal.clear();
    expect(sandbox.state().digest).toBe(digest);
  });

  test("is refused by the login, which hands out no token", async ({ sandbox }) => {
    const logIn = (body: string) => call(sandbox, "POST /login", { body, token: false });
    expect(await logIn(MARK + JSON.stringify(ADA))).toMatchObject({
      status: 400,
      body: { detail: "Bad Request" },
    });
    expect((await logIn(JSON.stringify(ADA))).status).toBe(200);
  });
});

test("a body that is no UTF-8 is refused, and nothing is written", async ({ sandbox }) => {
  const { digest } = sandbox.state();
  const reply = await sandbox.fetch("/account/users/me", {
    method: "PUT",
    headers: { authorization: `Bearer ${sandbox.auth.token()}`, "content-type": "application/json" },
    body: Buffer.from('{"fullname":"Ad\u00e0"}', "latin1"),
  });
  expect([reply.status, sandbox.journal.last?.problem]).toEqual([400, "malformedBody"]);
  sandbox.journal.clear();
  expect(sandbox.state().digest).toBe(digest);
});

test.for([
  [String.raw`{"fullname":"\ud800@b.cc"}`, SURROGATE],
  [String.raw`{"fullname":"\udc00"}`, SURROGATE],
  [String.raw`{"fullname":"\udc00\ud800"}`, SURROGATE],
  [String.raw`{"fullname":"\uD83D\uDE00\uD83D"}`, SURROGATE],
  [String.raw`{"fullname":"\ud83d\n\ude00"}`, SURROGATE],
  [String.raw`{"\ud800":1}`, SURROGATE],
  [String.raw`{"fullname":"\uzzzz"}`, SURROGATE],
  ['{"fullname":"a\nb"}', CONTROL],
  ['{"fullname":"a\u0000b"}', CONTROL],
  ['{"fullname":"a\tb"}', CONTROL],
  ['{\u0001"fullname":"a"}', CONTROL],
  ['{"fullname":"a', CONTROL],
  [String.raw`{"fullname":"\x"}`, SYNTAX],
  ['{"fullname":"a",}', SYNTAX],
  [`{"fullname":"a"}${MARK}`, SYNTAX],
] as const)("%j is refused in the words of PHP's parser: %s", async ([body, text], { sandbox }) => {
  const { status, body: refusal } = await call(sandbox, "PUT /users/me", { body });
  expect([status, refusal["hydra:description"]]).toEqual([400, text]);
  expect(sandbox.journal.last).toMatchObject({ problem: "malformedBody", changes: [] });
});

test.for([
  [String.raw`{"fullname":"\ud83d\ude00"}`, "\u{1f600}"],
  [String.raw`{"fullname":"\\ud800"}`, String.raw`\ud800`],
  [String.raw`{"fullname":"\\\uD83D\uDE00\\ud800\ue000"}`, `\\\u{1f600}\\ud800\ue000`],
  ['{"fullname":"a\u007f\u0085"}', "a\u007f\u0085"],
  [`{"fullname":"${MARK}a"}`, `${MARK}a`],
  [' \r\n\t{"fullname":"a"}\n', "a"],
] as const)("%j is read", async ([body, fullname], { sandbox }) => {
  const answer = await call(sandbox, "PUT /users/me", { body, accept: "application/json" });
  expect(answer).toMatchObject({ status: 200, body: { fullname } });
});

test("a large body with many escapes is parsed correctly", () => {
  const text = JSON.stringify([String.raw`\ud83d\ude00`, "\n".repeat(400_000), '"'.repeat(100_000)]);
  expect(parsePhpJson(text)).toEqual({ value: JSON.parse(text) });
  expect(parsePhpJson(`${text.slice(0, -1)}\u0001]`).error).toContain("control character");
});
