// Bare Hono as everybody serves it: no credentials, no checks, no state. With `fixed` it sends bytes made beforehand.

import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { COLLECTION, EVENT, EVENTS, ready } from "./values.mjs";

const BASE = "/museum/v1.1/special-events";
const app = new Hono();

if (process.argv[2] === "fixed") {
  const texts = {
    one: JSON.stringify(EVENT),
    list: JSON.stringify(EVENTS),
    linked: JSON.stringify(COLLECTION),
  };
  const head = { "content-type": "application/json" };
  app.get(BASE, (context) => context.body(texts.list, 200, head));
  app.get(`${BASE}/:id`, (context) => context.body(texts.one, 200, head));
  app.get("/account/consumptions", (context) => context.body(texts.linked, 200, head));
  app.post(BASE, async (context) => {
    await context.req.text();
    return context.body(texts.one, 201, head);
  });
} else {
  app.get(BASE, (context) => context.json(EVENTS));
  app.get(`${BASE}/:id`, (context) => context.json(EVENT));
  app.get("/account/consumptions", (context) => context.json(COLLECTION));
  app.post(BASE, async (context) =>
    context.json({ eventId: EVENT.eventId, ...(await context.req.json()) }, 201),
  );
}
serve({ fetch: app.fetch, port: 0 }, ({ port }) => ready(port));
