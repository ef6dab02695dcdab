/** Collections and mails, read and written from outside. */

import { z } from "zod";
import { noContent } from "../../operation/operation.ts";
import { findEnvironment } from "../../operation/service.ts";
import type { LocalCollection, LocalControls } from "../../sandbox/controls.ts";
import { memberOf } from "../../world/nearest.ts";
import { within } from "../../world/usage-error.ts";
import { operation, shared } from "../operation.ts";
import { DataPatch, duration, Entities, list, Mail } from "../schemas.ts";

/** A whole collection may come in; its items are checked up to the first mistakes. */
const MOST_MEMBERS = 250_000;

const params = {
  service: z.string().meta({ description: "museum, account, or accountSandbox, also called sandbox." }),
  collection: z.string().meta({ description: "specialEvents, preSales, …" }),
};

export const data = {
  getData: operation({
    method: "get",
    path: "/data/{service}/{collection}",
    summary: "Read a collection",
    tag: "data",
    ...shared,
    request: { params },
    responses: { 200: Entities },
    problems: ["unknownName"],
    handle: ({ params, state, reply }) => reply(200, find(state, params).all()),
    example: () => ({ params: { service: "museum", collection: "specialEvents" } }),
  }),

  putData: operation({
    method: "put",
    path: "/data/{service}/{collection}",
    summary: "Replace a collection",
    description: "Every entity is checked; when one is wrong, nothing changes.",
    tag: "data",
    ...shared,
    request: { params, body: Entities, mostMembers: MOST_MEMBERS },
    responses: { 200: Entities },
    problems: ["malformedBody", "invalidInput", "unknownName"],
    handle({ params, body, state, reply }) {
      const collection = find(state, params);
      collection.replace(body);
      return reply(200, collection.all());
    },
    example: () => ({ params: { service: "museum", collection: "specialEvents" }, body: [] }),
  }),

  patchData: operation({
    method: "patch",
    path: "/data/{service}/{collection}",
    summary: "Add, replace and remove entities of a collection",
    description:
      "First `remove`, by key, then `upsert`. Every entity is checked; when one is wrong, nothing changes.",
    tag: "data",
    ...shared,
    request: { params, body: DataPatch, mostMembers: MOST_MEMBERS },
    responses: { 200: Entities },
    problems: ["malformedBody", "invalidInput", "unknownName"],
    handle({ params, body: { upsert = [], remove = [] }, state, reply }) {
      const collection = find(state, params);
      within("/remove", () => collection.remove(remove));
      within("/upsert", () => collection.upsert(upsert));
      return reply(200, collection.all());
    },
    example: () => ({ params: { service: "museum", collection: "specialEvents" }, body: { upsert: [] } }),
  }),

  listMails: operation({
    method: "get",
    path: "/mailbox",
    summary: "List the mails that were sent, the oldest first",
    tag: "mailbox",
    ...shared,
    request: {
      query: {
        to: z.string().optional(),
        subject: z.string().optional().meta({ description: "A part of the subject." }),
        actionUuid: z.string().optional(),
        environment: z.string().optional(),
        within: duration
          .optional()
          .meta({ description: "Waits so long, in wall time, for the first that matches." }),
      },
    },
    responses: { 200: list(Mail) },
    problems: ["invalidInput", "timedOut", "closed"],
    async handle({ query: { within, ...filter }, state, client, reply }) {
      if (within !== undefined) await state.mailbox.waitFor(filter, { within, signal: client.signal });
      return reply(200, await state.mailbox.messages(filter));
    },
  }),

  clearMails: operation({
    method: "delete",
    path: "/mailbox",
    summary: "Empty the mailbox",
    tag: "mailbox",
    ...shared,
    responses: { 204: noContent },
    async handle({ state, reply }) {
      await state.mailbox.clear();
      return reply(204);
    },
  }),
};

function find(
  { data, services }: LocalControls,
  { service, collection }: { service: string; collection: string },
): LocalCollection {
  const environments = services.flatMap((one) => one.environments);
  const collections = memberOf(data, "service", findEnvironment(environments, service)?.key ?? service);
  return memberOf(collections, `collection of ${service}`, collection);
}
