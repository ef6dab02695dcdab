import { setupServer } from "msw/node";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { handlers } from "vitrine/msw";
import { test } from "vitrine/vitest";
import { createClient } from "./client";
import { stories } from "./stories";

const REAL = { museum: "https://api.museum.example/v1.1", account: "https://billing.example" };
const network = setupServer();
beforeAll(() => network.listen({ onUnhandledRequest: "error" }));
afterAll(() => network.close());

describe.for(Object.entries(stories))(`[${inject("place" as never)}] %s`, ([, story]) => {
  test("at the real address", async ({ sandbox }) => {
    network.resetHandlers(...handlers(sandbox, REAL));
    await story(createClient(REAL), sandbox);
  });
});
