// What a stranger gets: the packed package, installed outside this tree, with its command, its library and its types.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "./support/built.ts";

const run = promisify(execFile);
const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

let home: string;
let tarball: string;
let files: readonly string[];

/** Runs a program in the stranger's folder; resolves with its standard output. */
async function inHome(command: string, ...args: string[]): Promise<string> {
  return (await run(command, args, { cwd: home })).stdout;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "vitrine-package-"));
  const packed = await run("npm", ["pack", "./dist/package", "--json", "--pack-destination", home], {
    cwd: ROOT,
  });
  const [{ filename, files: listed }] = JSON.parse(packed.stdout);
  tarball = join(home, filename);
  files = (listed as { path: string }[]).map(({ path }) => path);
  await writeFile(
    join(home, "package.json"),
    JSON.stringify({ name: "stranger", private: true, type: "module" }),
  );
  const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball];
  expect((await run("npm", install, { cwd: home })).stderr).toBe("");
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe("the packed package", () => {
  test("contains code, base data and manual, but no sources and no tests", () => {
    for (const file of [
      "dist/cli.js",
      "dist/index.js",
      "dist/index.cjs",
      "dist/index.d.ts",
      "dist/index.d.cts",
      "LICENSE",
      "README.md",
      "package.json",
      "docs/journal.md",
      "docs/dashboard-light.png",
    ])
      expect(files).toContain(file);
    expect(files.some((file) => file.startsWith("fixtures/"))).toBe(true);
    expect(files.filter((file) => /^(src|test)\/|\/\.|\.test\.|(?<!\.d)\.c?ts$/.test(file))).toEqual([]);
  });

  test("can be installed in a project with the commands of the manual", async () => {
    const readme = await readFile(join(ROOT, "README.md"), "utf8");
    const [command = ""] = /^npm pack .*$/m.exec(readme) ?? [];
    const parent = await mkdtemp(join(tmpdir(), "vitrine-pack-"));
    try {
      const [checkout, client] = [join(parent, "vitrine"), join(parent, "my-client")];
      const leftOut = [".git", "dist", "node_modules", "test/node_modules"].map((name) => join(ROOT, name));
      await cp(ROOT, checkout, { recursive: true, filter: (path) => !leftOut.includes(path) });
      await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
      await mkdir(client);
      await writeFile(join(client, "package.json"), JSON.stringify({ name: "my-client", private: true }));
      await run("npm", ["run", "build"], { cwd: checkout });
      await run("sh", ["-c", command], { cwd: checkout });
      expect((await run("npx", ["vitrine", "--version"], { cwd: client })).stdout).toMatch(
        /^\d+\.\d+\.\d+\n$/,
      );
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  });

  test("has a manifest without scripts and tools", async () => {
    const manifest = JSON.parse(await readFile(join(home, "node_modules/vitrine/package.json"), "utf8"));
    for (const name of ["scripts", "knip", "devDependencies"]) expect(manifest).not.toHaveProperty(name);
  });

  test("has a command named vitrine", async () => {
    const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
    expect(await inHome("npx", "--no-install", "vitrine", "--version")).toBe(`${version}\n`);
    const out = await inHome(
      "npx",
      "--no-install",
      "vitrine",
      "exec",
      "--",
      "sh",
      "-c",
      'echo "$VITRINE_MUSEUM_URL"',
    );
    expect(out).toMatch(/^http:\/\/localhost:\d+\/museum\/v1\.1\n$/);
  });

  test("exports a working sandbox, and importing the package or its command starts nothing", async () => {
    await writeFile(
      join(home, "use.js"),
      `import { createSandbox } from "vitrine";
       await import(new URL("./node_modules/vitrine/dist/cli.js", import.meta.url));
       const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
       const reply = await sandbox.fetch("/museum/v1.1/special-events", { headers: sandbox.auth.basic() });
       console.log(reply.status);
       await sandbox.close();`,
    );
    expect(await inHome(process.execPath, "use.js")).toBe("200\n");
  });

  test("works in a bundled program next to the package, and otherwise reports what is missing", async () => {
    await writeFile(
      join(home, "bundled.js"),
      `import { createSandbox } from "vitrine";
       createSandbox().then((sandbox) => sandbox.close()).then(() => console.log("fine"), (error) => console.log(error.message));`,
    );
    const bundle = await rolldown({
      input: join(home, "bundled.js"),
      platform: "node",
      external: ["msw", "vitest"],
      logLevel: "silent",
    });
    const alone = await mkdtemp(join(tmpdir(), "vitrine-bundled-"));
    onTestFinished(() => rm(alone, { recursive: true }));
    for (const [folder, told] of [
      [home, /^fine\n$/],
      [alone, /^Cannot find the package vitrine: .*bundled\.cjs is outside of it .*external: \["vitrine"\]/],
    ] as const) {
      const file = join(folder, "bundled.cjs");
      await bundle.write({ file, format: "cjs", codeSplitting: false });
      expect((await run(process.execPath, [file], { cwd: folder, timeout: 30_000 })).stdout).toMatch(told);
    }
    await bundle.close();
  });

  test("is one instance for a program that imports it and requires it", async () => {
    await writeFile(join(home, "required.cjs"), `module.exports = require("vitrine");`);
    await writeFile(
      join(home, "both.js"),
      `import * as imported from "vitrine";
       import required from "./required.cjs";
       const wrong = await imported.createSandbox({ sed: 7 }).catch((error) => error);
       const different = Object.keys(imported).filter((name) => imported[name] !== required[name]);
       console.log(wrong instanceof required.UsageError, Object.keys(required).length > 8, different);`,
    );
    expect(await inHome(process.execPath, "both.js")).toBe("true true []\n");
  });

  test("has entries that can each be imported, required and typed, and no CommonJS file with import.meta", async () => {
    const root = join(home, "node_modules", "vitrine");
    const { exports, typesVersions } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const { "./package.json": _manifest, "./worker": worker, ...entries } = exports as Record<string, object>;
    // Its runtime has modules alone.
    expect(worker).toEqual({ types: "./dist/worker.d.ts", default: "./dist/web/worker.js" });
    expect(files).toEqual(expect.arrayContaining(["dist/worker.d.ts", "dist/web/worker.js"]));
    for (const [entry, conditions] of Object.entries(entries)) {
      const name = /\/dist\/([^"]+)\.cjs"/.exec(JSON.stringify(conditions))?.[1];
      const both = (types: string, runs: string) => ({
        types: `./dist/${name}.${types}`,
        default: `./dist/${name}.${runs}`,
      });
      expect({ [entry]: conditions }).toMatchObject({ [entry]: { require: both("d.cts", "cjs") } });
      const imported = {
        ...both("d.ts", "js"),
        ...(entry === "./browser" ? { default: "./dist/web/browser.js" } : {}),
      };
      expect({ [entry]: conditions }).toMatchObject({ [entry]: { default: imported } });
      if (entry !== ".") expect(typesVersions["*"]).toHaveProperty(entry.slice(2), [`./dist/${name}.d.cts`]);
      for (const kind of ["js", "cjs", "d.ts", "d.cts"]) expect(files).toContain(`dist/${name}.${kind}`);
    }
    for (const file of files.filter((file) => file.endsWith(".cjs"))) {
      // Without the scripts of the dashboard, which the chunk holds as strings.
      const code = (await readFile(join(root, file), "utf8")).replace(/"dashboard[\w-]*\.js": ".*"/g, "");
      expect(code, file).not.toMatch(/import\.meta|\bimport\(/);
    }
  });

  test("contains the modules that are loaded on demand: generated data, QR codes, mail, expressions", async () => {
    await writeFile(
      join(home, "demand.js"),
      `import { createSandbox } from "vitrine";
       const sandbox = await createSandbox({ seed: 7, smtp: "smtp://localhost:1025" });
       const event = (await sandbox.museum.listSpecialEvents({})).body[0];
       const order = { ticketType: "event", eventId: event.eventId, ticketDate: event.dates[0], email: "a@example.test" };
       sandbox.use({ when: { path: "/*", query: { page: { $regex: "^9+$" } } }, then: { pass: true } });
       const { body: ticket } = await sandbox.museum.buyMuseumTickets({ body: order });
       const code = await sandbox.museum.getTicketCode({ params: { ticketId: ticket.ticketId } });
       console.log(code.status, code.headers.get("content-type"));
       await sandbox.close();`,
    );
    expect(await inHome(process.execPath, "demand.js")).toBe("200 image/png\n");
  });

  test("has types that accept correct code and reject errors", async () => {
    const use = `import { createSandbox } from "vitrine";
       const sandbox = await createSandbox({ seed: 7 });
       const reply = await sandbox.museum.getSpecialEvent({ params: { eventId: "x" } });
       if (reply.status === 200) reply.body.name satisfies string;
       // @ts-expect-error: a name is a string
       await sandbox.museum.updateSpecialEvent({ params: { eventId: "x" }, body: { name: 1 } });
       // @ts-expect-error: there is no such option
       await createSandbox({ sed: 7 });
       export {};`;
    await writeFile(join(home, "use.ts"), use);
    // Where it is required, `await` has a function of its own.
    await writeFile(
      join(home, "use.cts"),
      use.replace(";", ";\nasync () => {").replace("export {};", "};\nexport {};"),
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"];
    const roots = ["--typeRoots", join(ROOT, "node_modules", "@types")];
    const lint = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--verbatimModuleSyntax"];
    for (const strictness of [["use.cts"], [...lint, "use.ts"]])
      await inHome(process.execPath, TSC, ...options, ...roots, "--skipLibCheck", "false", ...strictness);
  });

  test.for(["4.7.0", "4.10.8", "4.12.34", "latest"])(
    "works in an app of Hono %s, imported and required, and has matching types",
    async (version) => {
      const folder = join(home, `hono-${version}`);
      const inFolder = (command: string, ...args: string[]) => run(command, args, { cwd: folder });
      await mkdir(folder);
      await writeFile(join(folder, "package.json"), JSON.stringify({ name: "server", private: true }));
      await inFolder(
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--prefer-offline",
        tarball,
        `hono@${version}`,
      );
      const use = `
        const prefixes = (app: Hono) => ({
          "": new Hono().route("/", app),
          "/mock": new Hono().use(async (_context, next) => next()).route("/mock", app),
          "/a/b": new Hono().route("/a", new Hono().route("/b", app)),
          "/acme/mock": new Hono().route("/:tenant/mock", app),
          "/acme/42/mock": new Hono().route("/:tenant/:id{[0-9]+}/mock", app),
          "/caf%C3%A9/v2/mock": new Hono().basePath("/café/v2").route("/mock", app),
        });
        async function play() {
          const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
          const json = { ...sandbox.auth.basic(), "content-type": "application/json" };
          const body = JSON.stringify({ name: "A", location: "B", eventDescription: "C", dates: ["2026-03-31"], price: 5 });
          for (const [prefix, app] of Object.entries(prefixes(sandbox.app))) {
            const created = await app.request(prefix + "/museum/v1.1/special-events", { method: "POST", headers: json, body });
            const read = await app.request(created.headers.get("location") ?? "", { headers: json });
            const authorization = "Bearer " + sandbox.auth.token();
            const list = await app.request(prefix + "/account/consumptions", { headers: { authorization } });
            const { "@id": id } = (await list.json()) as { "@id": string };
            const bases = sandbox.journal.list().map(({ base }) => base);
            console.log([prefix, created.status, read.status, id, list.headers.get("link"), ...bases].join(" "));
            sandbox.journal.clear();
          }
          // @ts-expect-error: an app of Hono has no such method
          void sandbox.app.nothing;
          await sandbox.close();
        }
        void play();`;
      const imports = 'import { Hono } from "hono";\nimport { createSandbox } from "vitrine";';
      for (const name of ["mount.mts", "mount.cts"]) await writeFile(join(folder, name), imports + use);
      const roots = ["--typeRoots", join(ROOT, "node_modules", "@types"), "--types", "node"];
      const strict = ["--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023"];
      await inFolder(process.execPath, TSC, "--ignoreConfig", ...roots, ...strict, "mount.mts", "mount.cts");
      const lines = ["", "/mock", "/a/b", "/acme/mock", "/acme/42/mock", "/caf%C3%A9/v2/mock"].map(
        (prefix) => {
          const link = `<http://localhost${prefix}/account/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`;
          const [museum, account] = [`${prefix}/museum/v1.1`, `${prefix}/account`];
          return `${prefix} 201 200 ${account}/consumptions ${link} ${museum} ${museum} ${account}\n`;
        },
      );
      for (const name of ["mount.mjs", "mount.cjs"])
        expect((await inFolder(process.execPath, name)).stdout, name).toBe(lines.join(""));
    },
  );

  test("brings no other package with it, and fits in 4.7 megabytes", async () => {
    const modules = join(home, "node_modules");
    const installed = (await readdir(modules)).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["vitrine"]);
    const sizes = files.map(async (file) => (await stat(join(modules, "vitrine", file))).size);
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(4_700_000);
  });

  test("tells name, version and licence of every package whose code it holds", async () => {
    const readable = join(home, "readable"); // there alone the bundler's comments say where each line comes from
    await run(process.execPath, [join(ROOT, ".ci", "build.mjs"), readable]);
    const inside = new Set(["rolldown"]); // its few lines join the others'
    for (const file of files.filter((file) => file.startsWith("dist/"))) {
      const text = await readFile(join(readable, file.slice("dist/".length)), "utf8");
      const sources = text.matchAll(/^\/\/ (?:\.\.\/)*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm);
      for (const [, name] of sources) if (name !== undefined) inside.add(name);
    }
    for (const name of ["hono", "zod", "nodemailer", "@faker-js/faker", "jws"])
      expect(inside).toContain(name);

    const notices = await readFile(
      join(home, "node_modules", "vitrine", "dist", "THIRD-PARTY-NOTICES.txt"),
      "utf8",
    );
    const [, ...parts] = notices.split(/^-{80}$/m);
    const told = new Map(parts.map((part) => [/^\s*(\S+) \d+\.\d+\.\d+\S* \(\S+\)\n/.exec(part)?.[1], part]));
    expect([...told.keys()].sort()).toEqual([...inside].sort());
    for (const part of told.values()) expect(part).toMatch(/copyright[\s\S]+(?:warrant|liab)/i);
  });
});
