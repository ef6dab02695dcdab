// Scenarios that extend one another: order of rules, what may not be, and how much.

import { describe, expect, test } from "vitest";
import { loadScenario, type ScenarioLibrary } from "../../src/scenario/scenario.ts";
import { services } from "../../src/services/index.ts";

const pass = (id: string) => ({ id, then: { pass: true } });

/** A library of files that exist only here. */
function libraryOf(files: Readonly<Record<string, unknown>>): ScenarioLibrary {
  return {
    names: () => Object.keys(files),
    read: (name) =>
      name in files ? { file: `${name}.json`, text: JSON.stringify(files[name], null, 1) } : undefined,
  };
}
const load = (
  input: string | object | readonly (string | object)[],
  files: Readonly<Record<string, unknown>>,
) => loadScenario(input, { services, library: libraryOf(files) });

describe("the rules of scenarios that extend others", () => {
  const files = {
    base: { version: 1, seed: 1, rules: [pass("base")] },
    left: { version: 1, extends: ["base"], rules: [pass("left")], settings: { museum: { strict: true } } },
    right: { version: 1, extends: ["base"], seed: 2, rules: [pass("right-1"), pass("right-2")] },
    top: { version: 1, title: "Top", extends: ["left", "right"], rules: [pass("top")] },
  };

  test("start with the scenario's own, then the nearest, and contain each file once", () => {
    const { rules, name, title, seed } = load("top", files);
    expect(rules.map(({ id }) => id)).toEqual(["top", "right-1", "right-2", "left", "base"]);
    expect({ name, title, seed }).toEqual({ name: "top", title: "Top", seed: 2 });
  });

  test("start with those of the last scenario in a list", () => {
    const { rules, name } = load(["left", { version: 1, rules: [{ then: { pass: true } }] }], files);
    expect(rules.map(({ id }) => id)).toEqual(["rule-1", "left", "base"]);
    expect(name).toBe("left + scenario");
  });

  test("have distinct ids if several values have rules without ids", () => {
    const nameless = { version: 1, rules: [{ then: { pass: true } }] };
    const { rules, name } = load([nameless, nameless, nameless], {});
    expect(rules.map(({ id }) => id)).toEqual(["rule-1", "scenario-2/rule-1", "scenario/rule-1"]);
    expect(name).toBe("scenario + scenario-2 + scenario-3");
    expect(load([], {})).toMatchObject({ name: "default", rules: [] });
  });

  test("get the name of their file as a prefix if they have no id", () => {
    const nameless = { version: 1, rules: [{ then: { pass: true } }] };
    const { rules } = load({ ...nameless, extends: ["nameless"] }, { nameless });
    expect(rules.map(({ id }) => id)).toEqual(["rule-1", "nameless/rule-1"]);
  });
});

describe("a scenario is refused", () => {
  const cases = [
    [
      "that extends itself",
      { a: { version: 1, extends: ["a"] } },
      "a.json:4:3: A scenario cannot extend itself: a -> a. (at /extends/0)",
    ],
    [
      "that extends itself by way of others",
      {
        a: { version: 1, extends: ["b"] },
        b: { version: 1, extends: ["c"] },
        c: { version: 1, extends: ["a"] },
      },
      "c.json:4:3: A scenario cannot extend itself: a -> b -> c -> a. (at /extends/0)",
    ],
    [
      "whose rule has the id that another without one is given",
      { a: { version: 1, rules: [pass("rule-2"), { then: { pass: true } }] } },
      'a.json:10:3: Two rules have the id "rule-2". (at /rules/1)',
    ],
    [
      "that names a problem where no operation is",
      { a: { version: 1, rules: [{ when: { path: "/exhibits" }, then: { problem: "invalidInput" } }] } },
      "No operation has this path, so no problem is documented for it. Use respond. (at /rules/0/then/problem)",
    ],
    [
      "that names a status where no operation is, and does not say that it is meant so",
      { a: { version: 1, rules: [{ when: { path: "/exhibits" }, then: { respond: { status: 404 } } }] } },
      'No operation has this path, so no status is documented for it. Write "undocumented": true next to respond if you want this.',
    ],
    [
      "whose sequence would answer when the work of one of its operations is done",
      {
        a: {
          version: 1,
          rules: [
            {
              when: { operation: ["museum.listSpecialEvents", "museum.createSpecialEvent"] },
              then: { sequence: [{ mutate: "extra" }, { problem: "invalidInput" }] },
            },
          ],
        },
      },
      "Another action of the sequence changes the response. All its actions therefore run at",
    ],
    [
      "with two mistakes, in the order in which they are read",
      {
        a: {
          version: 1,
          rules: [{ when: { operation: "museum.nothing" }, then: { pass: true } }],
          settings: { musem: {} },
          title: 5,
        },
      },
      /^a\.json:6:18: Unknown operation [^\n]*\na\.json:14:3: Unknown service [^\n]*\na\.json:16:11: title must be a string, not a number\.[^\n]*$/,
    ],
    [
      "whose data is both replaced and generated",
      { a: { version: 1, data: { museum: { specialEvents: { replace: [], generate: 2 } } } } },
      "replace or generate, not both. (at /data/museum/specialEvents/generate)",
    ],
    [
      "whose rule has the id of a rule beneath",
      {
        a: { version: 1, extends: ["b"], rules: [pass("same")] },
        b: { version: 1, rules: [pass("same")] },
      },
      'a.json:8:10: The extended scenario b already has a rule "same". (at /rules/0/id)',
    ],
    [
      "with a mistake beneath, which is told with its own file",
      { a: { version: 1, extends: ["b"] }, b: { version: 1, ruls: [] } },
      'b.json:3:2: Unknown field "ruls". Did you mean "rules"?',
    ],
    [
      "with more than 1,000 rules",
      { a: { version: 1, rules: Array.from({ length: 1_001 }, (_, index) => pass(`r${index}`)) } },
      "a.json:3:11: A scenario has at most 1000 rules.",
    ],
    [
      "with more than 1,000 rules together with those beneath",
      {
        a: {
          version: 1,
          extends: ["b"],
          rules: Array.from({ length: 600 }, (_, index) => pass(`a${index}`)),
        },
        b: { version: 1, rules: Array.from({ length: 401 }, (_, index) => pass(`b${index}`)) },
      },
      "a.json:6:11: A scenario has at most 1000 rules together with those it extends, not 1001. (at /rules)",
    ],
    [
      "of more than 1 MiB",
      { a: { version: 1, description: "x".repeat(1_048_576) } },
      "a.json: The file has more than 1 MiB.",
    ],
    [
      "nested deeper than anything could be meant",
      { a: { version: 1, rules: JSON.parse("[".repeat(70) + "]".repeat(70)) } },
      "Nested deeper than 64 levels.",
    ],
  ] as const;

  test.each(cases)("%s", (_about, files, told) => {
    expect(() => load("a", files)).toThrow(told);
  });

  test("as a value that extends a scenario with a cycle, and the error shows the whole path", () => {
    expect(() => load({ version: 1, extends: ["a"] }, { a: { version: 1, extends: ["a"] } })).toThrow(
      "A scenario cannot extend itself: scenario -> a -> a.",
    );
  });

  test("a scenario with 1,000 rules is accepted", () => {
    const rules = Array.from({ length: 1_000 }, (_, index) => pass(`r${index}`));
    expect(load("a", { a: { version: 1, rules } }).rules).toHaveLength(1_000);
  });
});
