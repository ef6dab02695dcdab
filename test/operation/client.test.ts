// What the typed client sends for its arguments, and how it reads what comes back.

import { describe, expect } from "vitest";
import { createClient, toPath } from "../../src/operation/client.ts";
import { museumOperations } from "../../src/services/museum/index.ts";
import { test } from "../support/test.ts";

describe("a path parameter", () => {
  test.for([
    ["a/b?c#d", "a%2Fb%3Fc%23d"],
    ["50%", "50%25"],
    ["../tickets", "..%2Ftickets"],
    ["è", "%C3%A8"],
  ] as const)("%j is sent as one escaped segment of the path", async ([eventId, sent], { sandbox }) => {
    const { status } = await sandbox.museum.getSpecialEvent({ params: { eventId } });
    expect(status).toBe(400);
    expect(sandbox.journal.last).toMatchObject({
      operation: "museum.getSpecialEvent",
      path: `/special-events/${sent}`,
      problem: "invalidInput",
      params: { eventId },
    });
  });
});

test("a query is escaped, and a list becomes several parameters", () => {
  const query = { startDate: "a&b=c", page: 2, limit: ["1", "x y"] };
  expect(toPath(museumOperations.listSpecialEvents, { query })).toBe(
    "/special-events?startDate=a%26b%3Dc&page=2&limit=1&limit=x+y",
  );
  expect(toPath(museumOperations.listSpecialEvents, {})).toBe("/special-events");
});

describe("a client", () => {
  type Sent = { readonly path: string; readonly init: RequestInit };
  function clientOf(answer: () => Response) {
    const sent: Sent[] = [];
    const client = createClient(museumOperations, async (path, init) => {
      sent.push({ path, init });
      return answer();
    });
    return { client, sent };
  }
  const json = (value: unknown) => Response.json(value, { status: 201 });

  test("sends a body as JSON, and headers of its caller win", async () => {
    const { client, sent } = clientOf(() => json({}));
    const body = { name: "A", location: "B", eventDescription: "C", dates: [], price: 1 };
    await client.createSpecialEvent({ body, headers: { accept: "text/html", "x-who": "ada" } });
    expect(sent).toEqual([
      {
        path: "/special-events",
        init: {
          method: "POST",
          headers: { accept: "text/html", "content-type": "application/json", "x-who": "ada" },
          body: JSON.stringify(body),
        },
      },
    ]);
  });

  test("sends no content type without a body", async () => {
    const { client, sent } = clientOf(() => json([]));
    await client.listSpecialEvents();
    expect(sent[0]?.init).toEqual({ method: "GET", headers: { accept: "application/json" } });
  });

  test.for<[type: string, answer: string | Uint8Array<ArrayBuffer> | null, body: unknown]>([
    ["application/problem+json", '{"a":1}', { a: 1 }],
    ["text/html", "<p>", "<p>"],
    ["image/png", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ["", null, undefined],
  ])("reads a body of type %j", async ([type, answer, body]) => {
    const headers = type === "" ? {} : { "content-type": type };
    const { client } = clientOf(() => new Response(answer, { headers }));
    expect((await client.listSpecialEvents()).body).toEqual(body);
  });
});
