// What the compiler refuses. These lines are checked by `npm run check`: an unused `@ts-expect-error` is an error.

import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/operation/client.ts";
import { createOperationFactory, noContent } from "../../src/operation/operation.ts";
import { defineProblems } from "../../src/operation/problem.ts";

const problems = defineProblems({
  soldOut: { status: 409, title: "Sold out.", source: "test" },
  unknownSeat: { status: 404, title: "No such seat.", source: "test" },
  closed: { status: 503, title: "Closed.", source: "test" },
});
const operation = createOperationFactory<{
  problems: typeof problems;
  state: { readonly seats: ReadonlyMap<string, number> };
  identity: { readonly user: string };
  settings: undefined;
}>();

const Seat = z.object({ seat: z.string(), price: z.number() });
const book = {
  method: "post",
  path: "/seats/{seat}",
  summary: "Book a seat",
  tag: "Seats",
  source: "test",
  security: "basic",
  request: { params: { seat: z.string() }, body: z.object({ price: z.number() }) },
  responses: { 201: Seat, 204: noContent },
  problems: ["soldOut", "unknownSeat"],
  example: () => ({ params: { seat: "A1" }, body: { price: 1 } }),
} as const;

const bookSeat = operation({
  ...book,
  handle: ({ params, body, state, reply, fail }) => {
    if (!state.seats.has(params.seat)) return fail("unknownSeat");
    return body.price === 0 ? reply(204) : reply(201, { seat: params.seat, price: body.price });
  },
});

describe("a declaration", () => {
  test("rejects a status that it does not declare", () => {
    // @ts-expect-error 200 is not declared
    operation({ ...book, handle: ({ reply }) => reply(200, { seat: "A1", price: 1 }) });
    expect(Object.keys(bookSeat.responses)).toEqual(["201", "204"]);
  });

  test("rejects a problem that it does not declare", () => {
    // @ts-expect-error the catalogue has `closed`, this operation does not
    operation({ ...book, handle: ({ fail }) => fail("closed") });
    // @ts-expect-error nobody has `soldout`
    operation({ ...book, problems: ["soldout"], handle: ({ reply }) => reply(204) });
    expect(bookSeat.problems).toEqual(["soldOut", "unknownSeat"]);
  });

  test("rejects a response body of another shape", () => {
    // @ts-expect-error price is missing
    operation({ ...book, handle: ({ reply }) => reply(201, { seat: "A1" }) });
    // @ts-expect-error a price is a number
    operation({ ...book, handle: ({ reply }) => reply(201, { seat: "A1", price: "1" }) });
    // @ts-expect-error 201 has a body
    operation({ ...book, handle: ({ reply }) => reply(201) });
    // @ts-expect-error 204 has none
    operation({ ...book, handle: ({ reply }) => reply(204, { seat: "A1", price: 1 }) });
    expect(Seat.safeParse({ seat: "A1" }).success).toBe(false);
  });

  test("gives the handler the input types of its schemas", () => {
    operation({
      ...book,
      handle: ({ params, body, identity, reply }) => {
        expectTypeOf(params).toEqualTypeOf<{ readonly seat: string }>();
        expectTypeOf(body).toEqualTypeOf<{ price: number }>();
        expectTypeOf(identity).toEqualTypeOf<{ readonly user: string }>();
        return reply(204);
      },
    });
    operation({
      ...book,
      security: "none",
      handle: ({ identity, reply }) => {
        expectTypeOf(identity).toEqualTypeOf<undefined>();
        return reply(204);
      },
    });
    expect(bookSeat.security).toBe("basic");
  });
});

describe("the typed client", () => {
  const client = createClient({ bookSeat }, async () =>
    Response.json({ seat: "A1", price: 1 }, { status: 201 }),
  );

  test("returns a union by status", async () => {
    const answer = await client.bookSeat({ params: { seat: "A1" }, body: { price: 1 } });
    expectTypeOf(answer.status).toEqualTypeOf<201 | 204 | 401 | 404 | 409>();
    if (answer.status === 201) expectTypeOf(answer.body).toEqualTypeOf<{ seat: string; price: number }>();
    if (answer.status === 204) expectTypeOf(answer.body).toEqualTypeOf<undefined>();
    if (answer.status === 409) expectTypeOf(answer.ok).toEqualTypeOf<false>();
    // @ts-expect-error 503 is not among the answers
    if (answer.status === 503) expect.unreachable();
    expect(answer).toMatchObject({ ok: true, status: 201, body: { seat: "A1", price: 1 } });
  });

  test("requires the parameters and the body of the request", async () => {
    // @ts-expect-error parameters and body are missing
    await expect(client.bookSeat()).rejects.toThrow("params.seat must be a string, not undefined.");
    // @ts-expect-error the body is missing
    await client.bookSeat({ params: { seat: "A1" } });
    // @ts-expect-error a price is a number
    await client.bookSeat({ params: { seat: "A1" }, body: { price: "1" } });
    expect(bookSeat.request.body?.safeParse({ price: "1" }).success).toBe(false);
  });
});
