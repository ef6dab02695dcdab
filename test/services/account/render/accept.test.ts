import fc from "fast-check";
import { expect, test } from "vitest";
import {
  chooseMedia,
  HTML,
  JSON_TYPE,
  LD_JSON,
  MEDIA_TYPES,
} from "../../../../src/services/account/render/media.ts";

const BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7";

const table: readonly (readonly [accept: string | null, chosen: string | undefined])[] = [
  [null, LD_JSON],
  ["*/*", LD_JSON],
  ["*", LD_JSON],
  ["application/*", LD_JSON],
  ["application/*+json", LD_JSON],
  ["", LD_JSON],
  ["  ", LD_JSON],
  ["0", LD_JSON],
  ["application/ld+json", LD_JSON],
  ["application/json", JSON_TYPE],
  ["APPLICATION/JSON", JSON_TYPE],
  ["text/html", HTML],
  ["text/*", HTML],
  ["text/*;q=0.5", HTML],
  [BROWSER, HTML],
  // Here the negotiators that follow RFC 9110 answer JSON: the service prefers its first form at equal weight.
  ["application/json, text/plain, */*", LD_JSON],
  ["application/json, application/ld+json", LD_JSON],
  ["text/html, application/json", JSON_TYPE],
  ["application/json, */*;q=0.8", JSON_TYPE],
  ["application/json;q=0.2, text/html;q=0.3", HTML],
  ["application/xml, application/json;q=0.1", JSON_TYPE],
  // Weight 0 excludes nothing.
  ["application/json;q=0", JSON_TYPE],
  ["application/json;q=0, text/html;q=0.1", HTML],
  // The first of two equal elements counts.
  ["application/json;q=0.1, application/json;q=0.9, text/html;q=0.5", HTML],
  // Any parameter but the weight keeps an element from matching, even of a wildcard.
  ["application/json; charset=utf-8", undefined],
  ["*/*; charset=utf-8", undefined],
  ['application/json; profile="a,b"', undefined],
  ["application/json; charset=utf-8, text/html", HTML],
  // What is broken is skipped.
  ["invalid", undefined],
  ["invalid, application/json", JSON_TYPE],
  [", ,application/json,", JSON_TYPE],
  ["/json, application/", undefined],
  ["a/b/c, text/html", HTML],
  ["text/plain", undefined],
  ["application/xml", undefined],
  ["application/problem+json", undefined],
];

test.each(table)("Accept: %s chooses %s", (accept, chosen) => {
  expect(chooseMedia(accept, MEDIA_TYPES)).toBe(chosen);
});

test("only what is offered is chosen", () => {
  expect(chooseMedia("*/*", [HTML])).toBe(HTML);
  expect(chooseMedia("application/json", [HTML])).toBeUndefined();
});

test("any header selects an offered form or nothing, and a header with */* always selects a form", () => {
  const part = fc.constantFrom(...'a/*;,=q "\\.0+json');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join("")),
      ),
      (accept) => {
        expect([...MEDIA_TYPES, undefined]).toContain(chooseMedia(accept, MEDIA_TYPES));
        if (!accept.includes('"')) expect(chooseMedia(`*/*,${accept}`, MEDIA_TYPES)).toBeDefined();
      },
    ),
  );
});
