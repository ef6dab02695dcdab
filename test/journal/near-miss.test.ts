import { expect, test } from "vitest";
import { findNearMisses, findPrefix, listMounts } from "../../src/journal/near-miss.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { account } from "../../src/services/account/index.ts";
import { museum } from "../../src/services/museum/index.ts";

const ID = "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11";
const BASE = "/museum/v1.1";

test.each([
  ["PUT", `${BASE}/special-events/${ID}`, "getSpecialEvent", "the method differs: PUT was sent"],
  ["GET", `${BASE}/special-events/`, "listSpecialEvents", "there is a trailing slash"],
  ["GET", `${BASE}//special-events`, "listSpecialEvents", "a slash is doubled"],
  ["GET", `${BASE}/Special-Events`, "listSpecialEvents", "upper and lower case differ"],
  [
    "GET",
    `${BASE}/special-event`,
    "listSpecialEvents",
    "one path segment differs: special-event, not special-events",
  ],
  ["GET", "/museum/v1/special-events", "listSpecialEvents", "one path segment differs: v1, not v1.1"],
  ["POST", "/museum/special-events", "createSpecialEvent", "one path segment is missing: v1.1"],
  ["POST", "/special-events", "createSpecialEvent", "the base path /museum/v1.1 is missing"],
  ["GET", `${BASE}${BASE}/special-events`, "listSpecialEvents", "the base path /museum/v1.1 is repeated"],
  ["GET", "/~w1/special-events", "listSpecialEvents", "the base path /museum/v1.1 is missing"],
  ["GET", `${BASE}/extra/special-events`, "listSpecialEvents", "one path segment is unexpected: extra"],
  ["GET", `${BASE}/tickets/qr`, "getTicketCode", "one path segment is missing: {ticketId}"],
])("%s %s was meant for %s", (method, path, operation, why) => {
  const [guess] = findNearMisses([{ service: museum, base: BASE }], { method, path });
  expect(guess?.operation).toBe(`museum.${operation}`);
  expect(guess?.message).toContain(why);
});

test.each([
  ["GET", "/account/presales", "listPreSales", "one path segment differs: presales, not pre-sales"],
  ["GET", "/account/users", "getUser", "one path segment is missing: {id}"],
  ["GET", "/sandbox/consumptions", "listConsumptions", "one path segment differs: sandbox, not account"],
  ["GET", "/account-sanbox/consumptions", "listConsumptions", "sanbox, not account-sandbox"],
  ["GET", "/account-sandbox/special-events", "museum.listSpecialEvents", "the base path is /museum/v1.1"],
  ["POST", "/login", "login", "the base path /account is missing"],
  ["PATCH", `/account/pre-sale-actions/${ID}`, "PreSaleAction", "this path accepts GET, PUT, DELETE"],
])("%s %s was meant for account.%s", (method, path, operation, why) => {
  const mounts = [museum, account].flatMap((service) =>
    service.environments.map(({ base }) => ({ service, base })),
  );
  const [guess] = findNearMisses(mounts, { method, path });
  expect(guess?.operation).toContain(operation);
  expect(guess?.message).toContain(why);
});

test("a path that resembles no operation has no near miss", () => {
  expect(findNearMisses([{ service: museum, base: BASE }], { method: "GET", path: "/robots.txt" })).toEqual(
    [],
  );
  expect(findNearMisses([{ service: museum, base: BASE }], { method: "GET", path: "/" })).toEqual([]);
  expect(findNearMisses([{ service: museum, base: BASE }], { method: "GET", path: "///" })).toEqual([]);
});

test("a path that differs in two segments has no near miss", () => {
  const path = "/musem/v1.1/special-event";
  expect(findNearMisses([{ service: museum, base: BASE }], { method: "GET", path })).toEqual([]);
});

test("the prefix of a path is known on a service's own port, in a world and inside another app", () => {
  const [environment] = museum.environments;
  if (environment === undefined) return expect.unreachable("the museum has one");
  const place = { service: museum, environment };
  expect(listMounts([museum, account], { ...place, base: "/~w1" })).toEqual([{ service: museum, base: "" }]);
  expect(listMounts([museum], { ...place, base: `/~w1${BASE}` })).toEqual([{ service: museum, base: BASE }]);
  for (const [base, under] of [
    [BASE, ""],
    [`/~w1${BASE}`, ""],
    [`/mock${BASE}`, "/mock"],
    [`/mock/~w1${BASE}`, "/mock"],
    ["/~w1", ""],
  ] as const)
    expect(findPrefix({ ...place, base }), base).toBe(under);
});

test("a request to the wrong service is told the right base address", () => {
  const other = { ...museum, name: "other", operations: {} };
  const mounts = [
    { service: museum, base: BASE },
    { service: other, base: "/account" },
  ];
  const [guess] = findNearMisses(mounts, { method: "GET", path: "/account/special-events" });
  expect(guess?.message).toContain("the base path is /museum/v1.1, not /account");
});

test("at most three near misses are reported, the nearest first, with all differences", () => {
  const near = findNearMisses([{ service: museum, base: BASE }], {
    method: "PUT",
    path: `${BASE}/special-event`,
  });
  expect(near.map(({ message }) => message)).toEqual([
    "Nearest: museum.createSpecialEvent, POST /museum/v1.1/special-events; one path segment differs: special-event, not special-events; the method differs: PUT was sent",
    "Nearest: museum.listSpecialEvents, GET /museum/v1.1/special-events; one path segment differs: special-event, not special-events; the method differs: PUT was sent",
    expect.stringContaining("Nearest: museum."),
  ]);
});

test("a message is one line of printable ASCII, however odd the request", () => {
  const path = `${BASE}/special-event\u00e9\u2028\u009b${"x".repeat(9)}`;
  const [guess] = findNearMisses([{ service: museum, base: BASE }], { method: "GET", path });
  expect(guess?.message).toMatch(/^[\x20-\x7e]{10,300}$/);
});

test.each([
  ["GET", `${BASE}/special-event`, 404],
  ["PUT", `${BASE}/special-events`, 405],
  ["POST", "/special-events", 404],
])("%s %s tells its near miss in the journal and in a header", async (method, path, status) => {
  await using sandbox = await createSandbox();
  const response = await sandbox.fetch(path, { method, headers: sandbox.auth.basic() });
  expect(response.status).toBe(status);
  const header = response.headers.get("x-vitrine-near-miss");
  expect(header).toContain("Nearest: museum.");
  expect(sandbox.journal.last?.operation).toBeUndefined();
  const { findings = [] } = sandbox.journal.last ?? {};
  expect(findings[0]).toEqual({ key: "nearMiss", message: header });
  expect(findings.length).toBeLessThanOrEqual(3);
});
