/** `vitrine calibrate`, `drift` and `assumptions`: compare real servers with the sandbox. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { shorten } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import * as compare from "../evidence/compare.ts";
import { type Observations, observe } from "../evidence/observe.ts";
import { createServer, type Server, ServerFailure } from "../evidence/server.ts";
import { escapeXml } from "../journal/coverage-report.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import type { Service } from "../operation/service.ts";
import { isLoopbackHost } from "../sandbox/addresses.ts";
import { services } from "../services/index.ts";
import { toBase64, toUtf8 } from "../world/bytes.ts";
import { wallClock } from "../world/clock.ts";
import { toDate } from "../world/time.ts";
import { defineCommand, type FlagValues } from "./command.ts";
import type { Io } from "./io.ts";
import { toLine } from "./line.ts";

const FLAGS = {
  account: { value: "URL", about: "base URL of an account server" },
  login: { value: "FILE", about: 'JSON file with "email" and "password"' },
  token: { value: "FILE", about: "where the token of the login is stored, and read if the file exists" },
  museum: { value: "URL", about: "base URL of a museum server" },
  basic: { value: "FILE", about: "file with user:password for the museum (default: an empty pair)" },
  evidence: { value: "FILE", about: "the file to which calibrate adds its results" },
} as const;
type ServerFlags = FlagValues<typeof FLAGS>;
type Target = { readonly service: Service; readonly url: string; readonly seen: Observations };

/** Limit of requests in one run of `calibrate`, and for each server in one run of `drift`. */
const MAX_REQUESTS = 60;
const PAUSE_MS = 1000;

export const calibrate = defineCommand({
  name: "calibrate",
  summary: "find the settings that make the sandbox behave like a real server; exit 6 if it differs",
  flags: { ...FLAGS, out: { value: "FILE", about: "write a scenario with the settings" } },
  async run({ flags, io }) {
    const { settings, points, known } = readEvidence(flags.evidence);
    const targets = await observeServers(flags, io, false);
    const [date, own, sightings] = [toDate(wallClock.now()), { ...settings }, { ...points }];
    const rows = [["point", "sandbox", "server", "setting"]];
    for (const { service, url: server, seen } of targets) {
      const entries = Object.entries(seen.points).map(([id, values]) => ({
        id,
        values,
        found: compare.findSettings(service, id, values),
      }));
      own[service.name] = Object.assign({}, ...entries.map(({ found }) => found));
      const usual = await observeSandbox(service, {});
      const isUsual = Object.keys(own[service.name] ?? {}).length === 0;
      const fitted = isUsual ? usual : await observeSandbox(service, own[service.name]);
      for (const { id, values, found } of entries) {
        const contradicted = !compare.isSame(fitted.points[id], values);
        sightings[`${service.name}.${id}`] = { seen: values, date, server, contradicted };
        const names = Object.entries(found).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
        if (names.length === 0 && compare.isSame(usual.points[id], values)) continue;
        const cells = [usual.points[id], values].map(compare.formatValues);
        const setting = contradicted ? "no setting" : names.join(", ") || "other settings";
        rows.push([service.assumptions?.[id]?.[0] ?? id, ...cells, setting]);
      }
      const open = Object.keys(service.assumptions ?? {}).filter((id) => !(id in seen.points));
      io.out(`${service.name}: ${entries.length} points seen; not asked: ${open.join(", ")}.\n`);
    }
    for (const cells of rows.length > 1 ? rows : [])
      io.out(
        `${cells
          .map((cell) => toLine(shorten(cell, 36)).padEnd(38))
          .join("")
          .trimEnd()}\n`,
      );
    writeJson(flags.evidence, { settings: own, points: sightings, known });
    const title = `Settings of ${targets.map(({ url }) => url).join(" and ")}, found on ${date}`;
    writeJson(flags.out, { version: 1, title, settings: own });
    return targets.some(({ seen }) => seen.failure) ? 7 : rows.length > 1 ? 6 : 0;
  },
});

export const drift = defineCommand({
  name: "drift",
  summary: "report how a real server differs from the sandbox or the evidence; exit 6 if it does",
  flags: { ...FLAGS, junit: { value: "FILE", about: "also write a JUnit report" } },
  async run({ flags, io }) {
    const { settings, points, known } = readEvidence(flags.evidence);
    const targets = await observeServers(flags, io, true);
    const found: string[] = [];
    for (const { service, seen } of targets) {
      const { reads, points: own } = await observeSandbox(service, settings[service.name], true);
      const dated = Object.keys(own).map((id) => [id, points[`${service.name}.${id}`]?.seen ?? own[id]]);
      const expected = { reads, points: Object.fromEntries(dated) };
      for (const [sentence, example] of compare.listDifferences(service, expected, seen))
        if (!known.includes(sentence)) found.push(`${sentence} Example: ${service.name}, ${example}`);
    }
    for (const text of found) io.out(`${toLine(text)}\n`);
    const failures = targets.flatMap(({ seen }) => seen.failure ?? []);
    if (flags.junit !== undefined) writeFileSync(flags.junit, toJunit([...found, ...failures]));
    return failures.length > 0 ? 7 : found.length > 0 ? 6 : 0;
  },
});

export const assumptions = defineCommand({
  name: "assumptions",
  summary: "list what the services' documents leave open, and what real servers showed of it",
  flags: { evidence: FLAGS.evidence },
  async run({ flags, io }) {
    const evidence = readEvidence(flags.evidence);
    const counts = Object.entries(compare.countPoints(services, evidence));
    io.out(`${counts.map(([name, count]) => `${count} ${name}`).join(", ")}\n`);
    for (const { name, assumptions = {}, probes } of services)
      for (const [id, [point, served]] of Object.entries(assumptions)) {
        const sighting = evidence.points[`${name}.${id}`];
        const probe = probes?.points[id];
        const dated =
          sighting && ` ${sighting.date} ${sighting.server}: ${compare.formatValues(sighting.seen)}`;
        const reason = typeof probe === "string" ? `, because ${probe}` : "";
        io.out(
          toLine(`${compare.getState(sighting)}${dated ?? reason} | ${name}.${id} | ${point} | ${served}`),
        );
        io.out("\n");
      }
    return 0;
  },
});

/** Observes the servers that the flags name, and prints why one cannot be asked. The result contains no credentials. */
async function observeServers(flags: ServerFlags, io: Io, withReads: boolean): Promise<readonly Target[]> {
  const targets: Target[] = [];
  const shared = { left: MAX_REQUESTS };
  for (const service of services) {
    const given = flags[service.name as "account" | "museum"];
    if (given === undefined) continue;
    const { protocol, hostname, username, href } = new URL(URL.canParse(given) ? given : "none:");
    if (!/^https?:$/.test(protocol) || username !== "" || /[?#]/.test(href))
      throw new UsageError("badOption", `--${service.name} must be a base URL without credentials or query.`);
    const url = href.replace(/\/$/, "");
    const budget = withReads ? { left: MAX_REQUESTS } : shared;
    const server = createServer({ service, url, budget, pauseMs: isLoopbackHost(hostname) ? 0 : PAUSE_MS });
    const secrets: string[] = [];
    const authorize = service.name === "museum" ? readBasic : logIn;
    const seen = await authorize(server, flags, secrets)
      .then(() => observe(server, withReads))
      .catch((error: unknown) => {
        if (error instanceof ServerFailure) return { points: {}, reads: {}, failure: error.message };
        throw error;
      });
    const hide = (text: string, secret: string): string => text.replaceAll(secret, "[redacted]");
    const shown = JSON.stringify(seen, (_key, value) =>
      typeof value === "string" ? secrets.filter(Boolean).reduce(hide, value) : value,
    );
    const target: Target = { service, url, seen: JSON.parse(shown) };
    if (target.seen.failure !== undefined) io.printError(`vitrine: ${target.seen.failure}`);
    targets.push(target);
  }
  if (targets.length > 0) return targets;
  throw new UsageError("badOption", "Name a server with --account URL or --museum URL.");
}

async function observeSandbox(service: Service, settings: compare.Settings = {}, withReads = false) {
  await using sandbox = await createSandbox({ settings: { [service.name]: settings } });
  const server = createServer({ service, url: sandbox.urls[service.name] ?? "", fetch: sandbox.fetch });
  const [pair] = sandbox.catalogue.credentials();
  const { authorization } = sandbox.auth.basic(pair?.user, pair?.password);
  server.ask.authorization = service.name === "museum" ? authorization : `Bearer ${sandbox.auth.token()}`;
  return await observe(server, withReads);
}

async function readBasic({ ask }: Server, { basic }: ServerFlags, secrets: string[]): Promise<void> {
  const pair = basic === undefined ? ":" : readFile(basic).trim();
  secrets.push(toBase64(toUtf8(pair)), ...pair.split(":"));
  ask.authorization = `Basic ${secrets[0]}`;
}

/** Uses the stored token. Without one, logs in once, and stores the token. */
async function logIn(server: Server, { login, token: file }: ServerFlags, secrets: string[]): Promise<void> {
  let token = file === undefined ? "" : readFile(file, "").trim();
  if (token === "") {
    if (login === undefined)
      throw new UsageError("badOption", "--account needs --login FILE or --token FILE.");
    const { email = "", password = "" } = readJson<Record<string, string>>(login);
    secrets.push(email, password);
    const request = { accept: "application/json", type: "application/json" };
    const body = JSON.stringify({ email, password });
    const reply = await server.run((ask) => ask("POST /login", { ...request, body }));
    token = String(reply.body["token"] ?? "");
    server.assertReply(reply, token !== "");
    if (file !== undefined) {
      rmSync(file, { force: true }); // Others could read an old file.
      writeFileSync(file, token, { mode: 0o600, flag: "wx" });
    }
  }
  secrets.push(token);
  server.ask.authorization = `Bearer ${token}`;
}

function readFile(file: string, fallback?: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (fallback !== undefined) return fallback;
    throw new UsageError("badOption", "The file cannot be read.", { file }, { cause: error });
  }
}

function readJson<T>(file: string, fallback?: string): Partial<T> {
  const text = readFile(file, fallback);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("badOption", "The file is not valid JSON.", { file }); // The cause would show its text.
  }
}

/** Returns empty evidence if the file is missing. */
function readEvidence(file: string | undefined): compare.Evidence {
  const none = { settings: {}, points: {}, known: [] };
  return file === undefined ? none : { ...none, ...readJson<compare.Evidence>(file, "{}") };
}

function writeJson(file: string | undefined, value: object): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function toJunit(problems: readonly string[]): string {
  const cases = problems.map((text) => `<testcase name="${escapeXml(text)}"><failure/></testcase>\n`);
  const all = cases.length === 0 ? ['<testcase name="no difference"/>\n'] : cases;
  const counts = `tests="${all.length}" failures="${cases.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="drift" ${counts}>\n${all.join("")}</testsuite>\n`;
}
