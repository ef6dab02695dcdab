// Prism as a proxy: it judges each request and each answer by a document, and says what is wrong in a header.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

type Violation = { readonly location: readonly string[]; readonly message: string };

/** Where to call it, and how to end it. */
export type Judge = { readonly url: string; readonly stop: () => void };

/** Prism in a folder of its own. */
export async function installPrism() {
  const folder = await mkdtemp(join(tmpdir(), "prism-"));
  await cp(join(import.meta.dirname, "prism", "package.json"), join(folder, "package.json"));
  const npm = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", npm, { cwd: folder });
  return {
    proxyOf: (upstream: string, headers = {}) => proxyOf(folder, upstream, headers),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** In front of a service, with the service's own document; `headers` are what it asks for before it shows it. */
async function proxyOf(folder: string, upstream: string, headers: Record<string, string>): Promise<Judge> {
  const port = await freePort();
  const document = join(folder, `${port}.json`);
  await writeFile(document, await (await fetch(`${upstream}/openapi.json`, { headers })).text());
  const bin = join(folder, "node_modules", ".bin", "prism");
  const prism = spawn(bin, ["proxy", document, upstream, "-p", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for (let log = ""; !log.includes("listening"); ) {
    const [text] = await once(prism.stdout, "data");
    log += text;
  }
  prism.stdout.resume();
  return { url: `http://127.0.0.1:${port}`, stop: () => prism.kill() };
}

/** What Prism has against a request, and against its answer. */
export function violationsOf({ headers }: Response) {
  const all: readonly Violation[] = JSON.parse(headers.get("sl-violations") ?? "[]");
  const ofAnswer = all.filter(({ location: [where] }) => where === "response");
  return { ofAnswer, ofRequest: all.filter((one) => !ofAnswer.includes(one)) };
}

/** Prism cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("It listens on a port.");
  return address.port;
}
