// The same fixtures, seed, clock and requests give the same bytes: in another run, over the network, after
// a reset; in another process and time zone: determinism.slow.test.ts.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../src/open/create-sandbox.ts";
import { STAGE, tell, tellOnce } from "./support/story.ts";

describe("a fixed sequence of requests", () => {
  test("covers all kinds of responses", async () => {
    const { answers, journal, mailbox } = await tellOnce();
    const statuses = new Set(answers.map(({ line }) => line.split(" ").at(-1)));
    expect([...statuses].sort()).toEqual(["200", "201", "204", "400", "401", "404", "422", "429"]);
    expect(journal.length).toBe(answers.length);
    expect(mailbox.length).toBeGreaterThan(0);
  });

  test("returns the same bytes twice", async () => {
    expect(await tellOnce()).toEqual(await tellOnce());
  });

  test("returns other ids with another seed", async () => {
    const [one, other] = await Promise.all([tellOnce(), tellOnce({ ...STAGE, seed: 8 })]);
    expect(other.answers.map(({ line }) => line.replace(/[0-9a-f-]{36}/, ""))).toEqual(
      one.answers.map(({ line }) => line.replace(/[0-9a-f-]{36}/, "")),
    );
    expect(other.answers[0]?.body).not.toBe(one.answers[0]?.body);
    expect(other.digest).not.toBe(one.digest);
  });

  test("returns the same bytes after a reset as in a fresh sandbox", async () => {
    const sandbox = await createSandbox(STAGE);
    const first = await tell(sandbox, sandbox.fetch);
    sandbox.reset();
    expect(await tell(sandbox, sandbox.fetch)).toEqual(first);
    expect(first).toEqual(await tellOnce());
    await sandbox.close();
  });

  test("returns the same over the network as in process", async () => {
    const sandbox = await createSandbox(STAGE);
    await sandbox.listen();
    const network = await tell(sandbox, fetch);
    await sandbox.close();
    const { answers, mailbox } = await tellOnce();
    // The OpenAPI document names the address at which it was asked, which has another length.
    const anywhere = (told: typeof answers) =>
      told.map(({ line, body, headers }) => {
        const isDocument = line.includes("/openapi.json");
        return isDocument
          ? {
              line,
              body: String(body).replaceAll(/http:..localhost(:\d+)?/g, ""),
              headers: { ...headers, "content-length": "" },
            }
          : { line, body, headers };
      });
    expect(anywhere(network.answers)).toEqual(anywhere(answers));
    expect(network.mailbox).toEqual(mailbox);
  });
});
