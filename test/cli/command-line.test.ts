// What a command line does, without a process: arguments in, text and exit code out.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands, main } from "../../src/cli/main.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import type { GivenScenario } from "../../src/open/typed-scenario.ts";
import { runCommand as run } from "../support/command.ts";

describe("an error on the command line prints one line with a hint, and exits with code 1", () => {
  test.for<[string, string[], RegExp]>([
    ["an unknown command", ["strt"], /Unknown command "strt"\. Did you mean "start"\?/],
    ["an unknown flag", ["--prot", "1"], /^vitrine: start: unknown option --prot\. Did you mean --port\?$/m],
    ["a flag of another command", ["scenarios", "--port", "1"], /scenarios: unknown option --port/],
    ["a short flag", ["-p", "1"], /unknown option -p/],
    ["a flag without its value", ["--port"], /--port needs a value: --port N/],
    ["a flag followed by another", ["--host", "--json"], /--host needs a value: --host NAME/],
    [
      "a flag that can have one value, twice",
      ["--port", "0", "--port=1"],
      /start: --port is given more than once\./,
    ],
    ["a value for a switch", ["--json=yes"], /--json does not accept a value/],
    ["a port that is no number", ["--port", "http"], /--port must be a whole number, not "http"/],
    ["a port that no machine has", ["--port", "65536"], /65536 is not a port\. Choose one from 1 to 65535/],
    ["an offset without its sign", ["--port", "0", "--clock", "3d"], /"3d" is not .* or an offset .* "\+3d"/],
    ["a clock that is no instant", ["--port", "0", "--clock", "yesterday"], /"yesterday" is not a time/],
    ["a clock beyond the calendar", ["--port", "0", "--clock", "2026-02-30"], /"2026-02-30" is not a time/],
    ["a seed that is no number", ["--seed", "1e3"], /--seed must be a whole number, not "1e3"/],
    ["an operand that start does not take", ["start", "museum"], /start: unexpected argument "museum"/],
    ["exec without dashes", ["exec", "npm", "test"], /exec: put "--" before "npm"/],
    ["exec without a command", ["exec", "--port", "0", "--"], /exec: missing argument -- COMMAND/],
    ["exec of what does not exist", ["exec", "--", "no-such-program"], /command not found/],
    [
      "a host that others reach",
      ["--host", "0.0.0.0"],
      /can be reached from other machines.*VITRINE_CONTROL_TOKEN/,
    ],
    ["a certificate without its key", ["--port", "0", "--cert", "c"], /its key: --cert and --key\.$/m],
    ["tools for no sandbox", ["mcp", "--url", "http://localhost:1"], /No response from "http:/],
    [
      "a token file that is not there",
      ["--control-token-file", "/nowhere/at/all"],
      /\/nowhere\/at\/all: The file cannot be read/,
    ],
    [
      "a scenario that is none",
      ["--scenario", "login-throtled"],
      /"login-throtled"\. Did you mean "login-throttled"\?/,
    ],
    ["a scenario file that is not there", ["--scenario", "./none.json"], /none\.json: No such file/],
    ["a file to check that is not given", ["check"], /check: missing argument FILE/],
    [
      "a request that is none",
      ["explain", "museum-empty", "special-events"],
      /is not a request\. Write 'POST/,
    ],
    [
      "a request of no operation",
      ["explain", "museum-empty", "PUT /special-events"],
      /No operation matches PUT/,
    ],
    [
      "a header without a colon",
      ["explain", "museum-empty", "GET /special-events", "--header", "x"],
      /has no colon/,
    ],
    ["a service that is none", ["openapi", "musem"], /Unknown service "musem"\. Did you mean "museum"\?/],
    ["a capsule that is not there", ["show", "none.json"], /none\.json: The file cannot be read/],
    ["a capsule that is none", ["show", "package.json"], /capsule/],
    ["coverage of nothing", ["coverage"], /coverage: missing required option --url/],
    ["coverage where nothing listens", ["coverage", "--url", "http://localhost:1"], /No response from/],
    ["a format of coverage that is none", ["coverage", "--format", "xml"], /Unknown format "xml"/],
    [
      "a gate beyond a hundred",
      ["coverage", "--url", "http://localhost:1", "--min", "101"],
      /not a percentage/,
    ],
    ["an environment to seed that is none", ["seed", "musem"], /"musem"\. Did you mean "museum"\?/],
    ["a collection that is none", ["seed", "--count", "events=3"], /Unknown collection of museum "events"/],
    ["a count that is none", ["seed", "--events", "many"], /must be a whole number, not "many"/],
    ["a date that is none", ["seed", "--anchor", "2026-02-30"], /--anchor "2026-02-30" is not a date/],
    ["a name that steers terminals", ["\u001b[2J\nx"], /\\u001b\[2J/],
  ])("%s", async ([, args, message]) => {
    const { code, out, err } = await run(...args);
    expect(err).toMatch(message);
    expect(err.split("\n")).toHaveLength(2);
    expect(err).not.toMatch(/node:|at .+\.ts/);
    expect(out).toBe("");
    expect(code).toBe(1);
  });
});

test.for([
  ["-2h", -7_200_000],
  ["+3d", 259_200_000],
] as const)("start --clock %s runs with that offset to the machine's clock", async ([clock, offsetMs]) => {
  let stop: (signal: NodeJS.Signals) => void = () => {};
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    stop = resolve;
  });
  let code: Promise<number> | undefined;
  const ready = await new Promise<string>((out, printError) => {
    const streams = { out, printError, unread: () => 0, input: async function* () {}, stopWithStdin() {} };
    const io = { env: {}, ...streams, started: () => stopped };
    code = main(["--port", "0", "--json", "--clock", clock], io);
  });
  const before = Date.now();
  const reply = await fetch(`${JSON.parse(ready).url}/_vitrine/clock`);
  const answer = (await reply.json()) as { readonly at: string };
  const after = Date.now();
  stop("SIGTERM");
  expect(await code).toBe(0);
  expect(answer).toEqual({ mode: "ticking", at: expect.any(String) });
  expect(Date.parse(answer.at)).toBeGreaterThanOrEqual(before + offsetMs);
  expect(Date.parse(answer.at)).toBeLessThanOrEqual(after + offsetMs);
});

describe("help", () => {
  test("the overview names every command, and the help of each command names all its flags", async () => {
    const { out, code } = await run("--help");
    expect(code).toBe(0);
    for (const [key, load] of Object.entries(commands)) {
      const { name, summary, flags } = await load();
      expect(name).toBe(key);
      expect(out).toContain(`${name} `);
      expect(out).toContain(summary);
      const help = (await run(name, "--help")).out;
      expect(help).toMatch(new RegExp(`^vitrine ${name} `));
      for (const flag of Object.keys(flags)) expect(help).toContain(`--${flag}`);
    }
  });

  test("the version is that of the package", async () => {
    expect((await run("--version")).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("scenarios", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vitrine-scenarios-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const write = async (name: string, scenario: object): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, JSON.stringify({ version: 1, ...scenario }, undefined, 2));
    return file;
  };

  test("the presets are listed with their titles", async () => {
    const { out, code } = await run("scenarios");
    expect(out).toMatch(/^login-throttled +\S.+$/m);
    expect(code).toBe(0);
    const [first = ""] = (await run("scenarios", "--json")).out.split("\n");
    expect(JSON.parse(first)).toEqual({ name: expect.any(String), title: expect.any(String) });
  });

  test("check prints each invalid file with the position of its error, and the valid files", async () => {
    const right = await write("right.json", { rules: [] });
    const wrong = await write("wrong.json", {
      rules: [{ when: { operation: "museum.createEvent" }, then: {} }],
    });
    const { out, err, code } = await run("check", right, wrong, join(folder, "none.json"));
    expect(out).toBe(`${right}: OK (0 rules)\n`);
    expect(err.split("\n")).toEqual([
      expect.stringMatching(/wrong\.json:\d+:\d+: Unknown operation "museum\.createEvent"/),
      expect.stringMatching(/wrong\.json:\d+:\d+: "then" must contain one of/),
      expect.stringMatching(/none\.json: No such file/),
      "",
    ]);
    expect(code).toBe(1);
    expect((await run("check", right)).code).toBe(0);
  });

  test("check validates the data files of a folder", async () => {
    const data = join(folder, "data");
    expect((await run("seed", "--events", "2", "--out", data)).out).toBe(
      `Wrote ${join(data, "base.json")}.\n`,
    );
    await writeFile(join(data, "main.json"), '{ "museum": {\n "specialEvent": [] } }');
    const { out, err, code } = await run("check", data);
    expect(out).toMatch(/base\.json: OK \(\d+ entities\)\n$/);
    expect(err).toMatch(
      /main\.json:2:2: Unknown collection of museum "specialEvent"\. Did you mean "specialEvents"/,
    );
    expect(code).toBe(1);
    expect((await run("check", data, join(data, "base.json"))).out, "the second path is a scenario").toBe(
      out,
    );
  });

  test("check tells every mistake of a file in reading order, each with its place", async () => {
    const list = { operation: "museum.listSpecialEvents" };
    const step = { respond: { status: 418 } };
    const file = await write("mistakes.json", {
      clock: { at: "2026-03-01", mod: "frozen" },
      settings: { museum: { strict: "yes" }, musem: {} },
      rules: [
        { when: { operation: "museum.nothing" }, then: { delay: "1s" } },
        { when: list, than: {} },
        { when: list, then: { sequence: [step, { delay: "1s" }, step] } },
      ],
    });
    const { err, code } = await run("check", file);
    const lines = err.trim().split("\n");
    expect(lines.map((line) => /\(at (\S+)\)$/.exec(line)?.[1])).toEqual([
      "/clock/mod",
      "/settings/musem",
      "/rules/0/when/operation",
      "/rules/1/than",
      "/rules/2/then/sequence/0/respond/status",
      "/rules/2/then/sequence/2/respond/status",
    ]);
    for (const line of lines) expect(line).toMatch(/mistakes\.json:\d+:\d+: \S/);
    expect(code).toBe(1);
    await expect(createSandbox({ scenario: file as GivenScenario })).rejects.toThrow(lines.join("\n"));
  });

  test("check tells twenty mistakes of a file, and that there may be more", async () => {
    const rules = Array.from({ length: 22 }, () => ({ then: { delay: "1s" }, whn: {} }));
    const file = await write("many.json", { rules });
    const lines = (await run("check", file)).err.trim().split("\n");
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe(`${file}: there may be more errors`);
  });

  test("explain tells which rule fires for a request, and why the others do not", async () => {
    const file = await write("explained.json", {
      rules: [
        {
          id: "cheap",
          when: { operation: "museum.createSpecialEvent", body: { price: { $lt: 0 } } },
          then: { problem: "invalidInput" },
        },
        { id: "lists", when: { operation: "account.list*" }, then: { delay: "30s" } },
        { id: "parked", when: { operation: "museum.createSpecialEvent" }, then: { hold: "gate" } },
        {
          id: "lost",
          when: { operation: "museum.createSpecialEvent" },
          at: "response",
          then: { fault: "hang" },
        },
      ],
    });
    const { out, code } = await run("explain", file, "POST /special-events");
    expect(out.split("\n")).toEqual([
      "POST /special-events is museum.createSpecialEvent; no response is sent, fault hang; 201 is lost.",
      expect.stringMatching(/^ {2}skipped {2}cheap: .*price/),
      "  skipped  lists: it is for account.list*",
      expect.stringMatching(/^ {2}applied {2}parked: /),
      expect.stringMatching(/^ {2}applied {2}lost: /),
      "",
    ]);
    expect(code).toBe(0);
    const cheap = await run("explain", file, "POST /museum/v1.1/special-events", "--body", '{"price":-1}');
    expect(cheap.out).toMatch(/skipped {2}cheap: the request ended before the stage "handler"/);
    const other = await run("explain", file, "GET /account-sandbox/pre-sales/{uuid}");
    expect(other.out).toMatch(/is account\.getPreSale; the response is 200\./);
  });
});

describe("openapi", () => {
  test.for(["museum", "account", "control"])(
    "the document of the %s is an OpenAPI document",
    async (name) => {
      const { out, code } = await run("openapi", name);
      expect(JSON.parse(out)).toMatchObject({
        openapi: expect.stringMatching(/^3\.1/),
        paths: expect.any(Object),
      });
      expect(code).toBe(0);
    },
  );
});

test("openapi writes the given server URL everywhere", async () => {
  const { out } = await run("openapi", "museum", "--server", "https://sandbox.example.test/v1.1");
  const { servers, info } = JSON.parse(out);
  expect(servers[0].url).toBe("https://sandbox.example.test/v1.1");
  expect(info.description).toContain("https://sandbox.example.test/v1.1/special-events");
  expect(info.description).not.toContain("http://localhost");
});

describe("coverage", () => {
  test("the coverage of two sandboxes is merged", async () => {
    const urls: string[] = [];
    const sandboxes = await Promise.all([createSandbox(), createSandbox()]);
    for (const sandbox of sandboxes) {
      urls.push((await sandbox.listen()).url);
      await sandbox.museum.listSpecialEvents();
    }
    await sandboxes[1]?.museum.listSpecialEvents({ query: { limit: 0 } });
    const both = urls.flatMap((url) => ["--url", url]);

    const { code, out } = await run("coverage", ...both, "--format", "json");
    expect(code).toBe(0);
    const met = JSON.parse(out).documented.filter(({ count }: { count: number }) => count > 0);
    const operation = "museum.listSpecialEvents";
    expect(met).toEqual([
      { operation, status: 200, media: "application/json", count: 2 },
      { operation, status: 400, media: "application/problem+json", count: 1 },
    ]);
    expect((await run("coverage", ...both)).out).toContain(operation);

    const enough = await run("coverage", ...both, "--min", "0");
    expect(enough).toMatchObject({ code: 0, err: expect.stringMatching(/^2 of \d+ documented responses/) });
    expect(await run("coverage", ...both, "--min", "90")).toMatchObject({
      code: 1,
      err: expect.stringContaining("less than 90 %"),
    });

    const folder = await mkdtemp(join(tmpdir(), "vitrine-coverage-"));
    const file = join(folder, "coverage.xml");
    expect(await run("coverage", ...both, "--format", "junit", "--output", file)).toMatchObject({ out: "" });
    expect(await readFile(file, "utf8")).toMatch(/^<\?xml/);
    await rm(folder, { recursive: true });
    const elsewhere = await run("coverage", "--url", `${urls[0]}/museum/v1.1`);
    expect(elsewhere).toMatchObject({
      code: 1,
      err: expect.stringContaining("not the URL of a sandbox"),
    });
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  });
});

describe("seed", () => {
  test("the same seed prints the same data, another seed prints other data, and --events sets the size", async () => {
    const [one, same, other] = await Promise.all([
      run("seed", "--seed", "7", "--events", "5"),
      run("seed", "--seed", "7", "--events", "5"),
      run("seed", "museum", "--seed", "8", "--events", "5", "--anchor", "2026-05-01"),
    ]);
    expect(one.out).toBe(same.out);
    expect(other.out).not.toBe(one.out);
    expect(JSON.parse(one.out).museum.specialEvents).toHaveLength(5);
    expect(JSON.parse(other.out).anchor).toBe("2026-05-01");
  });
});
