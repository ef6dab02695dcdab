// The sandbox inside a page: built by Vite with Mock Service Worker, in vitest's browser mode, and a
// page that speaks to a sandbox on a server. The same bytes as in Node.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { setupServer } from "msw/node";
import { type Browser, chromium, type Page as Tab } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { handlers } from "../../src/testing/msw.ts";
import { play, type Reply } from "../consumers/projects/page/session.ts";
import { ROOT } from "../support/built.ts";
import { blocksOf } from "../support/manual.ts";
import { applyBlock } from "../support/working-copy.ts";

/** What the page of that project has for this test. */
type Page = {
  session(options: object, now: number): Promise<readonly Reply[]>;
  refusals(): Promise<readonly string[]>;
  remote(url: string, token: string): Promise<unknown>;
};

const MODULES = join(ROOT, "node_modules");
const LINKED = ["msw", "vitest", "@vitest", "playwright", "playwright-core"];
const NOW = 1_772_355_600_000;
const OPTIONS = { clock: "2026-03-01T09:00:00Z", seed: 7 };
const ADDRESSES = {
  museum: "https://api.museum.example/v1.1",
  account: "https://billing.example",
  accountSandbox: "https://billing.example/sandbox",
};
const MOST_BYTES = 300_000;

let project: string;
let front: Server;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "vitrine-page-"));
  await cp(join(ROOT, "test/consumers/projects/page"), project, { recursive: true });
  for (const { language, text } of await blocksOf(join(ROOT, "docs/recipes/msw.md")))
    if (language === "ts") await applyBlock(project, text);
  await mkdir(join(project, "public"));
  await cp(join(MODULES, "msw/lib/mockServiceWorker.js"), join(project, "public/mockServiceWorker.js"));
  await mkdir(join(project, "node_modules"));
  await symlink(ROOT, join(project, "node_modules/vitrine"));
  for (const name of LINKED) await symlink(join(MODULES, name), join(project, "node_modules", name));
  await bundle("app", { page: "index.html" });
  front = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(project, "app", pathname === "/" ? "index.html" : pathname);
    const type = { ".html": "text/html", ".js": "text/javascript" }[extname(file)] ?? "text/plain";
    const body = await readFile(file).catch(() => "<!doctype html><title>Nothing yet</title>");
    response.writeHead(200, { "content-type": typeof body === "string" ? "text/html" : type }).end(body);
  });
  await new Promise<void>((resolve) => front.listen(0, "localhost", resolve));
  origin = `http://localhost:${(front.address() as AddressInfo).port}`; // a TCP server has a port
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser?.close();
  front?.close();
  await rm(project, { recursive: true });
});

/** Builds with nothing left outside; a warning, as of a module of Node, fails. */
async function bundle(folder: string, input: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(input).map(([name, file]) => [name, join(project, file)]);
  await build({
    root: project,
    logLevel: "error",
    build: {
      outDir: folder,
      target: "es2022",
      chunkSizeWarningLimit: 10_000,
      rolldownOptions: {
        input: Object.fromEntries(entries),
        output: { entryFileNames: "[name].js" },
        preserveEntrySignatures: "strict",
        onwarn({ code, message }: { readonly code?: string; readonly message: string }) {
          if (code !== "PLUGIN_TIMINGS") throw new Error(message);
        },
      },
    },
  });
}

async function opened(): Promise<Tab> {
  const tab = await browser.newPage();
  await tab.goto(origin);
  return tab;
}

/** What Node answers to the same calls at the same addresses. */
async function inNode(options: object): Promise<readonly Reply[]> {
  const sandbox = await createSandbox({ ...options, wall: { now: () => NOW, pause: async () => {} } });
  const network = setupServer(...handlers(sandbox, ADDRESSES));
  network.listen();
  const replies = await play((way, path, init) =>
    way === "control" ? sandbox.fetch(sandbox.urls.control + path, init) : fetch(ADDRESSES[way] + path, init),
  );
  network.close();
  await sandbox.close();
  return replies;
}

describe("in a page built by Vite", () => {
  test.for([
    ["as it is made", OPTIONS],
    ["with secrets for keys", { ...OPTIONS, settings: { account: { algorithm: "HS256" } } }],
  ] as const)("each response of a whole session is the same as in Node: %s", async ([, options]) => {
    const tab = await opened();
    const replies = await tab.evaluate(
      ({ options, now }) => (globalThis as unknown as { page: Page }).page.session(options, now),
      { options, now: NOW },
    );
    const expected = await inNode(options);
    expect(expected.length).toBeGreaterThan(60);
    for (const [index, reply] of replies.entries()) expect(reply).toEqual(expected[index]);
    expect(replies).toHaveLength(expected.length);
    await tab.close();
  });

  test("options that need files, sockets or mail throw a one-line error", async () => {
    const tab = await opened();
    expect(
      await tab.evaluate(() => (globalThis as unknown as { page: Page }).page.refusals()),
    ).toMatchInlineSnapshot(`
      [
        "data is only available in Node, with createSandbox of "vitrine". Browsers have no files and sockets.",
        "smtp is only available in Node, with createSandbox of "vitrine". Browsers have no files and sockets.",
        "./stage.json: This runtime has no files. Import the file and pass its value.",
        "listen is only available in Node, with createSandbox of "vitrine". Browsers have no files and sockets.",
      ]
    `);
    await tab.close();
  });

  test("a page of an allowed origin controls a sandbox on a server only with the right token", async () => {
    const token = "a-token-of-this-test";
    const sandbox = await createSandbox({ allowedOrigins: [origin], controlToken: token });
    const { url } = await sandbox.listen();
    const tab = await opened();
    const remote = (given: string) =>
      tab.evaluate(
        ([url = "", given = ""]) =>
          (globalThis as unknown as { page: Page }).page
            .remote(url, given)
            .catch((error: Error) => error.message),
        [url, given],
      );
    expect(await remote(token)).toEqual({ now: "2026-05-01T00:00:00.000Z", statuses: [200] });
    expect(await remote("another")).toMatch(/token/);
    expect(sandbox.journal.list()).toHaveLength(1);
    await tab.close();
    await sandbox.close();
  });

  test("the sandbox is at most 300 kB compressed, without Mock Service Worker and generated data", async () => {
    await bundle("alone", { sandbox: "size.ts" });
    const files = await readdir(join(project, "alone"), { recursive: true });
    const scripts = files.filter(
      (file) => file.endsWith(".js") && !/mockServiceWorker|(^|\/)(en|en_GB|it)-/.test(file),
    );
    const sizes = await Promise.all(
      scripts.map(
        async (file) => [file, gzipSync(await readFile(join(project, "alone", file))).length] as const,
      ),
    );
    const sum = sizes.reduce((total, [, size]) => total + size, 0);
    for (const file of scripts)
      expect(await readFile(join(project, "alone", file), "utf8"), file).not.toMatch(
        /browser-external|"node:/,
      );
    expect(sum, JSON.stringify(sizes)).toBeLessThanOrEqual(MOST_BYTES);
    expect(sum).toBeGreaterThan(MOST_BYTES / 3);
  });
});

test("in vitest's browser mode a component's test has the sandbox in its page", async () => {
  const command = [join(MODULES, "vitest/vitest.mjs"), "run", "--root", project, "--reporter=verbose"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: project, env: cleanEnv() });
  expect(stdout).toMatch(/✓.*the client tries again after a 503/);
});

/** Without what this run of vitest left for its own workers. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV)/.test(name)));
}
