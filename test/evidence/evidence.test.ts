// The commands that compare real servers with the sandbox. The servers are sandboxes that listen, and servers that misbehave.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createServer } from "../../src/evidence/server.ts";
import type { SandboxOptions } from "../../src/open/create-sandbox.ts";
import { account } from "../../src/services/account/index.ts";
import { ADA } from "../support/account.ts";
import { runCommand } from "../support/command.ts";
import { listen, makeFolder, PAIR, type Reply, serve, serveChanged } from "../support/evidence.ts";
import type { Json } from "../support/request.ts";

const SETTINGS = {
  account: { pageSize: 7, nulls: "missing", typeErrors: 422, dateTimes: "Z", tokenLifetime: "90m" },
  museum: { strict: true, pageBy: "days", preview: false, credentials: [PAIR] },
} satisfies SandboxOptions["settings"];

describe("calibrate", () => {
  test("finds the settings of a server, with one login and harmless requests only", async () => {
    using folder = makeFolder();
    await using server = await listen({ settings: SETTINGS });
    const { sandbox, urls } = server;
    const flags = ["--account", urls.account, "--museum", urls.museum];
    flags.push(...folder.flags("login", "token", "basic", "evidence"));
    const { code, out, err } = await runCommand("calibrate", ...flags, ...folder.flags("out"));
    expect({ code, err }).toEqual({ code: 6, err: "" });
    expect(out).toMatch(/^\| timestamps \| offset \| Z \| dateTimes: "Z" \|$/m);
    expect(out).toMatch(/^account: .* not checked: .*secondLogin/m);
    const invented = [{ user: "vitrine", password: "vitrine" }];
    const { settings } = folder.read("out");
    expect(settings.museum).toEqual({ ...SETTINGS.museum, credentials: invented });
    expect(settings.account).toEqual({ ...SETTINGS.account, tokenLifetime: "5400s" });

    const exchanges = sandbox.journal.list();
    expect(exchanges.length).toBeLessThanOrEqual(60);
    const harmless = exchanges.filter(({ method, status = 0 }) => method === "GET" || status >= 400);
    const others = exchanges.filter((exchange) => !harmless.includes(exchange));
    expect(others.map(({ operation }) => operation)).toEqual(["account.login"]);
    expect(harmless.flatMap(({ changes = [] }) => changes)).toEqual([]);

    const token = readFileSync(folder.at("token"), "utf8");
    expect(statSync(folder.at("token")).mode & 0o777).toBe(0o600);
    const shown = out + ["out", "evidence"].map((name) => readFileSync(folder.at(name), "utf8")).join();
    for (const secret of [
      token,
      ADA.email,
      ADA.password,
      PAIR.password,
      btoa(`${PAIR.user}:${PAIR.password}`),
    ])
      expect(shown).not.toContain(secret);

    expect(await runCommand("drift", ...flags)).toEqual({ code: 0, out: "", err: "" });
    expect(sandbox.journal.count("account.login")).toBe(1);
    const counted = await runCommand("assumptions", ...folder.flags("evidence"));
    expect(counted.out).toMatch(/^\d+ documented, 2\d seen, \d+ assumed, 0 contradicted\n/);
    expect(counted.out).toMatch(/^\| account\.timestamps .* \| seen \| \d{4}-\d\d-\d\d http.*: Z \|$/m);
  });

  test("reports no difference for a server with the default settings, and reuses the token", async () => {
    using folder = makeFolder();
    await using server = await listen();
    const flags = ["--account", server.urls.account, ...folder.flags("token")];
    writeFileSync(folder.at("token"), `${server.sandbox.auth.token()}\n`);
    expect(await runCommand("calibrate", ...flags)).toMatchObject({ code: 0, err: "" });
    expect(server.sandbox.journal.count("account.login")).toBe(0);
  });

  const changes: Readonly<Record<string, [row: RegExp, change: (path: string, reply: Reply) => void]>> = {
    "a trailing slash": [
      /^\| a path with a slash at its end \| 301 \| 404 \| no setting \|$/m,
      (path, reply) => setStatus(reply, path.endsWith("s/"), 404),
    ],
    "the format of amounts": [
      /^\| format of amounts of money \| string; 2 decimals \| number; .* \| no setting \|$/m,
      (_path, reply) => setText(reply, reply.text.replaceAll(/"total":"([\d.]+)"/g, '"total":$1')),
    ],
    "broken rules": [
      /^\| messages about invalid values .* \| no setting \|$/m,
      (_path, reply) => setText(reply, reply.text.replaceAll("should not be blank", "is missing")),
    ],
  };

  test.for(Object.entries(changes))(
    "reports a difference that no setting explains: %s",
    async ([, [row, change]]) => {
      using folder = makeFolder();
      await using server = await serveChanged(change);
      const flags = [
        "--account",
        server.url,
        "--login",
        folder.at("login"),
        "--evidence",
        folder.at("evidence"),
      ];
      const { code, out } = await runCommand("calibrate", ...flags);
      expect({ code, out }).toEqual({ code: 6, out: expect.stringMatching(row) });
      expect(out.match(/no setting \|$/gm)).toHaveLength(1);
      expect((await runCommand("assumptions", ...folder.flags("evidence"))).out).toMatch(/ 1 contradicted\n/);
    },
  );
});

const setStatus = (reply: Reply, isChanged: boolean, status: number): void => {
  if (isChanged) reply.status = status;
};
const setText = (reply: Reply, text: string): void => {
  reply.text = text;
};
const edit = (reply: Reply, change: (body: Json) => void): void => {
  if (reply.status >= 400 || !reply.headers.get("content-type")?.includes("json")) return;
  const body = JSON.parse(reply.text);
  change(body);
  reply.text = JSON.stringify(body);
};

describe("drift", () => {
  test("reports each kind of difference once, with an example, and nothing else", async () => {
    using folder = makeFolder();
    await using server = await serveChanged((path, reply) => {
      if (/^\/pre-sale-actions\/./.test(path)) reply.status = 203;
      if (path === "/consumptions") reply.headers.delete("vary");
      if (path === "/pre-sale-actions" && reply.headers.get("content-type")?.startsWith("application/json"))
        reply.headers.set("content-type", "text/json");
      if (path === "/users/me")
        edit(reply, (body) => {
          body.invoicing_cap = 7;
          delete body.fullname;
        });
      if (path === "/pre-sales") edit(reply, (body) => body["hydra:member"]?.reverse());
    });
    const flags = ["--account", server.url, ...folder.flags("login", "junit")];
    const { code, out, err } = await runCommand("drift", ...flags);
    expect({ code, err }).toEqual({ code: 6, err: "" });
    expect(out.trim().split("\n")).toEqual([
      'order of lists: expected "descending; ascending; ascending", found "descending; descending; ascending". Example: account, order',
      'header vary: expected "Accept, Origin", found "none". Example: account, GET /consumptions as application/ld+json',
      'media type: expected "application/json", found "text/json". Example: account, GET /pre-sale-actions as application/json',
      'status: expected "200", found "203". Example: account, GET /pre-sale-actions/{id} as application/ld+json',
      'field .fullname: expected "required", found "none". Example: account, GET /users/me as application/ld+json',
      'type of .invoicing_cap: expected "string", found "number". Example: account, GET /users/me as application/ld+json',
    ]);
    expect(readFileSync(folder.at("junit"), "utf8")).toContain('tests="6" failures="6"');
  });

  test("reports a page size that differs from the evidence, unless the evidence lists it as known", async () => {
    using folder = makeFolder();
    const [before, after] = [await listen(), await listen({ settings: { account: { pageSize: 10 } } })];
    const flags = folder.flags("token", "evidence");
    writeFileSync(folder.at("token"), before.sandbox.auth.token());
    await runCommand("calibrate", "--account", before.urls.account, ...flags);
    const { code, out } = await runCommand("drift", "--account", after.urls.account, ...flags);
    expect(code).toBe(6);
    expect(out).toMatch(/^maximum number of items on a page: expected "30; 200", found "10; 200"\..*\n$/);
    const known = [out.slice(0, out.indexOf(" Example:"))];
    writeFileSync(folder.at("evidence"), JSON.stringify({ ...folder.read("evidence"), known }));
    expect(await runCommand("drift", "--account", after.urls.account, ...flags)).toMatchObject({
      code: 0,
      out: "",
    });
    await before.sandbox.close();
    await after.sandbox.close();
  });
});

describe("a server that cannot be asked is described in one sentence", () => {
  const cut = { headers: { "content-length": "100", connection: "close" } };
  const limited = { status: 429, headers: { "retry-after": "86400" } };
  const answers: Readonly<Record<string, [message: RegExp, body: string, init?: ResponseInit]>> = {
    "wrong credentials": [/rejects the credentials \(401\)\.$/, "", { status: 401 }],
    "an error": [/fails with 500\.$/, "", { status: 500 }],
    "an outage": [/fails with 503\.$/, "", { status: 503 }],
    "a login page": [
      /returns a web page; use the URL of the API\.$/,
      "",
      { headers: { "content-type": "text/html" } },
    ],
    "a redirect": [/redirects to \/x; use that URL\.$/, "", { status: 302, headers: { location: "/x" } }],
    "another service": [/is not the service "Common account and billing"\.$/, '{"version":1}'],
    "a rate limit": [/limits requests \(429, Retry-After: 86400\)\.$/, "", limited],
    "a response that is cut": [/closes the connection during its response to POST \/login\.$/, "{", cut],
  };

  test.for(Object.entries(answers))("%s", async ([, [message, body, init]]) => {
    await using server = await serve(() => new Response(body, init));
    await expectFailure(server.url, message);
  });

  test("a closed port, and a port without TLS", async () => {
    const server = await serve(() => new Response());
    await expectFailure(server.url.replace("http:", "https:"), /has no valid TLS certificate \(\w+\)\.$/);
    await server[Symbol.asyncDispose]();
    await expectFailure(server.url, /does not answer \(ECONNREFUSED\)\.$/);
  });

  test("an outage after some requests, with the results so far", async () => {
    let count = 0;
    await using server = await serveChanged((_path, reply) => {
      count += 1;
      if (count > 10) reply.status = 503;
    });
    await expectFailure(server.url, /fails with 503\.$/, /^account: [1-9]\d? points checked; not checked: /);
  });

  test("an outage in a second run, which keeps the settings of the points that it did not reach", async () => {
    using folder = makeFolder();
    await using real = await listen({ settings: { account: SETTINGS.account } });
    const flags = ["--account", real.urls.account, ...folder.flags("login", "token", "evidence", "out")];
    expect((await runCommand("calibrate", ...flags)).code).toBe(6);
    const { account: before } = folder.read("out").settings;
    real.sandbox.use({ at: "edge", limit: { after: 8 }, then: { respond: { status: 503 } } });
    expect((await runCommand("calibrate", ...flags)).code).toBe(7);
    expect(folder.read("out").settings.account).toEqual(before);
  });

  async function expectFailure(
    url: string,
    message: RegExp,
    shown = /^account: 0 points checked/,
  ): Promise<void> {
    using folder = makeFolder();
    const { code, out, err } = await runCommand("calibrate", "--account", url, ...folder.flags("login"));
    expect({ code, err: err.trim() }).toEqual({ code: 7, err: expect.stringMatching(message) });
    expect(err.match(/\n/g)).toHaveLength(1);
    expect(out).toMatch(shown);
    expect(out + err).not.toContain(ADA.password);
  }
});

test("the client pauses between requests, obeys Retry-After, and stops at the limit", async () => {
  const pauses: number[] = [];
  const wall = { now: () => 0, pause: async (ms: number) => void pauses.push(ms) };
  const limited = new Response("", { status: 429, headers: { "retry-after": "7" } });
  const replies = [Response.json({}), limited];
  const fetch = async () => replies.shift() ?? Response.json({});
  const options = { service: account, url: "https://x.example.test" };
  const server = createServer({ ...options, fetch, wall });
  const see = (path: string) => server.run((ask) => ask(path).status);
  for (const path of ["/1", "/1", "/2"]) expect(await see(path)).toBe(200);
  expect(pauses).toEqual([1000, 7000, 1000]);
  for (let count = 3; count < 60; count += 1) await see(`/${count}`);
  await expect(see("/60")).rejects.toThrow("https://x.example.test needs more than 60 requests.");
});

test.for([
  ["no server", [], /Name a server with --account URL or --museum URL/],
  ["no login", ["--account", "http://localhost:1"], /--account needs --login FILE or --token FILE/],
  [
    "credentials in the URL",
    ["--museum", "http://a:b@localhost"],
    /--museum must be a base URL without credentials/,
  ],
  [
    "a login that is no JSON",
    ["--account", "http://localhost:1", "--login", "LICENSE"],
    /LICENSE: The file is not valid JSON\.$/,
  ],
  ["a missing file", ["--museum", "http://localhost:1", "--basic", "none"], /none: The file cannot be read/],
] as const)("a mistake on the command line: %s", async ([, args, message]) => {
  const { code, out, err } = await runCommand("drift", ...args);
  expect({ code, out, err: err.trim() }).toEqual({ code: 1, out: "", err: expect.stringMatching(message) });
});
