import { expect, test } from "vitest";
import { Journal } from "../../src/journal/journal.ts";
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from "../../src/journal/memory-limit.ts";
import { toComparable, toMatchable } from "../../src/journal/recorded-exchange.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { services } from "../../src/services/index.ts";
import { open, record } from "../support/exchange.ts";

const START = Date.parse("2026-03-01T09:00:00Z");
const LIST = "/museum/v1.1/special-events";

test("an exchange is told as plain JSON data, with its diff and its findings", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
  const body = {
    name: "Lamps",
    location: "Hall 2",
    eventDescription: "Dark",
    dates: ["2026-03-31"],
    price: 5,
  };
  const created = await sandbox.museum.createSpecialEvent({ body });
  const { eventId } = created.body as { eventId: string };
  await sandbox.fetch(`${LIST}/${eventId}?colour=red`, {
    method: "PATCH",
    headers: { ...sandbox.auth.basic("ada"), "content-type": "application/json" },
    body: JSON.stringify({ price: 9 }),
  });
  const recorded = sandbox.journal.last;
  expect(JSON.parse(JSON.stringify(recorded))).toEqual(recorded);
  expect(recorded).toMatchObject({
    seq: 2,
    at: "2026-03-01T09:00:00.000Z",
    world: "main",
    operation: "museum.updateSpecialEvent",
    user: "ada",
    status: 200,
    requestText: '{"price":9}',
    changes: [
      {
        collection: "museum/specialEvents",
        key: eventId,
        kind: "changed",
        before: { price: 5 },
        after: { price: 9 },
      },
    ],
    findings: [{ key: "unknownQuery" }],
  });
  expect(sandbox.journal.list()[0]?.changes).toMatchObject([{ kind: "created", after: { price: 5 } }]);
});

test("exchanges that end out of order are listed in order of arrival", () => {
  const journal = new Journal();
  const [slow, quick] = [open(journal), open(journal)];
  journal.end(quick);
  journal.end(slow);
  expect(journal.list().map(({ seq }) => seq)).toEqual([1, 2]);
  expect(journal.last?.seq).toBe(2);
});

test("an open exchange keeps its number after a clear, and a reset drops it with a notice", () => {
  const journal = new Journal();
  record(journal);
  const late = open(journal);
  const { id } = journal;
  journal.clear();
  expect(journal.id).not.toBe(id);
  record(journal);
  journal.end(late);
  expect(journal.list({ state: "ended" }).map(({ seq }) => seq)).toEqual([2, 3]);
  const lost = open(journal);
  journal.reset();
  journal.end(lost);
  record(journal);
  expect(journal.list().map(({ seq }) => seq)).toEqual([1]);
  expect(journal.notices.all).toMatchObject([
    { key: "openAtReset", message: expect.stringContaining("#4 GET /museum/v1.1/special-events open") },
  ]);
});

test("20,000 requests leave at most 1,000 entries and the number of dropped ones, which verify reports as evicted", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
  const { journal } = sandbox;
  await sandbox.museum.deleteSpecialEvent({ params: { eventId: crypto.randomUUID() } });
  for (let count = 1; count < 20_000; count += 1) record(journal);
  expect(journal.weight.entries).toBe(MAX_JOURNAL_ENTRIES);
  expect(journal.weight.bytes).toBeLessThanOrEqual(MAX_JOURNAL_BYTES);
  expect(journal.evicted).toBe(20_000 - MAX_JOURNAL_ENTRIES);
  expect(journal.list()[0]?.seq).toBe(20_000 - MAX_JOURNAL_ENTRIES + 1);

  const lists = await journal.verify({ operation: "museum.listSpecialEvents", times: 19_999 });
  expect(lists).toMatchObject({ ok: false, found: 1_000, evicted: 18_999 });
  expect(lists.message).toContain("evicted");
  expect(await journal.verify({ operation: "museum.deleteSpecialEvent", times: 1 })).toMatchObject({
    evicted: 1,
  });
  expect(await journal.verify({ operation: "museum.createSpecialEvent", times: 0 })).toMatchObject({
    ok: true,
  });
  expect(await journal.verify({ operation: "museum.listSpecialEvents" })).toMatchObject({
    ok: true,
    evicted: 0,
  });
  const recent = { operation: "museum.listSpecialEvents", after: 19_990 };
  expect(await journal.verify({ ...recent, times: 10 })).toMatchObject({ ok: true, found: 10, evicted: 0 });
});

test("large bodies are cut after 8 KiB, and all together stay under 16 MiB", () => {
  const journal = new Journal();
  const text = "é".repeat(500_000);
  const change = { collection: "museum/specialEvents", key: "1", before: undefined, after: { name: text } };
  record(journal, { requestText: text, responseBody: text, changes: [change] });
  const recorded = journal.last;
  expect(recorded?.requestText).toMatch(/^é{4096}… \[cut after 8192 of 1000000 bytes]$/);
  expect(recorded?.responseBody?.length).toBeLessThan(9_000);
  expect(recorded?.changes).toEqual([
    { collection: "museum/specialEvents", key: "1", kind: "created", after: { tooLarge: true } },
  ]);
  for (let count = 0; count < 2_000; count += 1) {
    const search = `?name=${"n".repeat(8_000)}`;
    record(journal, { requestText: text, responseBody: text, search });
  }
  expect(journal.weight.bytes).toBeLessThanOrEqual(MAX_JOURNAL_BYTES);
  expect(journal.evicted).toBeGreaterThan(1_000);
  expect(journal.weight.entries + journal.evicted).toBe(2_001);
});

test("a query asks by operation, status, problem, user, rule, finding, number and instant", async () => {
  const journal = new Journal({ services });
  record(journal, { user: "ada" });
  record(journal, { status: 404, problem: "eventNotFound", operation: "museum.getSpecialEvent" });
  record(journal, {
    at: START + 60_000,
    rules: [{ rule: "r1", outcome: "applied", why: "it matched" }],
    findings: [{ key: "unknownField", message: "…" }],
  });
  const seqs = (filter: Parameters<Journal["list"]>[0]) => journal.list(filter).map(({ seq }) => seq);
  expect(seqs({ operation: "museum.list*" })).toEqual([1, 3]);
  expect(seqs({ operation: ["museum.getSpecialEvent", "account.*"] })).toEqual([2]);
  expect(seqs({ status: 404 })).toEqual([2]);
  expect(seqs({ problem: "eventNotFound", method: "get" })).toEqual([2]);
  expect(seqs({ user: "ada" })).toEqual([1]);
  expect(seqs({ rule: "r1" })).toEqual([3]);
  expect(seqs({ finding: "unknownField" })).toEqual([3]);
  expect(seqs({ after: 1 })).toEqual([2, 3]);
  expect(seqs({ since: "2026-03-01T09:01:00Z" })).toEqual([3]);
  expect(seqs({ until: "2026-03-01T09:01:00Z" })).toEqual([1, 2]);
});

test("a query that names what does not exist is refused, with the nearest name", async () => {
  await using sandbox = await createSandbox();
  const { journal } = sandbox;
  expect(() => journal.count({ operation: "museum.createSpecialEvnt" })).toThrow(
    /Did you mean "museum.createSpecialEvent"/,
  );
  expect(() => journal.list({ operation: "muesum.*" })).toThrow(/Unknown operation "muesum\.\*"/);
  const misspelt = { operaton: "museum.createSpecialEvent" } as object;
  expect(() => journal.list(misspelt)).toThrow(/Did you mean "operation"/);
  const text = { status: "200" } as object;
  expect(() => journal.list(text)).toThrow(/status must be a status such as 404/);
  expect(() => journal.count({ since: "yesterday" })).toThrow(/is not a time/);
});

test("waitFor resolves with an exchange that has ended, or with the next one that does", async () => {
  await using sandbox = await createSandbox();
  const waiting = sandbox.journal.waitFor({ operation: "museum.listSpecialEvents", status: 200 });
  await sandbox.museum.listSpecialEvents();
  expect((await waiting).seq).toBe(1);
  expect((await sandbox.journal.waitFor({ operation: "museum.list*" })).seq).toBe(1);
});

test("waitFor rejects after its wall-clock time and names the nearest exchange", async () => {
  await using sandbox = await createSandbox({ wall: { now: () => START, pause: async () => {} } });
  await sandbox.museum.listSpecialEvents();
  await expect(
    sandbox.journal.waitFor({ operation: "museum.listSpecialEvents", status: 404 }, { within: "2s" }),
  ).rejects.toThrow(/ended within 2s.* Nearest: #1 museum.listSpecialEvents: status is 200, not 404/);
  await expect(sandbox.journal.waitFor({}, { within: "soon" })).rejects.toThrow(/is not a duration/);
});

test("a subscriber receives each exchange when it arrives, waits and ends, until it unsubscribes", async () => {
  await using sandbox = await createSandbox();
  const seen: (string | undefined)[] = [];
  const leave = sandbox.journal.subscribe(({ seq, state, waits }) => seen.push(`${seq} ${state} ${waits}`));
  sandbox.use({ id: "slow", then: { delay: "1ms" } });
  await sandbox.museum.listSpecialEvents();
  leave();
  await sandbox.museum.listSpecialEvents();
  expect(seen).toEqual(["1 open undefined", "1 open delay 1 ms, rule slow", "1 ended undefined"]);
});

test("a subscriber of summaries receives the same exchanges as one of full exchanges, without secrets", async () => {
  await using sandbox = await createSandbox();
  const brief: unknown[] = [];
  sandbox.journal.subscribeSummaries((exchange) => brief.push(JSON.parse(JSON.stringify(exchange))));
  sandbox.use({
    id: "lost",
    when: { operation: "museum.getMuseumHours" },
    then: { fault: "reset" },
  });
  await sandbox.fetch("/account/login?again=Sesame%21%21", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "ada", password: "Sesame!!" }),
  });
  await sandbox.fetch("/museum/v1.1/nothing/Sesame!!", {
    headers: { authorization: `Basic ${btoa("ada:Sesame!!")}` },
  });
  await expect(sandbox.museum.getMuseumHours()).rejects.toThrow();
  const whole = sandbox.journal.list();
  expect(brief).toEqual(
    whole.map(
      ({ seq, at, method, base, path, search, operation, status, made, problem, fault, rules, findings }) =>
        JSON.parse(
          JSON.stringify({
            seq,
            at,
            method,
            base,
            path,
            search,
            operation,
            status,
            made,
            problem,
            fault,
            rules,
            findings,
          }),
        ),
    ),
  );
  expect(brief).toMatchObject([{ problem: expect.any(String) }, { status: 404 }, { fault: "reset" }]);
  expect(JSON.stringify(brief)).not.toContain("Sesame");
});

test("a subscriber that throws harms no request, and the journal has a notice about it", async () => {
  await using sandbox = await createSandbox();
  sandbox.journal.subscribe(() => {
    throw new Error("no such column");
  });
  expect((await sandbox.museum.listSpecialEvents()).status).toBe(200);
  expect(sandbox.journal.notices.all).toContainEqual({ key: "listenerFailed", message: "no such column" });
});

test("an exchange matches its own filters, and does not change when it is read again", async () => {
  await using sandbox = await createSandbox();
  await sandbox.museum.listSpecialEvents({ query: { limit: 3 } });
  const first = sandbox.journal.list();
  expect(
    sandbox.journal.list({ operation: "museum.listSpecialEvents", status: 200, path: "/special-events" }),
  ).toEqual(first);
  expect(first[0]).toMatchObject({ search: "?limit=3", responseBody: expect.stringContaining("eventId") });
});

test("two runs of the same requests can be compared byte by byte", async () => {
  const run = async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
    await sandbox.museum.createSpecialEvent({
      body: { name: "Lamps", location: "", eventDescription: "", dates: [], price: 1 },
    });
    await sandbox.museum.listSpecialEvents();
    return JSON.stringify(sandbox.journal.list().map(toComparable));
  };
  expect(await run()).toBe(await run());
});

test("a notice contains no secret, and the journal drops it together with the exchanges", async () => {
  await using sandbox = await createSandbox();
  const { notices } = sandbox.core.journal;
  const seen: string[] = [];
  const leave = notices.subscribe(({ message }) => seen.push(message));
  for (let sent = 0; sent < 101; sent += 1)
    notices.add({ key: "mailNotSent", message: `${sent} Bearer Sesame!` });
  leave();
  notices.add({ key: "mailNotSent", message: "after" });
  expect(seen).toHaveLength(101);
  expect(notices.all).toHaveLength(100);
  expect(notices.all[0]?.message).toMatch(/^2 Bearer \[redacted/);
  expect(sandbox.state()).toMatchObject({ notices: notices.all });
  sandbox.journal.clear();
  expect(notices.all).toEqual([]);
});

test("the journal shows length and digest of binary bodies, and stores their bytes up to bodyBytes", async () => {
  for (const [bodyBytes, kept] of [
    [8_192, /^\[binary \d+ bytes, #[0-9a-f]{8}]$/],
    [1_048_576, { base64: expect.stringMatching(/^[\w+/]+=*$/) }],
  ] as const) {
    await using sandbox = await createSandbox({ journal: { bodyBytes } });
    const [ticket] = sandbox.data.museum.tickets.all();
    await sandbox.museum.getTicketCode({ params: { ticketId: ticket?.ticketId ?? "" } });
    expect(sandbox.journal.last?.responseBody).toMatch(/^\[binary \d+ bytes, #[0-9a-f]{8}]$/);
    const body = sandbox.record().journal.exchanges[0]?.responseBody;
    if (kept instanceof RegExp) expect(body).toMatch(kept);
    else expect(body).toEqual(kept);
  }
});

test("a body that was cut has its full length, and a complete body has no separate length", async () => {
  await using sandbox = await createSandbox({ journal: { bodyBytes: 10 } });
  const send = (body: string) =>
    sandbox.fetch(LIST, {
      method: "POST",
      headers: { ...sandbox.auth.basic(), "content-type": "application/json" },
      body,
    });
  await send("[1]");
  await send('{"name": "Lamps"}');
  expect(sandbox.journal.list().map(({ requestText }) => requestText)).toEqual([
    "[1]",
    '{"name": "… [cut after 10 of 17 bytes]',
  ]);
  expect(sandbox.journal.list().map((one) => toMatchable(one).requestBytes)).toEqual([undefined, 17]);
});
