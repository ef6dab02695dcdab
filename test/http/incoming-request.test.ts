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
])("the URL %s is split in the same way as by the class URL", (url, parts) => {
  const { origin, hostname, pathname, search } = splitUrl(url);
  expect({ origin, hostname, pathname, search }).toMatchObject(parts);
});

test("only escapes of unreserved characters of RFC 3986 are decoded", () => {
  for (let octet = 0; octet < 128; octet += 1) {
    const character = String.fromCharCode(octet);
    const encoded = `%${octet.toString(16).padStart(2, "0")}`;
    const expected = /[\w.~-]/.test(character) ? character : encoded;
    expect(normalizeEscapes(`/${encoded}`), encoded).toBe(`/${expected}`);
  }
});

test("a JSON pointer escapes the separator and the escape character", () => {
  expect(toPointer(["a/b", "c~d", 0])).toBe("/a~1b/c~0d/0");
});
