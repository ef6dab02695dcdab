// Five hundred tests of vitest that do nothing, with a fresh sandbox each or without, as in-process.mjs asks for.

import { pathToFileURL } from "node:url";
import { test } from "vitest";

const { test: withSandbox } = await import(
  pathToFileURL(`${process.env["ROOT"]}/dist/testing/vitest.js`).href
);

for (let number = 0; number < 500; number += 1) {
  if (process.env["OF"] === "a sandbox")
    withSandbox(`test ${number}`, (/** @type {any} */ { sandbox }) => void sandbox);
  else test(`test ${number}`, () => {});
}
