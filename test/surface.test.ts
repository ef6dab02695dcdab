// What users hold on to, as files that a review sees change: exports, types and command line. `npm run docs` writes them
// anew, and those of surface/documents.test.ts.

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { commands } from "../src/cli/main.ts";
import * as surface from "../src/index.ts";
import { library } from "../src/runtimes/node/library.ts";
import { services } from "../src/services/index.ts";
import * as globalSetup from "../src/testing/global-setup.ts";
import * as hooks from "../src/testing/hooks.ts";
import * as msw from "../src/testing/msw.ts";
import * as playwright from "../src/testing/playwright.ts";
import * as vitest from "../src/testing/vitest.ts";
import { help } from "./support/help.ts";
import { grammarTexts } from "./surface/grammar-text.ts";
import { serviceText } from "./surface/service-text.ts";

test("the exports of the package match the recorded file", async () => {
  const bindings = { hooks, msw, playwright, vitest, "vitest/global-setup": globalSetup };
  const runners = Object.entries(bindings).flatMap(([path, exported]) =>
    Object.keys(exported).map((name) => `${path}: ${name}`),
  );
  const names = [...Object.keys(surface).sort(), ...runners];
  await expect(lines(names)).toMatchFileSnapshot("surface/exports.txt");
});

test.for(services)("the types of the $name match the generated file", async (service) => {
  const file = `../src/services/${service.name}/surface.ts`;
  await expect(await formatted(serviceText(service))).toMatchFileSnapshot(file);
});

test.for(Object.entries(grammarTexts))("the types of %s match the generated file", async ([path, text]) => {
  await expect(await formatted(text)).toMatchFileSnapshot(`../src/${path}`);
});

test("the names of the presets match the generated file", async () => {
  const names = library.presetNames().map((name) => `  | ${JSON.stringify(name)}`);
  const header = "/** Generated: names of the presets. To update this file, run `npm run docs`. */\n";
  const text = lines([header, "export type PresetName =", `${names.join("\n")};`]);
  await expect(text).toMatchFileSnapshot("../src/scenario/preset-name.ts");
});

describe("the command line", () => {
  test.for(["", ...Object.keys(commands)])("help %s", async (name) => {
    const file = name === "" ? "vitrine" : `vitrine-${name}`;
    await expect(await help(name)).toMatchFileSnapshot(`surface/help/${file}.txt`);
  });
});

/** As our formatter leaves it, so that a file that was written here needs no other. */
async function formatted(text: string): Promise<string> {
  const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");
  const run = promisify(execFile)(process.execPath, [biome, "format", "--stdin-file-path=surface.ts"]);
  run.child.stdin?.end(text);
  return (await run).stdout;
}

function lines(list: readonly string[]): string {
  return `${list.join("\n")}\n`;
}
