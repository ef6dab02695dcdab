// Whole exchanges as they stand on the wire, each with the place of the document it shows. A file is played from top to
// bottom against a frozen, seeded sandbox and must read the same afterwards, byte for byte.

import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { type TestSandbox, test } from "../support/test.ts";

const FOLDER = import.meta.dirname;
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".http"))
  .sort();

test("there are examples of both services", () => {
  for (const service of ["museum", "account"]) expect(files.join()).toContain(service);
});

test.for(files)("%s", async (name, { sandbox }) => {
  const text = readFileSync(`${FOLDER}/${name}`, "utf8");
  const played: string[] = [];
  for (const part of text.split(/^(?=### )/m)) played.push(await play(sandbox, part, played.join("")));
  await expect(played.join("")).toMatchFileSnapshot(`${FOLDER}/${name}`);
});

/** A part: `### Source`, the request, and the reply from `HTTP/1.1` on, which is written anew. */
async function play(sandbox: TestSandbox, part: string, before: string): Promise<string> {
  const request = part.split(/^HTTP\/1\.1 /m)[0]?.trimEnd() ?? "";
  const [head = "", ...body] = request.split("\n\n");
  const [, line = "", ...fields] = head.split("\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = fields.map((field) => fill(field, before).split(/: (.*)/s, 2) as [string, string]);
  const response = await sandbox.fetch(fill(path, before), {
    method,
    headers,
    ...(body.length === 0 ? {} : { body: fill(body.join("\n\n"), before) }),
  });
  const reply = [
    `HTTP/1.1 ${response.status}`,
    ...[...response.headers].map(([key, value]) => `${key}: ${value}`),
  ];
  const text = await response.text();
  return `${[request, reply.join("\n"), ...(text === "" ? [] : [text])].join("\n\n")}\n\n`;
}

/** `{{token}}`, `{{uuid}}`: the last value that a reply above has under that name. */
function fill(text: string, before: string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const found = [...before.matchAll(new RegExp(`"${name}":"([^"]*)"`, "g"))].at(-1)?.[1];
    return found ?? expect.unreachable(`no reply above has a ${name}`);
  });
}
