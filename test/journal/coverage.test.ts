import { expect, test } from "vitest";
import { Coverage, checkMinimum, computeScore, mergeCoverage } from "../../src/journal/coverage.ts";
import { coverageReports } from "../../src/journal/coverage-report.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { museum } from "../../src/services/museum/index.ts";
import { arrived } from "../support/exchange.ts";

const frozen = { clock: "2026-03-01T09:00:00Z", seed: 7 };
const list = { operation: "museum.listSpecialEvents", status: 200, media: "application/json" };

test("every documented answer is listed, and those that a client met are counted", async () => {
  await using sandbox = await createSandbox(frozen);
  expect(computeScore(sandbox.coverage.data()).met).toBe(0);
  await sandbox.museum.listSpecialEvents();
  await sandbox.museum.listSpecialEvents({ query: { limit: 31 } });
  await sandbox.museum.deleteSpecialEvent({
    params: { eventId: sandbox.data.museum.specialEvents.all()[0]?.eventId ?? "" },
  });
  const met = sandbox.coverage.data().documented.filter(({ count }) => count > 0);
  expect(met).toEqual([
    { ...list, count: 1 },
    { ...list, status: 400, media: "application/problem+json", count: 1 },
    { operation: "museum.deleteSpecialEvent", status: 204, media: "", count: 1 },
  ]);
});

test("a HEAD of a documented GET does not count as an undocumented response", async () => {
  await using sandbox = await createSandbox(frozen);
  const headers = sandbox.auth.basic();
  await sandbox.fetch("/museum/v1.1/special-events", { method: "HEAD", headers });
  expect(sandbox.journal.count({ operation: list.operation, status: 200 })).toBe(1);
  expect(sandbox.coverage.data().undocumented).toEqual([]);
  expect(computeScore(sandbox.coverage.data()).met).toBe(0); // nor is it the answer of GET, whose body it lacks
});

test("coverage keeps its counts when a reset clears the journal", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.museum.listSpecialEvents();
  sandbox.reset();
  await sandbox.museum.listSpecialEvents();
  expect(sandbox.journal.count()).toBe(1);
  expect(sandbox.coverage.data().documented).toContainEqual({ ...list, count: 2 });
});

test("the coverage of all worlds counts together, and that of several processes can be merged", async () => {
  await using one = await createSandbox(frozen);
  await one.fork().museum.listSpecialEvents();
  await using other = await createSandbox(frozen);
  await other.museum.listSpecialEvents();
  const merged = mergeCoverage([one.coverage.data(), JSON.parse(JSON.stringify(other.coverage.data()))]);
  expect(merged.documented).toContainEqual({ ...list, count: 2 });
  expect(computeScore(merged)).toMatchObject({ met: 1, documented: one.coverage.data().documented.length });
});

test("a response stays documented if the settings change after it occurred", async () => {
  await using sandbox = await createSandbox(frozen);
  const create = { operation: "museum.createSpecialEvent", media: "application/problem+json" };
  const refuse = () => sandbox.museum.createSpecialEvent({ body: {} as never });
  await refuse();
  await sandbox.scenario({ version: 1, title: "422", settings: { museum: { validationStatus: 422 } } });
  await refuse();
  await refuse();
  const { documented, undocumented } = sandbox.coverage.data();
  expect(documented).toContainEqual({ ...create, status: 400, count: 1 });
  expect(documented).toContainEqual({ ...create, status: 422, count: 2 });
  expect(documented.filter(({ status }) => status === 400 || status === 422)).not.toContainEqual(
    expect.objectContaining({ operation: "museum.listSpecialEvents", status: 400 }),
  );
  expect(undocumented).toEqual([]);
});

test("the check passes at exactly the required percentage", async () => {
  const answer = (status: number, count: number) => ({ operation: "a.b", status, media: "", count });
  const data = {
    format: "vitrine-coverage-1",
    documented: [answer(200, 1), answer(404, 0)],
    undocumented: [],
  } as const;
  expect(checkMinimum(data, 50)).toEqual({
    ok: true,
    message: "1 of 2 documented responses received, 50 %; at least 50 %.",
  });
  expect(checkMinimum(data, 50.1).ok).toBe(false);
});

test("an undocumented response is listed separately, and one that a fault lost is not counted", () => {
  const coverage = new Coverage([museum]);
  const answer = { ...arrived(1, 0), responseHeaders: { "content-type": "text/plain" } };
  coverage.record({ ...answer, status: 503 });
  coverage.record({ ...answer, status: 418, fault: "reset" });
  coverage.record({ ...answer, status: 503, fault: "slow-close" });
  const { documented, undocumented } = coverage.data();
  expect(undocumented).toEqual([{ ...list, status: 503, media: "text/plain", count: 2 }]);
  expect(documented.every(({ count }) => count === 0)).toBe(true);
});

test("each report lists every response, and escapes it", () => {
  const data = {
    format: "vitrine-coverage-1",
    documented: [
      { operation: "a.b", status: 200, media: 'text/<b>&"x"', count: 2 },
      { operation: "a.b", status: 204, media: "", count: 0 },
    ],
    undocumented: [{ operation: "a.b", status: 500, media: "", count: 1 }],
  } as const;
  const text = coverageReports.text(data);
  expect(text).toContain("1 of 2 documented responses received (50 %)");
  expect(text).toMatch(/received a\.b 200 .*\(2 times\)/);
  expect(text).toContain("Received, but not documented:\n  a.b 500 no body");
  expect(JSON.parse(coverageReports.json(data))).toMatchObject({ ...data, score: { percent: 50 } });
  const junit = coverageReports.junit(data);
  expect(junit).toContain('<testsuite name="documented responses" tests="2" failures="1">');
  expect(junit).toContain('name="204 no body"><failure message="never received"/></testcase>');
  expect(junit).not.toContain("<b>");
  expect(coverageReports.text({ ...data, undocumented: [] })).not.toContain("not documented");
});

test("the record of coverage is JSON that another server continues from, and contains only new changes", async () => {
  await using sandbox = await createSandbox(frozen);
  await sandbox.museum.listSpecialEvents();
  const known = new Map<string, ReadonlyMap<string, number>>();
  const record = sandbox.coverage.toRecord(known);
  expect(record).toMatchObject([
    { service: "museum", counts: { "museum.listSpecialEvents 200 application/json": 1 } },
  ]);
  expect(sandbox.coverage.toRecord(known)).toEqual([]);
  await sandbox.museum.listSpecialEvents({ query: { page: 0 } });
  expect(sandbox.coverage.toRecord(known)).toMatchObject([
    { counts: { "museum.listSpecialEvents 400 application/problem+json": 1 } },
  ]);
  const other = new Coverage([museum]);
  other.restore([...JSON.parse(JSON.stringify(record)), { service: "gone", settings: {}, counts: { x: 1 } }]);
  expect(other.data().documented.filter(({ count }) => count > 0)).toEqual([{ ...list, count: 1 }]);
  expect(other.data().undocumented).toEqual([]);
});
