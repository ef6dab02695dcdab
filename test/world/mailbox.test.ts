import { expect, test } from "vitest";
import type { WallClock } from "../../src/world/clock.ts";
import { World } from "../../src/world/world.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const mail = {
  environment: "account",
  to: "ops@example.test",
  subject: "Presale credit is low",
  text: "low",
  html: "<p>low</p>",
  actionUuid: "watch",
};

/** A wall whose pauses end at once, so that a wait that must fail takes no time. */
const impatient: WallClock = { now: () => NOON, pause: async () => {} };

test("mails are listed oldest first, filtered by a matcher, until the mailbox is cleared", () => {
  const { mailbox } = new World({ seed: 1 });
  mailbox.deliver(mail, NOON);
  mailbox.deliver(
    { ...mail, to: "ada@example.test", environment: "accountSandbox", actionUuid: "other" },
    NOON,
  );
  expect(mailbox.messages()).toEqual([
    { ...mail, id: "1", at: "2026-03-01T12:00:00.000Z" },
    expect.objectContaining({ id: "2", to: "ada@example.test" }),
  ]);
  for (const [filter, ids] of [
    [{ to: "ada@example.test" }, ["2"]],
    [{ actionUuid: "watch" }, ["1"]],
    [{ subject: "credit" }, ["1", "2"]],
    [{ environment: "account", subject: "high" }, []],
  ] as const) {
    expect(mailbox.messages(filter).map(({ id }) => id)).toEqual(ids);
  }
  mailbox.clear();
  expect(mailbox.messages()).toEqual([]);
});

test("a wait gets the mail that is there, or the next that matches", async () => {
  const { mailbox } = new World({ seed: 1 });
  const waiting = mailbox.waitFor({ to: mail.to }, { within: "1h" });
  mailbox.deliver({ ...mail, to: "ada@example.test" }, NOON);
  mailbox.deliver(mail, NOON);
  mailbox.deliver(mail, NOON);
  expect((await waiting).id).toBe("2");
  expect((await mailbox.waitFor({ to: "ada@example.test" })).id).toBe("1");
});

test("a wait that times out lists the mails that arrived instead", async () => {
  const { mailbox } = new World({ seed: 1, wall: impatient });
  await expect(mailbox.waitFor()).rejects.toMatchObject({
    name: "UsageError",
    code: "timedOut",
    message: "No mail arrived within 2s. The mailbox is empty.",
  });
  mailbox.deliver(mail, NOON);
  await expect(
    mailbox.waitFor({ to: "eve@example.test", subject: "low" }, { within: "10ms" }),
  ).rejects.toThrow(
    'No mail with to "eve@example.test" and subject "low" arrived within 10ms. The mailbox contains: ops@example.test "Presale credit is low".',
  );
  await expect(mailbox.waitFor({}, { within: "soon" })).rejects.toThrow('"soon" is not a duration');
});

test("subscribers receive a mail after its transaction commits, and no mail of a rolled-back transaction", () => {
  const { mailbox, store } = new World({ seed: 1 });
  const heard: string[] = [];
  const stop = mailbox.subscribe(({ id }) => heard.push(id));
  store.transaction(() => {
    mailbox.deliver(mail, NOON);
    expect(heard).toEqual([]);
  });
  expect(heard).toEqual(["1"]);
  store.transaction(
    () => mailbox.deliver(mail, NOON),
    () => false,
  );
  expect(heard).toEqual(["1"]);
  mailbox.deliver(mail, NOON);
  stop();
  mailbox.deliver(mail, NOON);
  expect(heard).toEqual(["1", "2"]);
});

test("a subscriber that throws stops neither the other subscribers nor the transaction", () => {
  const { mailbox, store } = new World({ seed: 1 });
  const [heard, failures]: [string[], string[]] = [[], []];
  mailbox.onListenerFailure((message) => failures.push(message));
  mailbox.subscribe(() => {
    throw new Error("no such printer");
  });
  mailbox.subscribe(({ id }) => heard.push(id));
  expect(store.transaction(() => mailbox.deliver(mail, NOON).id).result).toBe("1");
  expect(heard).toEqual(["1"]);
  expect(failures).toEqual(["no such printer"]);
});

test("a mailbox belongs to the state: a snapshot brings it back", () => {
  const world = new World({ seed: 1 });
  world.mailbox.deliver(mail, NOON);
  const before = world.snapshot();
  world.mailbox.clear();
  world.restore(before);
  expect(world.mailbox.messages()).toHaveLength(1);
});

test("a wait that times out lists the last ten mails, and the number of older ones", async () => {
  const { mailbox } = new World({ seed: 1, wall: impatient });
  for (let count = 1; count <= 12; count += 1) mailbox.deliver({ ...mail, subject: `no. ${count}` }, NOON);
  const shown = Array.from({ length: 10 }, (_, index) => `ops@example.test "no. ${index + 3}"`).join(", ");
  await expect(mailbox.waitFor({ to: "eve@example.test" })).rejects.toThrow(
    `The mailbox contains 2 older and: ${shown}.`,
  );
});
