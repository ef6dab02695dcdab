// A request's parts before anything is made of them: headers, address, escapes, pointers.

import { expect, test } from "vitest";
import { splitUrl, toRequestHeaders } from "../../src/http/incoming-request.ts";
import { toPointer } from "../../src/http/json-pointer.ts";
import { normalizeEscapes } from "../../src/http/percent.ts";

test("headers are found by name, and listed in the order of the alphabet", () => {
  const headers = toRequestHeaders({ host: "localhost", accept: "text/html", "x-a": "" });
  expect([headers.get("accept"), headers.get("x-a"), headers.get("cookie")]).toEqual(["text/html", "", null]);
  expect([headers.has("host"), headers.has("constructor")]).toEqual([true, false]);
  expect([...headers].map(([name]) => name)).toEqual(["accept", "host", "x-a"]);
});

test.each([
  ["http://localhost:4010/a/b?c=d", { hostname: "localhost", pathname: "/a/b", search: "?c=d" }],
  ["http://localhost/", { origin: "http://localhost", pathname: "/", search: "" }],
  ["http://[::1]:80/a#b", { origin: "http://[::1]", hostname: "[::1]", pathname: "/a", search: "" }],
])("the address %s is split as URL does it", (url, parts) => {
  const { origin, hostname, pathname, search } = splitUrl(url);
  expect({ origin, hostname, pathname, search }).toMatchObject(parts);
});

test("of every octet the escape is needless that RFC 3986 leaves unreserved", () => {
  for (let octet = 0; octet < 128; octet += 1) {
    const character = String.fromCharCode(octet);
    const encoded = `%${octet.toString(16).padStart(2, "0")}`;
    const expected = /[\w.~-]/.test(character) ? character : encoded;
    expect(normalizeEscapes(`/${encoded}`), encoded).toBe(`/${expected}`);
  }
});

test("a pointer escapes what separates and what escapes", () => {
  expect(toPointer(["a/b", "c~d", 0])).toBe("/a~1b/c~0d/0");
});
