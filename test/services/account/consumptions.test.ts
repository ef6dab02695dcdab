import { describe, expect } from "vitest";
import { ask, COMPANY, call, NO_SUCH_UUID } from "../../support/account.ts";
import { frozenSandbox, type TestSandbox, test, testOfMistakes } from "../../support/test.ts";

type Row = { readonly uuid: string; readonly year: number; readonly month: number };

const list = async (sandbox: TestSandbox, query = ""): Promise<Row[]> =>
  (await ask(sandbox, `GET /consumptions${query}`)).body;
const months = (rows: readonly Row[]): string[] => rows.map(({ year, month }) => `${year}-${month}`);

test("the list has 30 consumptions per page and starts with this month", async ({ sandbox }) => {
  const first = await list(sandbox);
  expect(first).toHaveLength(30);
  expect(months(first).slice(0, 4)).toEqual(["2026-3", "2026-2", "2026-1", "2025-12"]);
  const rest = await list(sandbox, "?page=2");
  expect(rest).toHaveLength(10);
  expect(months(rest)[0]).toBe("2023-9");
  expect(await list(sandbox, "?page=3")).toEqual([]);
});

test("the months of the list follow the sandbox's date", async () => {
  const sandbox = await frozenSandbox({ clock: "2031-01-15T00:00:00Z" });
  expect(months(await list(sandbox)).slice(0, 3)).toEqual(["2031-1", "2030-12", "2030-11"]);
});

test("a consumption has exactly the documented fields, and the list includes months without usage", async ({
  sandbox,
}) => {
  const rows = await list(sandbox);
  expect(rows[0]).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    month: 3,
    year: 2026,
    total: expect.stringMatching(/^\d+\.\d{2}$/),
    invoices_sent: expect.any(Number),
    invoices_received: expect.any(Number),
  });
  expect(rows[3]).toMatchObject({ total: "0.00", invoices_sent: 0, invoices_received: 0 });
});

test("the uuid of a consumption matches in upper and lower case", async ({ sandbox }) => {
  const [row] = await list(sandbox);
  expect((await ask(sandbox, `GET /consumptions/${row?.uuid}`)).body).toEqual(row);
  expect((await ask(sandbox, `GET /consumptions/${row?.uuid.toUpperCase()}`)).body).toEqual(row);
});

test("a consumption of another user, or an unknown uuid, returns 404", async ({ sandbox }) => {
  const [foreign] = (await ask(sandbox, "GET /consumptions", { user: COMPANY.email })).body;
  for (const uuid of [foreign.uuid, NO_SUCH_UUID, "no-uuid", "%20"]) {
    const reply = await ask(sandbox, `GET /consumptions/${uuid}`);
    expect(reply).toMatchObject({ status: 404, body: { detail: "Not Found" } });
  }
  const own = await ask(sandbox, "GET /consumptions?page=1");
  expect(own.body.map(({ uuid }: Row) => uuid)).not.toContain(foreign.uuid);
});

describe("filters", () => {
  test.for([
    ["?year=2025", 12],
    ["?year=2025&month=2", 1],
    ["?year[]=2024&year[]=2025&month=2", 2],
    ["?month[]=1&month[]=2", 8],
    ["?month[0]=1&month[1]=2", 8],
    ["?month%5B%5D=1", 4],
    ["?year=2024&year[]=2025&month=12", 1],
    ["?year=2025&year=2024&month=12", 1],
    ["?year=1999", 0],
    ["?month[0]=1&month[x]=2", 4],
    ["?month[x]=2&month[]=1", 4],
    ["?month[][]=2&month[]=1", 4],
    ["?year=9223372036854775807", 0],
    ["?year=-9223372036854775808", 0],
    ["?year[]=9223372036854775807&year[]=2025", 12],
    ["?year=%2B2025", 12],
    ["?year=2025&foo=%E9&bar=%", 12],
    ["?month=13", 0],
    ["?month=0", 0],
    ["?year=-5", 0],
  ] as const)("%s returns %i consumptions", async ([query, count], { sandbox }) => {
    expect(await list(sandbox, query)).toHaveLength(count);
  });

  test("the later of year and year[] wins, as in PHP", async ({ sandbox }) => {
    const years = async (query: string) => [...new Set((await list(sandbox, query)).map(({ year }) => year))];
    expect(await years("?year=2024&year[]=2025")).toEqual([2025]);
    expect(await years("?year[]=2025&year=2024")).toEqual([2024]);
  });

  test.for([
    "?year=abc",
    "?year=",
    "?year=02024",
    "?year=2024.0",
    "?year[]=abc",
    "?year[]=2024&year[]=abc",
    "?year[foo]=2024",
    "?year[][]=2024",
    "?year=9223372036854775808",
    "?year=-9223372036854775809",
    "?year=18446744073709551616",
    "?year=%E9",
    "?Year=2024",
    "?itemsPerPage=5",
    "?pagination=false",
  ])("%s filters nothing", async (query, { sandbox }) => {
    expect(await list(sandbox, query)).toHaveLength(30);
  });

  test("a bad filter returns 400 if the setting badFilter is refuse", async () => {
    const sandbox = await frozenSandbox({ settings: { account: { badFilter: "refuse" } } });
    expect(await ask(sandbox, "GET /consumptions?year=abc&month=1")).toMatchObject({
      status: 400,
      body: { detail: "year must be whole numbers." },
    });
    expect((await ask(sandbox, "GET /consumptions?year=2024")).status).toBe(200);
  });
});

describe("pages, on every list", () => {
  const lists = ["/consumptions", "/pre-sales", "/pre-sale-actions"];

  test.for(["0", "-1", "abc", "", "0.9", "-0"])("page=%s is refused", async (page, { sandbox }) => {
    for (const path of lists) {
      const reply = await ask(sandbox, `GET ${path}?page=${page}`);
      expect(reply).toMatchObject({ status: 400, body: { detail: "Page should not be less than 1" } });
    }
  });

  test("a page too far for any offset is refused", async ({ sandbox }) => {
    for (const page of ["307445734561825862", "9223372036854775807", "99999999999999999999", "1e300"]) {
      const reply = await ask(sandbox, `GET /consumptions?page=${page}`);
      expect(reply).toMatchObject({ status: 400, body: { detail: "Page parameter is too large." } });
    }
  });

  test("the largest possible page is empty, and its links are exact", async ({ sandbox }) => {
    const page = "307445734561825861";
    expect(await list(sandbox, `?page=${page}`)).toEqual([]);
    const { body } = await call(sandbox, `GET /consumptions?page=${page}`);
    expect(body["hydra:view"]).toEqual({
      "@id": `/account/consumptions?page=${page}`,
      "@type": "hydra:PartialCollectionView",
      "hydra:first": "/account/consumptions?page=1",
      "hydra:last": "/account/consumptions?page=2",
      "hydra:previous": "/account/consumptions?page=307445734561825860",
    });
  });

  test.for(["2abc", "2.9", "+2", "%202", "02", "2e0"])("page=%s is page 2", async (page, { sandbox }) => {
    expect(await list(sandbox, `?page=${page}`)).toEqual(await list(sandbox, "?page=2"));
  });

  test.for(["?page[]=5", "?page[x]=5"])("%s is the first page", async (query, { sandbox }) => {
    expect(await list(sandbox, query)).toHaveLength(30);
  });

  test("settings change the page size and the response to a bad page number", async () => {
    const sandbox = await frozenSandbox({ settings: { account: { pageSize: 7, badPage: "first" } } });
    expect(await list(sandbox, "?page=-3")).toHaveLength(7);
    expect(await list(sandbox, "?page=6")).toHaveLength(5);
  });
});

test("the typed client sends lists as repeated parameters", async ({ sandbox }) => {
  const reply = await sandbox.account.listConsumptions({ query: { "year[]": [2024, 2025], month: 6 } });
  if (!reply.ok) throw new Error("refused");
  expect(months(reply.body)).toEqual(["2025-6", "2024-6"]);
});

testOfMistakes("consumptions are read only", async ({ sandbox }) => {
  const reply = await ask(sandbox, "POST /consumptions", { body: {} });
  expect(reply.status).toBe(405);
  expect(reply.headers.get("allow")).toBe("GET");
});
