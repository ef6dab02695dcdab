// The bundled base data is read unchecked at each start, so here it is checked like a base file of a user.

import { expect, test } from "vitest";
import { library } from "../../src/runtimes/node/library.ts";
import { createValueSource } from "../../src/scenario/source.ts";
import { readBase } from "../../src/services/base-data.ts";

type Sections = Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;

const { anchor, ...rest } = library.base();
const sections = rest as Sections;
const read = (value: object) => readBase(createValueSource(value), library);

test("the bundled base data is valid, in all its environments", () => {
  expect(read(library.base())).toEqual({ anchor, sections });
  expect(Object.keys(sections)).toEqual(["museum", "account", "accountSandbox"]);
});

test.each(
  Object.entries(sections).flatMap(([environment, section]) =>
    Object.keys(section).map((name) => ({ environment, name })),
  ),
)("an invalid member in $environment.$name is reported with its pointer", ({ environment, name }) => {
  const section = sections[environment] ?? {};
  const entities = section[name] ?? [];
  for (const [index, entity] of entities.entries())
    for (const member of Object.keys(entity)) {
      const broken = entities.with(index, { ...entity, [member]: Symbol("no value of JSON") });
      const pointer = new RegExp(`/${environment}/${name}/${index}/${member}`);
      expect(() => read({ anchor, [environment]: { ...section, [name]: broken } })).toThrow(pointer);
    }
});

test.each([
  [{ museum: {} }, 'A base file needs "anchor"'],
  [{ anchor: "2026-02-30", museum: {} }, 'A base file needs "anchor"'],
  [{ anchor, musuem: {} }, 'Did you mean "museum"'],
  [{ anchor, museum: { events: [] } }, "specialEvents"],
  [{ anchor, museum: { specialEvents: {} } }, "must be a list of entities"],
  [{ anchor, museum: [] }, "must be an object of collections"],
  [[], "must be a JSON object"],
])("%j is rejected", (value, message) => {
  expect(() => read(value)).toThrow(message);
});

test("a section that a base file omits comes from the bundled data, moved to the file's date", () => {
  const { sections: found } = read({ anchor: "2026-03-11", museum: { specialEvents: [] } });
  expect(found["museum"]).toEqual({ specialEvents: [] });
  expect(found["account"]?.["users"]).toEqual(sections["account"]?.["users"]);
  const [moved] = found["account"]?.["preSales"] ?? [];
  expect(moved).not.toEqual(sections["account"]?.["preSales"]?.[0]);
});

test("ids of a base file are read in lower case", () => {
  const upper = JSON.stringify(sections).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.toUpperCase());
  expect(read({ anchor, ...JSON.parse(upper) }).sections).toEqual(sections);
});
