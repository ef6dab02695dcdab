import { expect, test } from "vitest";
import { writeJson } from "../../../../src/services/account/render/media.ts";
import { AccountSettings } from "../../../../src/services/account/settings.ts";

const value = { a: 'x/y "q" \\ \\" <b>&\'', b: "è €😀\u2028", c: "tab\t" };
const php = AccountSettings.parse({ phpEscaping: true });

test("JSON is written plainly unless PHP's escaping is asked for", () => {
  expect(writeJson(value, "application/json", AccountSettings.parse({}))).toBe(JSON.stringify(value));
});

test("PHP's two encoders escape different things, and lose nothing", () => {
  const linked = writeJson(value, "application/ld+json", php);
  const plain = writeJson(value, "application/json", php);
  expect(linked).toBe(
    String.raw`{"a":"x\/y \u0022q\u0022 \\ \\\u0022 \u003Cb\u003E\u0026\u0027","b":"è €😀\u2028","c":"tab\t"}`,
  );
  expect(plain).toBe(
    String.raw`{"a":"x\/y \"q\" \\ \\\" <b>&'","b":"\u00e8 \u20ac\ud83d\ude00\u2028","c":"tab\t"}`,
  );
  expect(JSON.parse(linked)).toEqual(value);
  expect(JSON.parse(plain)).toEqual(value);
});
