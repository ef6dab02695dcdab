// One word, one meaning: the private words of the first edition stand neither in the sources nor in the manual.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PAGES } from "./support/manual.ts";

const ROOT = join(import.meta.dirname, "..");
const files = [
  ...PAGES,
  ...readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `src/${path.replaceAll("\\", "/")}`),
];

/** What is said now, the words that it replaces, and lines in which these mean something else, with the reason. */
const WORDS: readonly {
  readonly now: string;
  readonly old: RegExp;
  readonly except?: readonly (readonly [line: RegExp, why: string])[];
}[] = [
  {
    now: "server",
    old: /\bhalls?\b/i,
    except: [[/"(Main hall|Hall 2)"|location: /, "a room of the museum"]],
  },
  { now: "persistence, flush", old: /\bkeeper|\bsettled?\b/i },
  {
    now: "gates, waiting, cancel",
    old: /\bpark(s|ed|ing)?\b|\bheld\b|letGo|\blets? go\b/i,
    except: [
      [/\bheld\(\)|\bheld: \(\)|["`](gates\.)?held["`]/, "the alias that stays for one version"],
      [/event is held/, "as the museum's document has it"],
      [/\bheld against\b/, "compared"],
      [/get held\(\)|how much .* held|still held/i, "what the journal holds"],
    ],
  },
  { now: "codec", old: /\bvoices?\b/i },
  { now: "context", old: /\bspeech\b/i },
  { now: "details, reported", old: /\btold\b/i },
  { now: "resolve", old: /\bmeant\b|\bisMeant\b/ },
  { now: "counters", old: /\btally\b/i },
  { now: "test tokens", old: /\bmint(s|ed|Token)?\b|\bwish\b/i },
  {
    now: "create, wrap, merge, apply",
    old: /\bfurnish|\bdress(ed)?\b|\blays?\b|\blaid\b|\bstageRules\b|\bstage\(/i,
  },
  { now: "duplicate, too many", old: /\btwins?\b|\bcrowd\b/i },
  {
    now: "finding, mutation",
    old: /\bhabits?\b|drills?\b/i,
    except: [[/mutationDrills|`drill`|drill: /, "the alias that stays for one version"]],
  },
  { now: "security headers, favicon", old: /\bseal(s|ed)?\b/i },
  { now: "apply, decision, suppressed", old: /\bstrikes?\b|\bstruck\b|\bsilenced?\b/i },
  { now: "render", old: /\bexpress\(/ },
  {
    now: "action",
    old: /\bSteps?\b|\bstep\b|stepsOf|stepAt/,
    except: [
      [/^src\/(?!rules\/|scenario\/)/, "one of several in a row"],
      [/steps of (a|the) sequence|sequence/i, "what a sequence is made of"],
      [/[Ss]teps of the compiled pattern/, "what a regular expression takes"],
    ],
  },
  {
    now: "resource",
    old: /\bsubject\b/i,
    except: [
      [
        /^src\/(world\/mailbox|sandbox\/record-entities|services\/account\/alert-mail|places\/node\/mail-relay|control\/|dashboard\/)/,
        "a mail's subject",
      ],
    ],
  },
  {
    now: "redact",
    old: /\bcut\(|#cut\b|secrets? (are|is|was|were|be) cut|\[cut \d/i,
    except: [[/first edition/, "what a capsule of the first edition holds"]],
  },
  { now: "a docstring that says what the module is", old: /^(\/\*\*|\/\/| \*) Owns\b/ },
];

test.each(WORDS)("$now", ({ old, except = [] }) => {
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .map((line, index) => ({ place: `${file}:${index + 1}`, line }))
      .filter(({ line }) => old.test(line))
      .filter(({ place, line }) => !except.some(([allowed]) => allowed.test(line) || allowed.test(place)))
      .map(({ place, line }) => `${place}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
