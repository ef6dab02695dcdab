// What is made of the declarations for people to read, as files that a review sees change: addresses with their shapes, and
// the tables of the manual. `npm run docs` writes them anew.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { control } from "../../src/control/index.ts";
import { formatMethodsTable } from "../../src/control/table.ts";
import { countPoints } from "../../src/evidence/compare.ts";
import { type ExchangeStart, openExchange } from "../../src/http/exchange.ts";
import {
  buildAssumptionsTable,
  buildMatcherTable,
  buildOperationsTable,
  buildPresetsTable,
  buildProblemsTable,
  buildSettingsTable,
  formatCode,
  formatTable,
} from "../../src/operation/table.ts";
import { FAULTS, type FaultKind } from "../../src/rules/effect.ts";
import { listGrammar } from "../../src/rules/matcher-schema.ts";
import { library } from "../../src/runtimes/node/library.ts";
import { services } from "../../src/services/index.ts";
import { help } from "../support/help.ts";
import { PAGES } from "../support/manual.ts";
import { frozenSandbox } from "../support/test.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as it comes
type Json = any;

describe("the outline of the OpenAPI document", () => {
  test.for([...services, control])("of $name", async ({ name, environments: [environment] }) => {
    const sandbox = await frozenSandbox();
    const response = await sandbox.fetch(`${environment?.base}/openapi.json`);
    await expect(outline(await response.json())).toMatchFileSnapshot(`${name}.txt`);
    await sandbox.close();
  });
});

describe("the documents of the account", () => {
  const AS = { html: "text/html", jsonld: "application/ld+json", json: "application/json" } as const;

  test.for<[name: string, form: keyof typeof AS, path: string]>([
    ["documentation", "jsonld", "/docs.jsonld"],
    ["documentation", "html", "/docs"],
    ["context", "jsonld", "/contexts/PreSaleAction"],
    ["entry-point", "html", "/"],
    ["list", "jsonld", "/consumptions?page=2&year=2025"],
    ["list", "json", "/consumptions?page=2&year=2025"],
    ["list", "html", "/consumptions?page=2&year=2025"],
    ["empty-list", "html", "/consumptions?year=1999"],
    ["item", "jsonld", "/pre-sale-actions/{first}"],
    ["item", "html", "/pre-sale-actions/{first}"],
    ["not-found", "html", "/pre-sales/nobody"],
  ])("the %s as %s matches the recorded file", async ([name, form, path]) => {
    await using sandbox = await frozenSandbox({ settings: { account: { pageSize: 3 } } });
    const [first] = sandbox.data.account.preSaleActions.all();
    const reply = await sandbox.fetch(`/account${path.replace("{first}", String(first?.["uuid"]))}`, {
      headers: { accept: AS[form], authorization: `Bearer ${sandbox.auth.token()}` },
    });
    const text = await reply.text();
    const whole =
      form === "html" ? text.replace(/<style>.*<\/style>/s, "<style>…</style>") : json(JSON.parse(text));
    await expect(`${reply.status} ${reply.headers.get("content-type")}\n\n${whole}`).toMatchFileSnapshot(
      `account/${name}.${form}.txt`,
    );
  });

  test("an alert mail, and the receipt of the usage that triggered it, match the recorded file", async () => {
    await using sandbox = await frozenSandbox();
    const { mails, ...receipt } = sandbox.usage.record({ sent: 7, received: 5 });
    const told = mails.map(({ to, subject, text, html }) =>
      [`To: ${to}\nSubject: ${subject}`, text, html].join("\n\n"),
    );
    await expect(`${told.join("\n")}\n${json(receipt)}`).toMatchFileSnapshot("account/alert.mail.txt");
  });

  const json = (value: unknown): string => `${JSON.stringify(value, undefined, 1)}\n`;
});

describe("the tables of the manual", () => {
  test("each appear on exactly one page", async () => {
    const pages = await Promise.all(PAGES.map((page) => readFile(page, "utf8")));
    const found = pages.flatMap((page) => Array.from(page.matchAll(MARKED), ([, name]) => name));
    expect(found.sort()).toEqual(Object.keys(await tables()).sort());
  });

  test.for(PAGES)("match the declarations in %s", async (page) => {
    const fresh = await tables();
    const text = await readFile(page, "utf8");
    const written = text.replace(
      MARKED,
      (_whole, name: string) => `<!-- table: ${name} -->\n\n${fresh[name]}\n\n<!-- end -->`,
    );
    await expect(written).toMatchFileSnapshot(`../../${page}`);
  });

  test("name every field of an exchange, and every method of the journal", async () => {
    const { body, suffix, requestBytes, responseBytes, ...fields } = openExchange({} as ExchangeStart);
    const page = await readFile("docs/journal.md", "utf8");
    const [section = ""] = page.split("\n## Fields of an exchange\n")[1]?.split("\n## ") ?? [];
    const heads = Array.from(section.matchAll(/^\| (`.+?) \|/gm), ([, head = ""]) => head).join();
    const named = Array.from(heads.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
    expect(named.sort()).toEqual(Object.keys(fields).sort());
    const methods = Array.from(formatMethodsTable().matchAll(/`(journal\.\w+)`/g), ([, name = ""]) => name);
    for (const name of new Set(methods)) expect(page).toContain(`| \`${name}(`);
  });
});

const MARKED = /<!-- table: (\w+) -->[\s\S]*?<!-- end -->/g;

/** Problems that the page names once for all operations. */
const COMMON =
  / ?`(credentialsRequired|invalidInput|token\w+|badCredentials|accessDenied|notAcceptable|bodyTooLarge|unsupportedMedia)`/g;

function forEachService(build: (own: typeof services) => string): string {
  return services.map((service) => `**${service.name}**\n\n${build([service])}`).join("\n\n");
}

async function tables(): Promise<Readonly<Record<string, string>>> {
  const presets = library
    .presetNames()
    .map((name) => ({ name, title: JSON.parse(library.preset(name).text).title }));
  const counts = countPoints(services, { points: {} });
  return {
    operations: buildOperationsTable(services).replaceAll(/^(?!.*login).*$/gm, (row) =>
      row.replaceAll(COMMON, ""),
    ),
    methods: formatMethodsTable(),
    help: await formatHelp(),
    problems: forEachService(buildProblemsTable).replaceAll(
      /(museum-special-events|common-account-billing), |(?<=Errors), \d+ [a-z ]+(?= \|| and [A-Z])/g,
      "",
    ),
    presets: buildPresetsTable(presets),
    matcher: buildMatcherTable(listGrammar()),
    settings: forEachService(buildSettingsTable),
    assumptions: forEachService(buildAssumptionsTable),
    evidence: formatTable(Object.keys(counts), [Object.values(counts).map(String)]),
    faults: formatTable(["fault", "the client receives"], FAULTS.map(describeFault)),
  };
}

/** The commands, then the options of `start`, and those that only `exec` has. */
async function formatHelp(): Promise<string> {
  const [summary = "", ...texts] = await Promise.all(["", "start", "exec"].map(help));
  const known = new Set<string>();
  const isNew = (line: string) => /^ +--(?!help)/.test(line) && !known.has(line) && known.add(line);
  const options = texts.map((text) => {
    const [usage = "", ...lines] = text.split("\n");
    return [usage, ...lines.filter(isNew)].join("\n");
  });
  return ["```text", [summary.trim(), ...options].join("\n\n"), "```"].join("\n");
}

function describeFault(kind: FaultKind): readonly string[] {
  const received = {
    reset: "nothing: the connection is reset",
    empty: "nothing: the connection is closed",
    truncate: "a part of the response; then the connection is closed",
    "bad-chunk": "a part of the response; then an invalid chunk",
    garbage: "bytes that are not HTTP",
    hang: "nothing: the connection stays open",
    "slow-close": "the whole response; the connection is closed 0.5 s later",
    dribble: "the whole response in 5 parts within 1 s",
  };
  return [formatCode(kind), received[kind]];
}

/** The document in as few lines as a review needs: operations with what they take and answer, and named shapes. */
function outline({ paths, components }: Json): string {
  const operations = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, operation]) => [
      `${method.toUpperCase()} ${path}  ${operation.operationId}  ${securityOf(operation)}`,
      ...(operation.parameters ?? []).map(
        (one: Json) => `  ${one.in} ${one.name}${one.required ? "" : "?"}: ${shapeOf(one.schema)}`,
      ),
      ...contents("body", operation.requestBody?.content ?? {}),
      ...Object.entries<Json>(operation.responses).flatMap(([status, { content = {}, headers = {} }]) => [
        `  ${[status, ...Object.keys(headers)].join(" ")}`,
        ...contents(" ", content),
      ]),
    ]),
  );
  const shapes = Object.entries<Json>(components.schemas).map(
    ([name, schema]) => `${name} = ${shapeOf(schema)}`,
  );
  return lines([...operations, "", ...shapes]);
}

/** `open`, `bearer`, or `open or guard` where only some sandboxes ask. */
function securityOf({ security }: Json): string {
  const ways = security.length === 0 ? [{}] : security;
  return ways.map((way: Json) => Object.keys(way)[0] ?? "open").join(" or ");
}

function contents(label: string, content: Json): string[] {
  return Object.entries<Json>(content).map(
    ([media, { schema }]) => `  ${label} ${media}: ${shapeOf(schema)}`,
  );
}

/** `{ name: string; dates?: date[] }` */
function shapeOf(schema: Json): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1);
  if (schema.enum !== undefined)
    return schema.enum.map((value: unknown) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (options !== undefined) return options.map(shapeOf).join(" | ");
  if (schema.type === "array") return `${shapeOf(schema.items ?? {})}[]`;
  if (schema.properties !== undefined) {
    const required: readonly string[] = schema.required ?? [];
    const fields = Object.entries<Json>(schema.properties).map(
      ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${shapeOf(field)}`,
    );
    return `{ ${fields.join("; ")} }`;
  }
  return String(schema.format ?? schema.type ?? "any");
}

function lines(list: readonly string[]): string {
  return `${list.join("\n")}\n`;
}
