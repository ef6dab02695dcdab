/** `vitrine calibrate`, `drift` and `assumptions`: compare real servers with the sandbox. */

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { toLine } from "../errors/line.ts";
import { shorten } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import * as compare from "../evidence/compare.ts";
import { type Observations, observe } from "../evidence/observe.ts";
import { createServer, type Server } from "../evidence/server.ts";
import { escapeXml } from "../journal/coverage-report.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import type { Service } from "../operation/service.ts";
import { formatTable } from "../operation/table.ts";
import { services } from "../services/index.ts";
import { toBase64, toUtf8 } from "../world/bytes.ts";
import { wallClock } from "../world/clock.ts";
import { toDate } from "../world/time.ts";
import { defineCommand, type FlagValues } from "./command.ts";
import { readJson, readText } from "./files.ts";
import type { Io } from "./io.ts";

const FLAGS = {
  account: { value: "URL", about: "base URL of an account server" },
  login: { value: "FILE", about: 'JSON file with "email" and "password"' },
  token: { value: "FILE", about: "file for the token of the login; its token is used if the file exists" },
  museum: { value: "URL", about: "base URL of a museum server" },
  basic: { value: "FILE", about: "file with user:password for the museum (default: an empty pair)" },
  evidence: { value: "FILE", about: "the file to which calibrate adds its results" },
} as const;
type ServerFlags = FlagValues<typeof FLAGS>;
type Target = { readonly service: Service; readonly url: string; readonly seen: Observations };

const MAX_CELL_CHARS = 60;

export const calibrate = defineCommand({
  name: "calibrate",
  summary: "find the settings that make the sandbox behave like a real server; exit 6 if it differs",
  flags: { ...FLAGS, out: { value: "FILE", about: "write a scenario with the settings" } },
  async run({ flags, io }) {
    const evidence = readEvidence(flags.evidence);
    const targets = await observeServers(flags, io, false);
    const date = toDate(wallClock.now());
    const [settings, points] = [{ ...evidence.settings }, { ...evidence.points }];
    const rows: string[][] = [];
    for (const { service, url: server, seen } of targets) {
      const entries = Object.entries(seen.points);
      const found = entries.map(([id, values]) => compare.findSetting(service, id, values));
      // If the server failed before it showed all points, the previous settings of the other points stay.
      const previous = seen.failure === undefined ? {} : { ...settings[service.name] };
      for (const [id] of entries) delete previous[service.assumptions?.[id]?.[2] ?? ""];
      const own = Object.assign(previous, ...found);
      settings[service.name] = own;
      const [usual, fitted] = [await observeSandbox(service, {}), await observeSandbox(service, own)];
      for (const [id, values] of entries) {
        const [point = id, , name = ""] = service.assumptions?.[id] ?? [];
        const state = compare.isSame(fitted.points[id], values) ? "seen" : "contradicted";
        points[`${service.name}.${id}`] = { seen: values, date, server, state };
        if (!(name in own) && compare.isSame(usual.points[id], values)) continue;
        const setting = name in own ? `${name}: ${JSON.stringify(own[name])}` : "other settings";
        const cells = [usual.points[id], values].map(compare.formatValues);
        rows.push([point, ...cells, state === "seen" ? setting : "no setting"]);
      }
      const open = Object.keys(service.assumptions ?? {}).filter((id) => !(id in seen.points));
      io.out(`${service.name}: ${entries.length} points checked; not checked: ${open.join(", ")}.\n`);
    }
    if (rows.length > 0) printTable(io, ["point", "sandbox", "server", "setting"], rows);
    writeJson(flags.evidence, { ...evidence, settings, points });
    const title = `Settings of ${targets.map(({ url }) => url).join(" and ")}, found on ${date}`;
    writeJson(flags.out, { version: 1, title, settings });
    return targets.some(({ seen }) => seen.failure) ? 7 : rows.length > 0 ? 6 : 0;
  },
});

export const drift = defineCommand({
  name: "drift",
  summary: "report how a real server differs from the sandbox or the evidence; exit 6 if it does",
  flags: { ...FLAGS, junit: { value: "FILE", about: "also write a JUnit report" } },
  async run({ flags, io }) {
    const evidence = readEvidence(flags.evidence);
    const targets = await observeServers(flags, io, true);
    const found: string[] = [];
    for (const { service, seen } of targets) {
      const own = await observeSandbox(service, evidence.settings[service.name] ?? {}, true);
      found.push(...compare.listDifferences(service, evidence, own, seen));
    }
    for (const text of found) io.out(`${toLine(text)}\n`);
    const failures = targets.flatMap(({ seen }) => seen.failure ?? []);
    if (flags.junit !== undefined) writeFileSync(flags.junit, toJunit([...found, ...failures]));
    return failures.length > 0 ? 7 : found.length > 0 ? 6 : 0;
  },
});

export const assumptions = defineCommand({
  name: "assumptions",
  summary: "list the assumptions about the services, and how real servers behaved",
  flags: { evidence: FLAGS.evidence },
  async run({ flags, io }) {
    const evidence = readEvidence(flags.evidence);
    const counts = Object.entries(compare.countPoints(services, evidence));
    io.out(`${counts.map(([name, count]) => `${count} ${name}`).join(", ")}\n`);
    const rows = services.flatMap(({ name, assumptions = {}, probes }) =>
      Object.entries(assumptions).map(([id, [point, served, setting]]) => {
        const { seen, date, server, state = "assumed" } = evidence.points[`${name}.${id}`] ?? {};
        const reason = setting === undefined ? "no setting changes it" : "no harmless request shows it";
        const open = probes?.points[id] === undefined ? `not checked: ${reason}` : "";
        const shown = seen === undefined ? open : `${date} ${server}: ${compare.formatValues(seen)}`;
        return [`${name}.${id}`, point, served, state, shown];
      }),
    );
    printTable(io, ["id", "point", "sandbox", "state", "evidence"], rows);
    return 0;
  },
});

/** Observes each server that a flag names. If the server fails, prints the reason, and continues with the next server. */
async function observeServers(flags: ServerFlags, io: Io, withReads: boolean): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const service of services) {
    const given = flags[service.name as "account" | "museum"];
    if (given === undefined) continue;
    const { protocol, username, href } = new URL(URL.canParse(given) ? given : "none:");
    if (!/^https?:$/.test(protocol) || username !== "" || /[?#]/.test(href))
      throw new UsageError("badOption", `--${service.name} must be a base URL without credentials or query.`);
    const url = href.replace(/\/$/, "");
    const server = createServer({ service, url });
    const authorize = service.name === "museum" ? readBasic : logIn;
    const seen = await observe(server, () => authorize(server, flags), withReads);
    if (seen.failure !== undefined) io.printError(`vitrine: ${seen.failure}`);
    targets.push({ service, url, seen });
  }
  if (targets.length > 0) return targets;
  throw new UsageError("badOption", "Name a server with --account URL or --museum URL.");
}

async function observeSandbox(service: Service, settings: compare.Settings, withReads = false) {
  await using sandbox = await createSandbox({ settings: { [service.name]: settings } });
  const server = createServer({ service, url: sandbox.urls[service.name] ?? "", fetch: sandbox.fetch });
  const authorize = async (): Promise<void> => {
    const [pair] = sandbox.catalogue.credentials();
    const { authorization } = sandbox.auth.basic(pair?.user, pair?.password);
    server.ask.authorization = service.name === "museum" ? authorization : `Bearer ${sandbox.auth.token()}`;
  };
  return await observe(server, authorize, withReads);
}

async function readBasic({ ask, secrets }: Server, { basic }: ServerFlags): Promise<void> {
  const pair = basic === undefined ? ":" : readText(basic).trim();
  const encoded = toBase64(toUtf8(pair));
  secrets.push(encoded, ...pair.split(":"));
  ask.authorization = `Basic ${encoded}`;
}

/** Uses the token in the file of `--token`. If the file is missing or empty, logs in once, and stores the new token there. */
async function logIn(server: Server, { login, token: file }: ServerFlags): Promise<void> {
  let token = file !== undefined && existsSync(file) ? readText(file).trim() : "";
  if (token === "") {
    if (login === undefined)
      throw new UsageError("badOption", "--account needs --login FILE or --token FILE.");
    const { email, password } = readJson(login) as Readonly<Record<string, string>>;
    server.secrets.push(`${email}`, `${password}`);
    const [type, body] = ["application/json", JSON.stringify({ email, password })];
    const reply = await server.run((ask) => ask("POST /login", { accept: type, type, body }));
    token = String(reply.body["token"] ?? "");
    server.assertReply(reply, token !== "");
    if (file !== undefined) {
      rmSync(file, { force: true }); // Other users may have access to an old file, and `mode` applies only to new files.
      writeFileSync(file, token, { mode: 0o600, flag: "wx" });
    }
  }
  server.secrets.push(token);
  server.ask.authorization = `Bearer ${token}`;
}

/** Reads the results of earlier calibrations. Returns empty evidence if the file is missing. */
function readEvidence(file: string | undefined): compare.Evidence {
  const stored = file !== undefined && existsSync(file) ? readJson(file) : {};
  return { settings: {}, points: {}, known: [], ...(stored as Partial<compare.Evidence>) };
}

function writeJson(file: string | undefined, value: object): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function printTable(io: Io, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = rows.map((row) => row.map((cell) => toLine(shorten(cell, MAX_CELL_CHARS))));
  io.out(`${formatTable(heads, cells)}\n`);
}

function toJunit(problems: readonly string[]): string {
  const cases = problems.map((text) => `<testcase name="${escapeXml(text)}"><failure/></testcase>\n`);
  if (cases.length === 0) cases.push('<testcase name="no difference"/>\n');
  const counts = `tests="${cases.length}" failures="${problems.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="drift" ${counts}>\n${cases.join("")}</testsuite>\n`;
}
