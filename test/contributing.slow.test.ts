// The recipes of CONTRIBUTING.md, carried out in a copy of the repository: what they add compiles, is formatted, passes its
// own tests, and is wherever such a thing has to be without a step that the page does not name.

import { readFile } from "node:fs/promises";
import { test as base, describe, expect } from "vitest";
import { blocksUnder, WorkingCopy } from "./support/working-copy.ts";

/** Each compiles twice, writes the manual and starts test runners. */
const SLOW = { timeout: 900_000 };
const OPERATION = "museum.refundTicket";
type Source = typeof import("../src/index.ts");
// biome-ignore lint/suspicious/noExplicitAny: a reply's body, read as it comes
type Json = any;

const page = await readFile(new URL("../.github/CONTRIBUTING.md", import.meta.url), "utf8");
const test = base.extend<{ copy: WorkingCopy }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest asks for a pattern
  copy: async ({}, use) => {
    const copy = await WorkingCopy.create();
    await use(copy);
    await copy.remove();
  },
});

async function carryOut(recipe: string, copy: WorkingCopy): Promise<void> {
  for (const block of blocksUnder(recipe, page)) await copy.apply(block);
  await copy.docs();
  expect(await copy.typeCheck()).toBe("");
  expect(await copy.lint()).toBe("");
}

/** A sandbox of the copy, from its sources. */
async function sandboxOf(copy: WorkingCopy) {
  const { createSandbox }: Source = await import(`${copy.folder}/src/index.ts`);
  return createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
}

describe("as CONTRIBUTING.md tells it,", SLOW, () => {
  test("a new operation is served, documented and covered", async ({ copy }) => {
    await carryOut("A new operation", copy);
    const tests = ["test/services/museum/refund.test.ts", "test/conformance.test.ts"];
    const ran = await copy.vitest(...tests, "-t", "a ticket for|museum.refundTicket");
    expect(ran).toMatch(/Test Files +2 passed/);
    expect(ran).toMatch(/Tests +7 passed/);

    await using sandbox = await sandboxOf(copy);
    const ticket = sandbox.data.museum.tickets.all().find(({ ticketType }) => ticketType === "general");
    const headers = sandbox.auth.basic();
    const path = `/museum/v1.1/tickets/${ticket?.ticketId}/refund`;
    const served = await sandbox.fetch(path, { method: "POST", headers });
    expect([served.status, await served.json()]).toEqual([
      200,
      { ticketId: ticket?.ticketId, ticketDate: ticket?.ticketDate },
    ]);

    const { paths }: Json = await (await sandbox.fetch("/museum/v1.1/openapi.json")).json();
    const { operationId, responses } = paths["/tickets/{ticketId}/refund"].post;
    expect([operationId, Object.keys(responses)]).toEqual([
      "refundTicket",
      expect.arrayContaining(["200", "404", "409"]),
    ]);
    const listed = sandbox.catalogue.operations().find(({ name }) => name === OPERATION);
    expect(listed?.outcomes).toContainEqual(
      expect.objectContaining({ status: 409, problem: "ticketOfEvent" }),
    );
    for (const text of ["`museum.refundTicket`", "`ticketOfEvent`"])
      expect(await copy.read("docs/operations.md")).toContain(text);
    expect(await copy.read("docs/assumptions.md")).toContain("which tickets are given back");

    const answered = sandbox.coverage.data().documented.filter(({ operation }) => operation === OPERATION);
    expect(answered).toContainEqual(expect.objectContaining({ status: 200, count: 1 }));
    expect(answered).toContainEqual(expect.objectContaining({ status: 409, count: 0 }));

    const refusal = (problem: string) => ({ rule: { when: { operation: OPERATION }, then: { problem } } });
    expect((await sandbox.check(refusal("ticketOfEvent"))).mistakes).toEqual([]);
    expect((await sandbox.check(refusal("eventNotFound"))).ok).toBe(false);
    expect(await copy.read("scenarios/schema/scenario.json")).toContain(OPERATION);
    expect(await copy.read("scenarios/every-documented-error.json")).toContain(`${OPERATION}-ticketOfEvent`);
  });

  test("a new method is served, documented and called over HTTP, and the compiler asks for each of its parts", async ({
    copy,
  }) => {
    const [line = "", ...rest] = blocksUnder("A new method", page);
    await copy.apply(line);
    const missing = await copy.typeCheck();
    expect(missing).toContain("LiveSandbox");
    expect(missing).toContain('"has no endpoint": "countMails"');
    for (const block of rest) await copy.apply(block);
    await copy.docs();
    expect(await copy.typeCheck()).toBe("");
    expect(await copy.lint()).toBe("");
    const contract = ["test/control/controls-in-process.test.ts", "test/control/controls-over-http.test.ts"];
    expect(await copy.vitest(...contract, "-t", "count the mails")).toMatch(/Tests +2 passed/);

    await using sandbox = await sandboxOf(copy);
    const control = async (path: string) => {
      const reply = await sandbox.fetch(`/_vitrine${path}`);
      return { status: reply.status, body: (await reply.json()) as Json };
    };
    expect(await control("/mailbox/count?subject=alert")).toEqual({ status: 200, body: { count: 0 } });
    expect((await control("/mailbox/count?subjekt=alert")).status).toBe(400);
    const { get } = (await control("/openapi.json")).body.paths["/mailbox/count"];
    expect(get).toMatchObject({ operationId: "countMails", "x-codeSamples": [{ lang: "Shell" }] });
    expect(get["x-codeSamples"][0].source).toContain("/_vitrine/mailbox/count?subject=Presale");
    const row = "| `GET /mailbox/count` | `countMails` | Count the mails with a subject |";
    expect(await copy.read("docs/control-api.md")).toContain(row);
  });

  test("a new setting has an effect, is documented, and is checked in scenarios", async ({ copy }) => {
    await carryOut("A new setting", copy);
    expect(await copy.vitest("test/services/museum/same-day.test.ts")).toMatch(/Tests +3 passed/);

    await using sandbox = await sandboxOf(copy);
    const setting = sandbox.catalogue.settings().find(({ name }) => name === "museum.sameDayTickets");
    expect(setting).toMatchObject({ value: "sell", default: "sell" });
    const set = (value: string) => ({
      scenario: { version: 1, settings: { museum: { sameDayTickets: value } } },
    });
    expect((await sandbox.check(set("refuse"))).mistakes).toEqual([]);
    expect((await sandbox.check(set("sometimes"))).mistakes).toEqual([
      expect.objectContaining({ message: expect.stringContaining("sameDayTickets") }),
    ]);
    expect(await copy.read("docs/settings.md")).toContain("| `sameDayTickets` |");
    expect(await copy.read("docs/assumptions.md")).toContain("| they are sold | `sameDayTickets` |");
    expect(await copy.read("scenarios/schema/scenario.json")).toContain("sameDayTickets");
  });

  test("a new effect works, is documented, and is checked in scenarios", async ({ copy }) => {
    await carryOut("A new effect of rules", copy);
    const own = ["test/rules/strip-body.test.ts", "test/scenario/wrong-files.test.ts"];
    expect(await copy.vitest(...own)).toMatch(/Test Files +2 passed/);

    await using sandbox = await sandboxOf(copy);
    const stripping = (more: object) => ({ rule: { then: { stripBody: true, ...more } } });
    expect((await sandbox.check(stripping({}))).mistakes).toEqual([]);
    expect((await sandbox.check(stripping({ fault: "reset" }))).ok).toBe(false);
    expect(await copy.read("scenarios/schema/scenario.json")).toContain("The true reply, without its body.");
  });
});
