// What was never read, was cut or was dropped could decide: a rule does not act on it, and a verification that hangs on
// it fails and says which exchanges, and why.

import { expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { MUSEUM } from "../support/museum.ts";

const frozen = { clock: "2026-03-01T09:00:00Z", seed: 7 };
const CREATE = "museum.createSpecialEvent";
const EVENT = {
  name: "Lamps",
  location: "Hall 2",
  eventDescription: "Dark",
  dates: ["2026-03-31"],
  price: 1,
};
type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

const create = (sandbox: Pick<Sandbox, "fetch">, body: object, headers: Record<string, string>) =>
  sandbox.fetch(`${MUSEUM}/special-events`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

test("a body behind a 401 was never read: no rule applies to it, and verify reports it as undecided", async () => {
  await using sandbox = await createSandbox(frozen);
  sandbox.use({
    when: { operation: CREATE, body: { $exists: false } },
    at: "response",
    then: { respond: { status: 503 } },
  });
  expect((await create(sandbox, EVENT, {})).status).toBe(401);
  expect(sandbox.journal.last?.rules).toEqual([
    { rule: "use-1", outcome: "skipped", why: "its body was never read, due to credentialsRequired" },
  ]);
  const wanted = { operation: CREATE, body: { price: 1 } };
  expect(sandbox.journal.count(wanted)).toBe(0);
  for (const times of [1, 0, { max: 0 }]) {
    const verification = await sandbox.journal.verify({ ...wanted, times });
    expect(verification).toMatchObject({
      ok: false,
      found: 0,
      undecided: [{ seq: 1, why: "its body was never read, due to 401 credentialsRequired" }],
    });
    expect(verification.message).toContain(
      "but #1 may match: its body was never read, due to 401 credentialsRequired",
    );
  }
  // It cannot matter: another part differs, or enough are found, or not enough in any case.
  expect(await sandbox.journal.verify({ ...wanted, status: 201, times: 0 })).toMatchObject({ ok: true });
  expect(await sandbox.journal.verify({ ...wanted, times: { min: 2 } })).toMatchObject({
    ok: false,
    undecided: [],
  });
  await create(sandbox, EVENT, sandbox.auth.basic());
  expect(await sandbox.journal.verify({ ...wanted, times: { min: 1 } })).toMatchObject({
    ok: true,
    found: 1,
  });
});

test("a null body is a value like any other, and a body that is not JSON counts as absent", async () => {
  await using sandbox = await createSandbox(frozen);
  const send = (body: string) =>
    sandbox.fetch(`${MUSEUM}/special-events`, {
      method: "POST",
      headers: { "content-type": "application/json", ...sandbox.auth.basic() },
      body,
    });
  await send("null");
  await send("{");
  expect(sandbox.journal.list({ body: null }).map(({ seq }) => seq)).toEqual([1]);
  expect(sandbox.journal.list({ body: { $exists: false } }).map(({ seq }) => seq)).toEqual([2]);
  expect(await sandbox.journal.verify({ body: { price: 1 }, times: 0 })).toMatchObject({ ok: true });
});

test("the query of a request that was refused early is read all the same", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.fetch(`${MUSEUM}/special-events?page=2`);
  expect(await sandbox.journal.verify({ query: { page: 2 }, status: 401, times: 1 })).toMatchObject({
    ok: true,
  });
});

test("a text that is not in the stored part of a cut response may be in the rest, so verify cannot decide", async () => {
  await using sandbox = await createSandbox({ ...frozen, journal: { bodyBytes: 1_024 } });
  await sandbox.museum.listSpecialEvents({ query: { limit: 30 } });
  expect(sandbox.journal.last?.responseBody).toContain("[cut after 1024 of ");
  expect(await sandbox.journal.verify({ text: "nowhere", times: 0 })).toMatchObject({
    ok: false,
    undecided: [{ seq: 1, why: expect.stringContaining("was truncated") }],
  });
});

test("a body of 9 KiB is cut, so verify cannot decide, unless the journal stores more", async () => {
  const body = { ...EVENT, eventDescription: "x".repeat(9_000) };
  const wanted = { operation: CREATE, body: { price: 1 }, times: 1 };
  await using sandbox = await createSandbox(frozen);
  // A rule sees the whole body while the exchange goes on.
  sandbox.use({
    id: "long",
    when: wanted.body === undefined ? {} : { operation: CREATE, body: wanted.body },
    then: { advance: "1s" },
  });
  expect((await create(sandbox, body, sandbox.auth.basic())).status).toBe(201);
  expect(sandbox.rules.list()).toMatchObject([{ id: "long", acted: 1 }]);
  const size = JSON.stringify(body).length;
  expect(await sandbox.journal.verify(wanted)).toMatchObject({
    ok: false,
    undecided: [
      {
        seq: 1,
        why: `a body of ${size} bytes was truncated; to store it, set a larger journal: { bodyBytes }`,
      },
    ],
  });
  expect(sandbox.journal.last?.requestText).toMatch(new RegExp(`… \\[cut after 8192 of ${size} bytes]$`));
  // What stands in the beginning is found; what does not may stand in the rest.
  expect(await sandbox.journal.verify({ text: "Hall 2", times: 1 })).toMatchObject({ ok: true });
  expect(await sandbox.journal.verify({ text: "nowhere", times: 0 })).toMatchObject({ ok: false });

  await using roomy = await createSandbox({ ...frozen, journal: { bodyBytes: 65_536 } });
  await create(roomy, body, roomy.auth.basic());
  expect(await roomy.journal.verify(wanted)).toMatchObject({ ok: true, found: 1, undecided: [] });
  expect(roomy.journal.last?.requestText).toBe(JSON.stringify(body));
  const world = roomy.fork("its-own");
  await create(world, body, world.auth.basic());
  expect(await world.journal.verify(wanted)).toMatchObject({ ok: true });
});

test("an exchange that was dropped could have matched", async () => {
  await using sandbox = await createSandbox(frozen);
  await create(sandbox, EVENT, sandbox.auth.basic());
  for (let count = 0; count < 1_000; count += 1) await sandbox.museum.getMuseumHours();
  const wanted = { operation: CREATE, body: { price: 1 } };
  const verification = await sandbox.journal.verify({ ...wanted, times: 1 });
  expect(verification).toMatchObject({ ok: false, found: 0, evicted: 1 });
  expect(verification.message).toContain("evicted: 1 of the oldest exchanges");
  expect(await sandbox.journal.verify({ ...wanted, after: 1, times: 0 })).toMatchObject({ ok: true });
});

test("the option bodyBytes has a minimum and a maximum", async () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ bodyBytes: -1 }, /journal\.bodyBytes must be a whole number from 0 to 1048576, not -1/],
    [{ bodyBytes: 2_000_000 }, /not 2000000/],
    [{ bodyByte: 1 }, /Unknown option of journal "bodyByte"\. Did you mean "bodyBytes"/],
  ];
  for (const [journal, told] of wrong) await expect(createSandbox({ journal })).rejects.toThrow(told);
  await using nothing = await createSandbox({ ...frozen, journal: { bodyBytes: 0 } });
  await create(nothing, EVENT, nothing.auth.basic());
  expect(nothing.journal.last?.requestText).toMatch(/^… \[cut after 0 of \d+ bytes]$/);
});

test("the nearest exchange of a verification shows no secret", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.auth.login();
  const { message, nearest } = await sandbox.journal.verify({
    operation: "account.login",
    body: { password: "not-this-one" },
    headers: { authorization: { $exists: true } },
  });
  expect(message).not.toContain("Vitrine!2026");
  expect(nearest[0]?.differs).toContainEqual(expect.stringMatching(/^body\.password is "\[redacted/));
});

test("a message names at most five exchanges that could match, and the number of further ones", async () => {
  await using sandbox = await createSandbox(frozen);
  for (let sent = 0; sent < 8; sent += 1) await create(sandbox, EVENT, {});
  const { message } = await sandbox.journal.verify({ body: { price: 1 }, times: 0 });
  expect(message).toMatch(/but #1 may match: .*; #5 may match: [^;]*; and 3 more\.$/);
});
