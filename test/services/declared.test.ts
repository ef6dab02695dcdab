// A declaration without its implementation turns red: a problem that nothing sends, a setting that nothing reads.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listSettings } from "../../src/operation/settings.ts";
import { services } from "../../src/services/index.ts";

const SRC = join(import.meta.dirname, "../../src");
/** Settings whose default the document states. */
const DOCUMENTED = ["tokenLifetime"];

/** The code of folders in src, without comments and generated files. */
const codeOf = (...folders: readonly string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(join(SRC, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !/(surface|problems|assumptions)\.ts$/.test(name))
        .map((name) => readFileSync(join(SRC, folder, name), "utf8")),
    )
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");

describe.for(services)("the $name", (service) => {
  const code = codeOf(`services/${service.name}`);

  test("sends every problem that it documents", () => {
    const sending = code + codeOf("pipeline", "operation");
    const keys = Object.keys(service.problems);
    const unsent = keys.filter((key) => !new RegExp(`(fail\\(|[?:(]|return|=>)\\s*"${key}"`).test(sending));
    expect(unsent).toEqual([]);
  });

  test("reads every setting, and names it in an assumption", () => {
    const paths = listSettings(service).map(({ path: [, ...path] }) => path);
    const uses = (name = ""): number => code.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0;
    expect(paths.filter((path) => uses(path.at(-1)) < 2)).toEqual([]);
    const known = [
      ...DOCUMENTED,
      ...Object.values(service.assumptions ?? {}).map(([, , setting]) => setting),
    ];
    expect(paths.filter((path) => !known.includes(path[0]) && !known.includes(path.join(".")))).toEqual([]);
    for (const id of Object.keys(service.probes?.points ?? {}))
      expect(service.assumptions).toHaveProperty(id);
  });
});
