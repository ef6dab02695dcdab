import { expect, test } from "vitest";
import { buildReport } from "../../src/journal/verify.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";

const frozen = { clock: "2026-03-01T09:00:00Z", seed: 7 };
const operation = "museum.listSpecialEvents";

test("times is exact, a lower or an upper bound; without it, once is enough", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.museum.listSpecialEvents();
  await sandbox.museum.listSpecialEvents();
  const table = [
    [undefined, true],
    [2, true],
    [1, false, "expected exactly 1, found 2."],
    [3, false],
    [0, false],
    [{ min: 1 }, true],
    [{ min: 3 }, false, "expected at least 3, found 2."],
    [{ max: 2 }, true],
    [{ max: 1 }, false, "expected at most 1, found 2."],
    [{ min: 1, max: 2 }, true],
  ] as const;
  for (const [times, ok, told = ""] of table) {
    const verification = await sandbox.journal.verify({ operation, times });
    expect(verification, JSON.stringify(times)).toMatchObject({ ok, found: 2, evicted: 0 });
    expect(verification.message).toContain(told);
  }
});

test("a failed verification reports the expectation, the count and the nearest exchanges", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.museum.listSpecialEvents({ query: { page: 0 } });
  const { ok, message, nearest } = await sandbox.journal.verify({ operation, status: 200, times: 1 });
  expect(ok).toBe(false);
  expect(message).toContain('operation "museum.listSpecialEvents", status 200: expected exactly 1, found 0.');
  expect(nearest).toEqual([{ seq: 1, operation, differs: ["status is 400, not 200"] }]);
});

test("the nearest exchanges are sorted by operation, then by number of differences, then newest first", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.museum.getMuseumHours({ query: { page: 2, limit: 3 } });
  await sandbox.museum.listSpecialEvents({ query: { page: 1, limit: 1 } });
  await sandbox.museum.listSpecialEvents({ query: { page: 2, limit: 1 } });
  await sandbox.museum.listSpecialEvents({ query: { page: 2, limit: 1 } });
  const { nearest } = await sandbox.journal.verify({ operation, query: { page: 2, limit: 3 }, status: 200 });
  expect(nearest.map(({ seq }) => seq)).toEqual([4, 3, 2]);
});

test("a request to the expected operation is nearer than one to another operation with fewer differences", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.fetch("/museum/v1.1/special-events?page=0", { headers: sandbox.auth.basic("bob") });
  const hours = await sandbox.fetch("/museum/v1.1/museum-hours", { headers: sandbox.auth.basic("ada") });
  expect(hours.status).toBe(200);
  const { nearest } = await sandbox.journal.verify({ operation, user: "ada", status: 200 });
  expect(nearest.map(({ seq, differs }) => [seq, differs.length])).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

test("a request that matched no operation is near only to its intended operation", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.fetch("/museum/v1.1/special-event", { headers: sandbox.auth.basic() });
  const { nearest } = await sandbox.journal.verify({ operation });
  expect(nearest).toMatchObject([{ seq: 1, operation: "GET /special-event" }]);
  expect((await sandbox.journal.verify({ operation: "museum.getMuseumHours" })).nearest).toEqual([]);
});

test("a limit that selects no exchange is rejected with its position", async () => {
  await using sandbox = await createSandbox(frozen);
  for (const limit of [0, 1.5])
    expect(() => sandbox.journal.list({}, { limit })).toThrow(
      expect.objectContaining({ code: "badOption", place: { pointer: "/limit" } }),
    );
});

test("an exchange tells what it created, changed and removed", async () => {
  await using sandbox = await createSandbox(frozen);
  const [event] = sandbox.data.museum.specialEvents.all();
  if (event === undefined) return expect.unreachable("there are events");
  const params = { eventId: event.eventId };
  await sandbox.museum.updateSpecialEvent({ params, body: { name: "Other" } });
  await sandbox.museum.deleteSpecialEvent({ params });
  const place = { collection: "museum/specialEvents", key: event.eventId };
  expect(sandbox.journal.list().map(({ changes }) => changes)).toEqual([
    [{ ...place, kind: "changed", before: { name: event.name }, after: { name: "Other" } }],
    [{ ...place, kind: "removed", before: { ...event, name: "Other" } }],
  ]);
});

test("an exchange that has nothing in common with the expectation is not listed as nearest", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.museum.getMuseumHours();
  const expectation = { operation: "museum.createSpecialEvent", status: 201 };
  expect(await sandbox.journal.verify(expectation)).toMatchObject({ ok: false, nearest: [] });
});

test("a verification without within does not wait", async () => {
  const pauses: number[] = [];
  const wall = { now: () => 0, pause: async (ms: number) => void pauses.push(ms) };
  await using sandbox = await createSandbox({ ...frozen, wall });
  expect((await sandbox.journal.verify({ operation })).message).toContain("expected at least 1, found 0.");
  expect(pauses).toEqual([]);
});

test("a request with a wrong path is listed as nearest to the intended operation", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.fetch("/museum/v1.1/special-events/", { headers: sandbox.auth.basic() });
  const { ok, nearest } = await sandbox.journal.verify({ operation });
  expect(ok).toBe(false);
  expect(nearest).toMatchObject([{ seq: 1, operation: "GET /special-events/" }]);
});

test("within waits until enough exchanges match", async () => {
  await using sandbox = await createSandbox(frozen);
  const verifying = sandbox.journal.verify({ operation, times: { min: 2 }, within: "5s" });
  await sandbox.museum.listSpecialEvents();
  await sandbox.museum.listSpecialEvents();
  expect(await verifying).toMatchObject({ ok: true, found: 2 });
});

test("within ends immediately when an unwanted exchange matches", async () => {
  await using sandbox = await createSandbox(frozen);
  const verifying = sandbox.journal.verify({ operation, times: 0, within: "5s" });
  await sandbox.museum.listSpecialEvents();
  expect(await verifying).toMatchObject({ ok: false, found: 1 });
});

test("within ends when its wall time is over", async () => {
  let now = 0;
  const pause = async (delayMs: number) => {
    now += delayMs;
  };
  await using sandbox = await createSandbox({ ...frozen, wall: { now: () => now, pause } });
  expect(await sandbox.journal.verify({ operation, within: "2s" })).toMatchObject({ ok: false, found: 0 });
  expect(now).toBe(2_000);
});

test("an expectation that makes no sense is refused", async () => {
  await using sandbox = await createSandbox(frozen);
  const wrong = [-1, 1.5, { min: 3, max: 1 }, Number.NaN];
  for (const times of wrong) await expect(sandbox.journal.verify({ times })).rejects.toThrow(/times is/);
  await expect(sandbox.journal.verify({ operation: "museum.lst" })).rejects.toThrow(/Unknown operation/);
  await expect(sandbox.journal.verify({ within: "soon" })).rejects.toThrow(/is not a duration/);
});

test("a sandbox is verified as a whole: unmatched requests, unused rules, held gates", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.fetch("/museum/v1.1/special-event", { headers: sandbox.auth.basic() });
  const parts = {
    journal: sandbox.journal,
    unusedRules: ["lost-create"],
    waiting: [{ gate: "checkout", exchange: 1 }],
  };
  const strict = buildReport({ ...parts, expect: {} });
  expect(strict.ok).toBe(false);
  expect(strict.failures).toEqual([
    expect.stringMatching(/^#1 GET \/special-event matches no operation\. Nearest: museum\.listSpecial/),
    'Requests still wait at the gate "checkout".',
  ]);
  expect(strict.warnings).toEqual(['The rule "lost-create" was never applied.']);
  const lenient = buildReport({
    ...parts,
    waiting: [],
    expect: { unmatched: "ignore", unusedRules: "ignore" },
  });
  expect(lenient).toEqual({ ok: true, failures: [], warnings: [] });
});

test("the rules of a preset count as unused only if none applied, but rules of a test count one by one", async () => {
  const rules = [
    { id: "a", when: { operation: "museum.listSpecialEvents" }, then: { pass: true } },
    { id: "b", then: { delay: "1ms" }, when: { operation: "museum.getMuseumHours" } },
  ] as const;
  await using sandbox = await createSandbox({ scenario: { version: 1, rules } });
  await sandbox.addScenario("reply-lost-after-create");
  const unusedPreset = sandbox.report().warnings;
  expect(unusedPreset).toHaveLength(5);
  sandbox.rules.update("b", { enabled: false });
  expect(sandbox.report().warnings).toHaveLength(4);
  sandbox.rules.update("b", { enabled: true });
  const [, first = ""] = /"(lost-.*?)"/.exec(unusedPreset.join()) ?? [];
  sandbox.rules.update(first, { enabled: false });
  expect(sandbox.report().warnings).toEqual(
    unusedPreset.filter((warning) => !warning.includes(`"${first}"`)),
  );
  sandbox.rules.update(first, { enabled: true });
  await sandbox.museum.listSpecialEvents();
  const body = { name: "A", location: "B", eventDescription: "C", dates: ["2026-03-31"], price: 12 };
  await expect(sandbox.museum.createSpecialEvent({ body })).rejects.toThrow();
  expect(sandbox.report().warnings).toEqual(['The rule "b" was never applied.']);
});
