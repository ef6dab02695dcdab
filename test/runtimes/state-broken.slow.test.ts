// What happens to a folder whose files are not as they were written, and which ways lead out.

import {
  appendFile,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { wholeOf } from "./whole-state.ts";

const EVENT = { name: "Night", location: "Hall 2", eventDescription: "Dark", dates: [], price: 0 };
const CLOCK = "2026-03-01T09:00:00Z";

let home: string;
let made = 0;
/** As a kill left it: two generations, and a log with lines. */
let killed: string;
/** What its worlds have. */
let whole: unknown;
let folder: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "vitrine-broken-"));
  killed = join(home, "killed");
  const live = join(home, "live");
  const first = await createSandbox({ data: live, clock: CLOCK, scenario: "museum-empty" });
  await first.museum.createSpecialEvent({ body: EVENT });
  await first.close();
  const second = await createSandbox({ data: live });
  const fork = second.fork("cart");
  for (const world of [second, fork, second]) {
    world.use({ when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 502 } } });
    await world.museum.createSpecialEvent({ body: EVENT });
  }
  whole = wholeOf(second);
  await cp(live, killed, { recursive: true, filter: (name) => !name.includes("lock") });
  await second.close();
});
afterAll(() => rm(home, { recursive: true }));
beforeEach(async () => {
  made += 1;
  folder = join(home, String(made));
  await cp(killed, folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);

async function wholeState(): Promise<unknown> {
  const sandbox = await createSandbox({ data: folder });
  try {
    return wholeOf(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** The message of the refusal. Nothing may have changed. */
async function refusal(): Promise<string> {
  const before = await bytes();
  const refused = await createSandbox({ data: folder }).then(
    async (sandbox) => {
      await sandbox.close();
      return undefined;
    },
    (error) => error,
  );
  expect(refused).toMatchObject({ code: "stateUnreadable" });
  expect(await bytes()).toEqual(before);
  return refused.message;
}

async function bytes(): Promise<readonly unknown[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => [name, await readFile(at(name)).catch(() => "no file")]));
}

test("what a kill left goes on, and is the same again after the next stop", async () => {
  expect(await wholeState()).toEqual(whole);
  expect(await wholeState()).toEqual(whole);
});

const broken: readonly (readonly [string, (text: string) => string | Buffer])[] = [
  ["nothing", () => ""],
  ["blanks", () => " \n\t\n"],
  ["null", () => "null"],
  ["a number", () => "42"],
  ["an array", () => "[]"],
  ["an empty object", () => "{}"],
  ["NULs", () => "\0".repeat(64)],
  ["a text behind a byte order mark", (text) => `\ufeff${text}`],
  ["a text in UTF-16", (text) => Buffer.from(text, "utf16le")],
  ["a text with one letter changed", (text) => text.replace("e", "a")],
  ["a text with a byte that is not UTF-8", (text) => Buffer.from(text.replace("e", "\u00ff"), "latin1")],
  ["a text with more before it", (text) => `{"formatVersion":2}\n${text}`],
  ["10,000 levels", () => "[".repeat(10_000) + "]".repeat(10_000)],
];

describe("a manifest with", () => {
  test.for([
    ...broken,
    [
      "a key twice",
      (text: string) => text.replace('"formatVersion":3,', '"formatVersion":3,"formatVersion":3,'),
    ],
    ["__proto__", (text: string) => text.replace('"state":{', '"state":{"__proto__":{},')],
    ["more behind it", (text: string) => `${text}{}`],
    ...[1, 20, 60, 200, 0.5, 0.9, 0.999].map((part) => {
      const cut = (text: string) => text.slice(0, part < 1 ? Math.floor(text.length * part) : part);
      return [`only ${part} of it`, cut] as const;
    }),
  ] as const)("%s is refused with its file and the ways out", async ([, breakIt]) => {
    await writeFile(at("state.json"), breakIt(await readFile(at("state.json"), "utf8")));
    const message = await refusal();
    expect(message).toContain(at("state.json"));
    expect(message).toMatch(
      /go back to the snapshot before \(mv state-1\.json state\.json\).*--state-reset.*--data/,
    );
  });

  test("a later version is refused and stays", async () => {
    const text = await readFile(at("state.json"), "utf8");
    await writeFile(at("state.json"), text.replace('"formatVersion":3', '"formatVersion":4'));
    expect(await refusal()).toMatch(/it has format version 4; this vitrine reads version 3/);
  });

  test("a folder or a link that leads nowhere in its place is refused too", async () => {
    await rm(at("state.json"));
    await mkdir(at("state.json"));
    expect(await refusal()).toContain("not a plain file");
    await rm(at("state.json"), { recursive: true });
    await symlink(at("nowhere"), at("state.json"));
    expect(await refusal()).toContain("not a plain file");
    await rm(at("state.json"));
    expect(await refusal()).toContain("it is missing");
  });
});

describe("entities with", () => {
  test.for([
    ...broken,
    ["a line cut", (text: string) => text.slice(0, -20)],
    ["a line less", (text: string) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)],
    ["two lines in another order", (text: string) => text.split("\n").reverse().join("\n")],
  ] as const)("%s are refused with line and byte", async ([, breakIt]) => {
    await writeFile(at("entities-2.jsonl"), breakIt(await readFile(at("entities-2.jsonl"), "utf8")));
    const message = await refusal();
    expect(message).toMatch(
      /entities-2\.jsonl:\d+: .*\(at byte \d+\)|it has \d+ lines and the manifest says/,
    );
    // The way that is named leads on, and nothing is lost on it: the logs of both are there.
    await rename(at("state-1.json"), at("state.json"));
    expect(await wholeState()).toEqual(whole);
    expect(await wholeState()).toEqual(whole);
  });

  test("no file are refused", async () => {
    await rm(at("entities-2.jsonl"));
    expect(await refusal()).toMatch(/entities-2\.jsonl: The state cannot be read: it is missing/);
  });
});

describe("a log", () => {
  test.for([1, 7, 40])("whose last line lacks %i bytes is cut with a notice", async (missing) => {
    const { length } = await readFile(at("log-2.jsonl"));
    await truncate(at("log-2.jsonl"), length - missing);
    const sandbox = await createSandbox({ data: folder });
    const [notice] = sandbox.journal.notices.all;
    expect(notice?.message).toMatch(/^log-2\.jsonl: the last \d+ bytes are no whole line/);
    const cut = await readFile(at("log-2.jsonl"));
    expect(notice?.message).toContain(`the last ${length - missing - cut.length} bytes`);
    await sandbox.close();
    await wholeState();
  });

  test("whose last line is there but wrong is cut, too", async () => {
    await appendFile(at("log-2.jsonl"), '12345678 {"n":99}\n');
    expect(await wholeState()).toEqual(whole);
  });

  test.for(broken.filter(([name]) => !/nothing|blanks|null|number|array|object|NULs|levels/.test(name)))(
    "with %s is refused",
    async ([, breakIt]) => {
      await writeFile(at("log-2.jsonl"), breakIt(await readFile(at("log-2.jsonl"), "utf8")));
      await refusal();
    },
  );

  test("with a line that is wrong in the middle is refused with its place, and may be cut there", async () => {
    const lines = (await readFile(at("log-2.jsonl"), "utf8")).split("\n");
    const byte = lines.slice(0, 2).join("\n").length + 1;
    await writeFile(
      at("log-2.jsonl"),
      lines.map((line, index) => (index === 2 ? `x${line}` : line)).join("\n"),
    );
    const message = await refusal();
    expect(message).toContain(
      `log-2.jsonl:3: The state cannot be read: its checksum does not fit (at byte ${byte})`,
    );
    expect(message).toContain(`truncate -s ${byte} log-2.jsonl`);
    await truncate(at("log-2.jsonl"), byte);
    await wholeState();
  });

  test("from which a line was taken, or that is another's, is refused", async () => {
    const lines = (await readFile(at("log-2.jsonl"), "utf8")).split("\n");
    await writeFile(at("log-2.jsonl"), lines.filter((_, index) => index !== 2).join("\n"));
    expect(await refusal()).toMatch(/log-2\.jsonl:3: .*it has number \d+ after \d+/);
    await copyFile(at("log-1.jsonl"), at("log-2.jsonl"));
    expect(await refusal()).toContain("it belongs to another state");
    await rm(at("log-2.jsonl"));
    expect(await refusal()).toContain("it is missing");
  });
});

test("a first start that was killed before its manifest was there is a new one", async () => {
  await rm(folder, { recursive: true });
  await mkdir(folder);
  const [head] = (await readFile(join(killed, "log-1.jsonl"), "utf8")).split("\n");
  await writeFile(at("log-1.jsonl"), `${head}\n`);
  await writeFile(at("entities-1.jsonl"), "half a li");
  await writeFile(at(".state.json.1234"), "{");
  await wholeState();
  expect((await readdir(folder)).sort()).toEqual(["entities-1.jsonl", "log-1.jsonl", "state.json"]);
});

test("a reset of the state moves it aside and says where", async () => {
  await writeFile(at("state.json"), "null");
  const sandbox = await createSandbox({ data: folder, stateReset: true });
  expect(sandbox.worlds.list()).toHaveLength(1);
  const [{ message } = { message: "" }] = sandbox.journal.notices.all;
  await sandbox.close();
  const [, aside = ""] = /is now in (.*)\.$/.exec(message) ?? [];
  expect((await readdir(aside)).sort()).toEqual((await readdir(killed)).sort());
  expect(await readFile(join(aside, "log-2.jsonl"))).toEqual(await readFile(join(killed, "log-2.jsonl")));
});

test("a file where the folder should be is reported as such", async () => {
  await writeFile(at("file"), "");
  await expect(createSandbox({ data: at("file") })).rejects.toMatchObject({ code: "stateUnreadable" });
});
