import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQuery, readPhpQuery, writeQuery } from "../../../../src/services/account/render/query.ts";

test.each([
  ["", {}],
  ["?year=2024", { year: "2024" }],
  ["?year=2023&year=2024", { year: "2024" }],
  ["?year[]=2023&year[]=2024", { year: ["2023", "2024"] }],
  ["?year%5B%5D=2023", { year: ["2023"] }],
  ["?year[0]=2023&year[5]=2024&year[]=2025", { year: ["2023", "2024", "2025"] }],
  ["?year[0]=2023&year[0]=2024", { year: ["2024"] }],
  ["?year[foo]=1&year[]=2", { year: { foo: "1", 0: "2" } }],
  ["?year=2023&year[]=2024", { year: ["2024"] }],
  ["?year[]=2024&year=2023", { year: "2023" }],
  ["?a[b][]=1&a[b][]=2", { a: { b: ["1", "2"] } }],
  ["?a[b=1", { "a[b": "1" }],
  ["?page", { page: "" }],
  ["?page=", { page: "" }],
  ["?q=a+b%20c", { q: "a b c" }],
  ["?q=a=b", { q: "a=b" }],
  ["?q=%", { q: "%" }],
  ["?q=100%&r=%zz%20%C3%A9", { q: "100%", r: "%zz é" }],
  ["?q=caf%E9+cr%e8me&%E9=1", { q: "café crème", é: "1" }],
  ["?q=%E0%A4%A", { q: "à¤%A" }],
  ["?&&a=1&", { a: "1" }],
  ["?=1", {}],
  ["?+page=1&%20year=2", { page: "1", year: "2" }],
  ["?__proto__=1&constructor[x]=2", { ["__proto__"]: "1", constructor: { x: "2" } }],
])("%s is read as PHP reads it", (search, values) => {
  expect(JSON.parse(JSON.stringify(readPhpQuery(search).values))).toEqual(JSON.parse(JSON.stringify(values)));
});

test("a parameter named __proto__ is an ordinary parameter", () => {
  expect(Object.keys(readPhpQuery("?__proto__=1").values)).toEqual(["__proto__"]);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test.each([
  ["?month[0]=1&month[1]=2", "month%5B%5D=1&month%5B%5D=2"],
  ["?q=a b!'()*&x[y]=ä", "q=a%20b%21%27%28%29%2A&x%5By%5D=%C3%A4"],
  ["?year=", "year="],
  ["?b=1&5=2&year[x]=1&year[]=2&year[-1]=3", "b=1&5=2&year%5Bx%5D=1&year%5B%5D=2&year%5B-1%5D=3"],
])("%s is written back as %s", (search, written) => {
  expect(writeQuery(parseQuery(search))).toBe(written);
});

test("every query can be read, and reads the same after it is written back", () => {
  const key = fc.oneof(fc.constantFrom("", "0", "3", "x"), fc.string({ maxLength: 4 }));
  const pair = fc
    .tuple(
      fc.string({ minLength: 1, maxLength: 6 }),
      fc.array(key, { maxLength: 3 }),
      fc.string({ maxLength: 6 }),
    )
    .map(([name, keys, value]) => {
      const brackets = keys.map((one) => `[${encodeURIComponent(one)}]`).join("");
      return `${encodeURIComponent(name)}${brackets}=${encodeURIComponent(value)}`;
    });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join("&")),
      ),
      (search) => {
        const written = writeQuery(parseQuery(`?${search}`));
        expect(writeQuery(parseQuery(`?${written}`))).toBe(written);
      },
    ),
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
