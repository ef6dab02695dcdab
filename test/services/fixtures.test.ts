// The committed fixtures are read unchecked at each start, so here each is checked whole against its service's own schemas.

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Fixture, Service } from "../../src/operation/service.ts";
import { library } from "../../src/runtimes/node/library.ts";
import { services } from "../../src/services/index.ts";
import { isCalendarDate } from "../../src/world/time.ts";

const FOLDER = fileURLToPath(new URL("../../fixtures", import.meta.url));
const committed = services.flatMap((service) =>
  service.environments.flatMap(({ fixture }) => (fixture === undefined ? [] : [{ service, fixture }])),
);

/** Each mistake with its place. */
function mistakes(
  { collections: definitions }: Service,
  { anchor, collections, ...rest }: Fixture,
): string[] {
  const wrong = Object.keys(rest).map((name) => `${name}: unknown`);
  if (!isCalendarDate(anchor)) wrong.push("anchor: not a date");
  for (const [name, entities] of Object.entries(collections)) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (definition === undefined) wrong.push(`${name}: no such collection`);
    for (const [index, entity] of entities.entries()) {
      for (const { path, message } of definition?.schema.safeParse(entity).error?.issues ?? [])
        wrong.push(`${[name, index, ...path].join("/")}: ${message}`);
    }
    if (new Set(entities.map((entity) => definition?.key(entity))).size < entities.length)
      wrong.push(`${name}: a key occurs twice`);
  }
  return wrong;
}

test("every file belongs to an environment", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replaceAll("\\", "/").slice(0, -".json".length));
  expect(files.sort()).toEqual(committed.map(({ fixture }) => fixture).sort());
});

test.each(committed)("$fixture fits the schemas of its service", ({ service, fixture }) => {
  expect(mistakes(service, library.fixture(fixture))).toEqual([]);
});

test.each(committed)("$fixture would be found broken in any entity or member", ({ service, fixture }) => {
  const { anchor, collections } = library.fixture(fixture);
  expect(mistakes(service, { anchor: "2026-02-30", collections })).toEqual(["anchor: not a date"]);
  expect(mistakes(service, { anchor, collections: { ...collections, more: [] } })).toEqual([
    "more: no such collection",
  ]);
  for (const [name, entities] of Object.entries(collections)) {
    for (const [index, entity] of entities.entries()) {
      for (const member of Object.keys(entity)) {
        const broken = entities.with(index, { ...entity, [member]: Symbol("no value of JSON") });
        const found = mistakes(service, { anchor, collections: { [name]: broken } });
        expect(found[0]).toMatch(new RegExp(`^${name}/${index}/${member}(/|:)`));
      }
    }
  }
});
