// What a document says first: calls that work as they are written, and words that follow the settings.

import { describe, expect } from "vitest";
import { frozenSandbox, test } from "../support/test.ts";

// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing field fails by itself
type Json = any;
type Settings = Readonly<Record<string, object>>;

const GUIDE = { museum: { credentials: [{ user: "guide", password: "lamp" }] } };

test.for<[string, Settings, number]>([
  ["/museum/v1.1", {}, 1],
  ["/museum/v1.1", GUIDE, 1],
  ["/account", {}, 2],
  ["/account-sandbox", {}, 2],
  ["/_vitrine", {}, 2],
])("the example calls in the document of %s with the settings %o succeed", async ([base, settings, most]) => {
  await using sandbox = await frozenSandbox({ settings });
  const document: Json = await (await sandbox.fetch(`${base}/openapi.json`)).json();
  const [, code = ""] = /```sh\n(.*?)\n```/s.exec(document.info.description) ?? [];
  const calls = code.replaceAll("\\\n", "").split("\n");
  expect(calls).toHaveLength(most);
  let token = "";
  for (const call of calls) {
    const written = call.replace("<password>", "lamp").replace("<token>", token);
    const [, url = ""] = /(http\S+)/.exec(written) ?? [];
    const [, body] = /-d '(.*)'/.exec(written) ?? [];
    const [, pair] = /-u '?([^ ']*)'?/.exec(written) ?? [];
    const headers = Object.fromEntries(
      [...written.matchAll(/-H '(.*?): (.*?)'/g)].map(([, name = "", value = ""]) => [name, value]),
    );
    if (pair !== undefined) headers["Authorization"] = `Basic ${btoa(pair)}`;
    const answer = await sandbox.fetch(url, {
      headers,
      ...(body === undefined ? {} : { method: "POST", body }),
    });
    expect(answer.status, written).toBe(200);
    ({ token = "" } = (await answer.json()) as Json);
  }
});

test("an event created from the example of the document is in the list", async ({ sandbox }) => {
  const document: Json = await (await sandbox.fetch("/museum/v1.1/openapi.json")).json();
  const body = document.paths["/special-events"].post.requestBody.content["application/json"].example;
  await sandbox.museum.createSpecialEvent({ body });
  const { body: events } = await sandbox.museum.listSpecialEvents({ query: { limit: 30 } });
  expect(events).toContainEqual(expect.objectContaining(body));
});

test.for([
  ["/museum/v1.1", "/special-events"],
  ["/account", "/login"],
] as const)(
  "a client can request each problem as the document of %s explains",
  async ([base, path], { sandbox }) => {
    const document: Json = await (await sandbox.fetch(`${base}/openapi.json`)).json();
    expect(document.info.description).toContain("`Prefer: problem=<key>`");
    const { requestBody, responses } = document.paths[path].post;
    const body = JSON.stringify(requestBody.content["application/json"].example);
    const listed = Object.entries<Json>(responses).flatMap(([status, { description }]) =>
      [...description.matchAll(/^- `(\w+)`/gm)].map(([, key]) => [key, Number(status)] as const),
    );
    expect(listed.length).toBeGreaterThan(3);
    for (const [key, status] of listed) {
      const asking = { ...sandbox.auth.basic(), prefer: `problem=${key}` };
      const headers = { ...asking, "content-type": "application/json" };
      const answer = await sandbox.fetch(base + path, { method: "POST", headers, body });
      expect([key, answer.status]).toEqual([key, status]);
    }
  },
);

test("the account document describes each problem by its cause, not by its HTTP phrase", async ({
  sandbox,
}) => {
  const { paths }: Json = await (await sandbox.fetch("/account/openapi.json")).json();
  const told = Object.values<Json>(paths)
    .flatMap((path) => Object.values<Json>(path))
    .flatMap(({ responses }) => Object.values<Json>(responses))
    .flatMap(({ description }) => description.split("\n"));
  const phrases = /: (An error occurred|Not Found|Bad Request|Syntax error|Not Acceptable|Access Denied\.)$/;
  expect(told.filter((line) => phrases.test(line))).toEqual([]);
});

describe("the descriptions in the account document", () => {
  const told = async (account: object) => {
    await using sandbox = await frozenSandbox({ settings: { account } });
    return (await sandbox.fetch("/account/openapi.json")).text();
  };

  test("of a second login depend on the settings", async () => {
    expect(await told({})).toContain("An earlier login is 429");
    expect(await told({ login: { status: 403 } })).toContain("An earlier login is 403");
    for (const onRepeat of ["allow", "same-token"])
      expect(await told({ login: { onRepeat } })).not.toContain("An earlier login is");
  });

  test("of problems that never occur depend on the settings", async () => {
    const never = (key: string) => `\`${key}\`: Only if a rule simulates it`;
    expect(await told({})).toContain(never("invalidFilter"));
    expect(await told({ badFilter: "refuse" })).not.toContain(never("invalidFilter"));
    expect(await told({})).not.toContain(never("invalidPage"));
    expect(await told({ badPage: "first" })).toContain(never("invalidPage"));
    expect(await told({ login: { onRepeat: "allow" } })).toContain(never("loginThrottled"));
  });

  test("of fields with a wrong type depend on the settings", async () => {
    expect(await told({})).toMatch(/400: .* the wrong type.*malformedBody`: .* wrong JSON type/s);
    expect(await told({ typeErrors: 422 })).not.toMatch(/wrong (JSON )?type/);
  });
});
