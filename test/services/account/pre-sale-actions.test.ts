import { describe, expect } from "vitest";
import { ask, COMPANY, NO_SUCH_UUID } from "../../support/account.ts";
import { frozenSandbox, type TestSandbox, test } from "../../support/test.ts";

const PATH = "/pre-sale-actions";

async function input(sandbox: TestSandbox) {
  const [, , healthy] = (await ask(sandbox, "GET /pre-sales")).body;
  return {
    threshold: 100,
    action_type: "alert_mail",
    target: "ops@example.test",
    enabled: true,
    pre_sale_uuid: healthy.uuid as string,
  };
}

const create = async (sandbox: TestSandbox, change: object = {}) =>
  ask(sandbox, `POST ${PATH}`, { body: { ...(await input(sandbox)), ...change } });
const stored = (sandbox: TestSandbox) => sandbox.data.account.preSaleActions.all();

test("ids in capitals from a scenario are found in upper and lower case", async ({ sandbox }) => {
  const { preSales, preSaleActions } = sandbox.data.account;
  const [[preSale], [action]] = [preSales.all(), preSaleActions.all()];
  const [uuid, own] = ["ABCDEF00-1234-4ABC-8DEF-1234567890AB", "FEDCBA00-1234-4ABC-8DEF-1234567890AB"];
  const made = { ...action, uuid: own, pre_sale_uuid: uuid, owner: preSale?.owner };
  const changes = { preSales: { replace: [{ ...preSale, uuid }] }, preSaleActions: { replace: [made] } };
  await sandbox.scenario({ version: 1, data: { account: changes } });
  for (const spelt of [String, (id: string) => id.toLowerCase()]) {
    expect((await ask(sandbox, `GET /pre-sales/${spelt(uuid)}`)).status).toBe(200);
    expect((await ask(sandbox, `GET ${PATH}/${spelt(own)}`)).status).toBe(200);
    const body = {
      threshold: 1,
      action_type: "alert_mail",
      target: "a@b.test",
      enabled: true,
      pre_sale_uuid: spelt(uuid),
    };
    expect((await ask(sandbox, `PUT ${PATH}/${spelt(own)}`, { body })).status).toBe(200);
    expect((await ask(sandbox, `DELETE ${PATH}/${spelt(own)}`)).status).toBe(204);
    preSaleActions.upsert([made]);
  }
  const lost = { preSales: { replace: [] }, preSaleActions: { upsert: [made] } };
  await expect(sandbox.scenario({ version: 1, data: { account: lost } })).rejects.toThrow("does not exist");
});

test("an action is created, read, replaced, deleted, and then gone", async ({ sandbox }) => {
  const body = await input(sandbox);
  const before = stored(sandbox).length;
  const created = await ask(sandbox, `POST ${PATH}`, { body });
  expect(created.status).toBe(201);
  const { uuid } = created.body;
  expect(created.headers.get("location")).toBe(`/account${PATH}/${uuid}`);
  expect(created.body).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: "2026-03-01T09:00:00+00:00",
    updated_at: "2026-03-01T09:00:00+00:00",
    ...body,
    running: false,
  });
  expect((await ask(sandbox, `GET ${PATH}/${uuid}`)).body).toEqual(created.body);
  expect((await ask(sandbox, `GET ${PATH}`)).body.at(-1)).toEqual(created.body);

  await sandbox.clock.advance("90s");
  const replaced = await ask(sandbox, `PUT ${PATH}/${uuid}`, {
    body: { ...body, threshold: 7, enabled: false },
  });
  expect(replaced.status).toBe(200);
  expect(replaced.body).toEqual({
    ...created.body,
    threshold: 7,
    enabled: false,
    updated_at: "2026-03-01T09:01:30+00:00",
  });

  const deleted = await ask(sandbox, `DELETE ${PATH}/${uuid}`);
  expect(deleted).toMatchObject({ status: 204, text: "" });
  expect((await ask(sandbox, `DELETE ${PATH}/${uuid}`)).status).toBe(404);
  expect((await ask(sandbox, `GET ${PATH}/${uuid}`)).status).toBe(404);
  expect(stored(sandbox)).toHaveLength(before);
  expect((await ask(sandbox, "GET /pre-sales")).body).toHaveLength(3);
});

test("a replacement without changes still updates updated_at", async ({ sandbox }) => {
  const { body } = await create(sandbox);
  await sandbox.clock.advance("1s");
  const again = await ask(sandbox, `PUT ${PATH}/${body.uuid}`, { body: await input(sandbox) });
  expect(again.body).toEqual({ ...body, updated_at: "2026-03-01T09:00:01+00:00" });
});

test("an action can move to another of the user's presales", async ({ sandbox }) => {
  const { body } = await create(sandbox);
  const [, other] = (await ask(sandbox, "GET /pre-sales")).body;
  const moved = await ask(sandbox, `PUT ${PATH}/${body.uuid}`, {
    body: { ...(await input(sandbox)), pre_sale_uuid: other.uuid },
  });
  expect(moved).toMatchObject({ status: 200, body: { pre_sale_uuid: other.uuid } });
});

test("an action that has fired can fire again after a move to another presale, even one below the threshold", async ({
  sandbox,
}) => {
  const [, poor, other] = (await ask(sandbox, "GET /pre-sales")).body;
  const action = { ...(await input(sandbox)), threshold: 9_000, pre_sale_uuid: poor.uuid };
  const { uuid } = (await create(sandbox, action)).body;
  const mails = () => sandbox.mailbox.messages({ actionUuid: uuid }).length;
  sandbox.usage.record({ sent: 1 });
  sandbox.usage.record({ sent: 1 });
  expect(mails()).toBe(1);
  expect((await ask(sandbox, `PUT ${PATH}/${uuid}`, { body: action })).status).toBe(200);
  sandbox.usage.record({ sent: 1 });
  expect(mails()).toBe(1);
  const moved = { ...action, pre_sale_uuid: other.uuid };
  expect((await ask(sandbox, `PUT ${PATH}/${uuid}`, { body: moved })).status).toBe(200);
  expect(stored(sandbox).find((one) => one.uuid === uuid)).toMatchObject({ armed: true });
  sandbox.usage.record({ sent: 1 });
  expect(mails()).toBe(2);
});

test.for(["POST", "PUT"] as const)(
  "a %s that waits while its presale is removed is refused, and no action is written",
  async (method, { sandbox }) => {
    const { body: made } = await create(sandbox);
    const { pre_sale_uuid } = await input(sandbox);
    const before = stored(sandbox);
    sandbox.use({ when: { method, path: `${PATH}*` }, then: { hold: "gate" } });
    const line = method === "POST" ? `POST ${PATH}` : `PUT ${PATH}/${made.uuid}`;
    const reply = ask(sandbox, line, { body: { ...(await input(sandbox)), threshold: 7 } });
    await sandbox.gates.arrived("gate");
    sandbox.data.account.preSales.remove([pre_sale_uuid]);
    sandbox.gates.release("gate");
    expect(await reply).toMatchObject({ status: 422, body: { detail: "pre_sale_uuid: Presale not found." } });
    expect(sandbox.journal.last).toMatchObject({ problem: "unknownPreSale", findings: [] });
    expect(stored(sandbox)).toEqual(before);
  },
);

test("the ids of an environment do not depend on requests to the other environment", async ({ sandbox }) => {
  const createIn = async (from: TestSandbox, environment: "account" | "accountSandbox") => {
    const [preSale] = (await ask(from, "GET /pre-sales", { environment })).body;
    const { pre_sale_uuid: _other, ...rest } = await input(from);
    const body = { ...rest, pre_sale_uuid: preSale.uuid };
    return (await ask(from, `POST ${PATH}`, { body, environment })).body.uuid;
  };
  const fork = sandbox.fork();
  const production = await createIn(sandbox, "account");
  const other = await createIn(sandbox, "accountSandbox");
  expect(await createIn(fork, "accountSandbox")).toBe(other);
  expect(await createIn(fork, "account")).toBe(production);
});

test("read-only and unknown fields of the body are ignored", async ({ sandbox }) => {
  const { status, body } = await create(sandbox, {
    uuid: NO_SUCH_UUID,
    created_at: "1999-01-01T00:00:00+00:00",
    running: true,
    owner: 102,
    armed: false,
    colour: "red",
    "@id": "/pre-sale-actions/1",
    "@type": "PreSaleAction",
    "@context": "/contexts/PreSaleAction",
  });
  expect(status).toBe(201);
  expect(body.uuid).not.toBe(NO_SUCH_UUID);
  expect(body).toMatchObject({ created_at: "2026-03-01T09:00:00+00:00", running: false });
  expect(body).not.toHaveProperty("colour");
  expect(stored(sandbox).at(-1)).toMatchObject({ owner: 101, armed: true });
  const findings = sandbox.journal.last?.findings.map(({ message }) => message);
  expect(findings?.join()).toMatch(/"colour"/);
});

test("the list is in order of creation", async ({ sandbox }) => {
  const { body } = await ask(sandbox, `GET ${PATH}`);
  const stamps = body.map(({ created_at }: { created_at: string }) => created_at);
  expect(stamps).toEqual([...stamps].sort());
  expect(new Set(body.map(({ enabled }: { enabled: boolean }) => enabled))).toEqual(new Set([true, false]));
});

test("another user's action returns 404 for GET, PUT and DELETE", async ({ sandbox }) => {
  const [foreign] = (await ask(sandbox, `GET ${PATH}`, { user: COMPANY.email })).body;
  const before = stored(sandbox);
  expect((await ask(sandbox, `GET ${PATH}/${foreign.uuid}`)).status).toBe(404);
  expect((await ask(sandbox, `DELETE ${PATH}/${foreign.uuid}`)).status).toBe(404);
  expect((await ask(sandbox, `PUT ${PATH}/${foreign.uuid}`, { body: await input(sandbox) })).status).toBe(
    404,
  );
  expect(stored(sandbox)).toEqual(before);
});

test("a PUT of an unknown action returns 404 for any body, and 401 without a token", async ({ sandbox }) => {
  const broken = { body: "{", headers: { "content-type": "text/plain" } };
  expect((await ask(sandbox, `PUT ${PATH}/${NO_SUCH_UUID}`, broken)).status).toBe(404);
  expect((await ask(sandbox, `PUT ${PATH}/${NO_SUCH_UUID}`, { ...broken, user: null })).status).toBe(401);
});

describe("a refused request leaves the store unchanged", () => {
  const NOT_BLANK = "This value should not be blank.";
  const CHOICE = "The value you selected is not a valid choice.";
  const EMAIL = "This value is not a valid email address.";
  test.for<[change: object, violations: string[]]>([
    [{ threshold: -1 }, ["threshold: This value should be either positive or zero."]],
    [{ action_type: "sms" }, [`action_type: ${CHOICE}`]],
    [{ action_type: "" }, [`action_type: ${NOT_BLANK}`, `action_type: ${CHOICE}`]],
    [{ target: "" }, [`target: ${NOT_BLANK}`]],
    [{ target: "a@b" }, [`target: ${EMAIL}`]],
    [{ target: "a b.c" }, [`target: ${EMAIL}`]],
    [{ pre_sale_uuid: "" }, [`pre_sale_uuid: ${NOT_BLANK}`]],
    [{ pre_sale_uuid: "17" }, ["pre_sale_uuid: This is not a valid UUID."]],
    [{ pre_sale_uuid: NO_SUCH_UUID }, ["pre_sale_uuid: Presale not found."]],
  ])("422 for %o", async ([change, violations], { sandbox }) => {
    const before = stored(sandbox);
    const reply = await create(sandbox, change);
    expect(reply).toMatchObject({ status: 422, body: { detail: violations.join("\n") } });
    expect(reply.body.violations).toHaveLength(violations.length);
    expect(stored(sandbox)).toEqual(before);
  });

  test.for(["{}", "[]", "[1,2]"])(
    "422 for %s names every field at once, in order",
    async (body, { sandbox }) => {
      const reply = await ask(sandbox, `POST ${PATH}`, { body });
      expect(reply.status).toBe(422);
      const paths = reply.body.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath);
      expect(paths).toEqual(["threshold", "action_type", "target", "enabled", "pre_sale_uuid"]);
    },
  );

  test("422 reports an unknown presale together with all other errors, in the order of the fields", async ({
    sandbox,
  }) => {
    const { body: made } = await create(sandbox);
    const before = stored(sandbox);
    const change = { pre_sale_uuid: NO_SUCH_UUID, target: "a@b", threshold: -1 };
    const body = { ...(await input(sandbox)), ...change };
    const replies = [await create(sandbox, change), await ask(sandbox, `PUT ${PATH}/${made.uuid}`, { body })];
    for (const reply of replies) {
      expect(reply.status).toBe(422);
      expect(reply.body.detail.split("\n")).toEqual([
        "threshold: This value should be either positive or zero.",
        `target: ${EMAIL}`,
        "pre_sale_uuid: Presale not found.",
      ]);
    }
    expect(stored(sandbox)).toEqual(before);
    expect(sandbox.journal.last?.problem).toBe("invalidAction");
    await create(sandbox, { pre_sale_uuid: NO_SUCH_UUID });
    expect(sandbox.journal.last?.problem).toBe("unknownPreSale");
  });

  test("422 for another user's presale, on create and on replace", async ({ sandbox }) => {
    const [foreign] = (await ask(sandbox, "GET /pre-sales", { user: COMPANY.email })).body;
    const change = { pre_sale_uuid: foreign.uuid };
    expect((await create(sandbox, change)).body.detail).toBe("pre_sale_uuid: Presale not found.");
    const { body } = await create(sandbox);
    const replaced = await ask(sandbox, `PUT ${PATH}/${body.uuid}`, {
      body: { ...(await input(sandbox)), ...change },
    });
    expect(replaced.status).toBe(422);
    expect((await ask(sandbox, `GET ${PATH}/${body.uuid}`)).body).toEqual(body);
  });

  test("a replacement needs every field, like a creation", async ({ sandbox }) => {
    const { body } = await create(sandbox);
    const reply = await ask(sandbox, `PUT ${PATH}/${body.uuid}`, { body: { threshold: 5 } });
    expect(reply.status).toBe(422);
    expect(reply.body.violations).toHaveLength(4);
  });
});

test.for([0, 9_007_199_254_740_991])("%i is a good threshold", async (threshold, { sandbox }) => {
  expect(await create(sandbox, { threshold })).toMatchObject({ status: 201, body: { threshold } });
});

test.for(['"a b"@c.d', "ada+alerts@example.test", "àda@münchen.example"])(
  "%s is a good target",
  async (target, { sandbox }) => {
    expect(await create(sandbox, { target })).toMatchObject({ status: 201, body: { target } });
  },
);

describe("an action that stands under its threshold when it is created", () => {
  test("fires immediately if fireOnCreate is set: it runs, and the mail is sent", async () => {
    const sandbox = await frozenSandbox({
      settings: { account: { fireOnCreate: true, actionDuration: "2s" } },
    });
    const { body } = await create(sandbox, { threshold: 900 });
    expect(body.running).toBe(true);
    expect(sandbox.mailbox.messages({ actionUuid: body.uuid })).toMatchObject([{ to: "ops@example.test" }]);
    await sandbox.clock.advance("2s");
    expect((await ask(sandbox, `GET ${PATH}/${body.uuid}`)).body.running).toBe(false);
  });

  test("waits for the next usage by default", async ({ sandbox }) => {
    const { body } = await create(sandbox, { threshold: 900 });
    expect(body.running).toBe(false);
    expect(sandbox.mailbox.messages()).toEqual([]);
  });
});
