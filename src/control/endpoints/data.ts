/** Collections and mails, read and written from outside. */

import { z } from "zod";
import { memberOf } from "../../errors/nearest.ts";
import { within } from "../../errors/usage-error.ts";
import { findEnvironment } from "../../operation/service.ts";
import type { Collection, LocalControls } from "../../sandbox/controls.ts";
import { nothing, verb } from "../endpoint.ts";
import { duration, instant, list, named, text, texts } from "../schemas/parts.ts";

export const Mail = named("Mail", {
  id: text("The number of the mail."),
  environment: text("The environment whose user it is for."),
  to: text("The address of the receiver."),
  subject: text("The subject."),
  text: text("The content as plain text."),
  html: text("The content as HTML."),
  at: instant("When it was sent."),
  actionUuid: text("The presale action that sent it."),
});

export const MailFilter = {
  to: text("The whole address of the receiver.").optional(),
  subject: text("A part of the subject.").optional(),
  actionUuid: text("The presale action that sent it.").optional(),
  environment: text("The environment whose user it is for.").optional(),
};
export const MailWait = named("MailWait", {
  ...MailFilter,
  within: duration("How long to wait, in wall time; default 2s.").optional(),
});

export const Entities = list(z.record(z.string(), z.unknown())).meta({
  id: "Entities",
  description: "Entities with the fields that they have inside the sandbox.",
});

export const DataPatch = named("DataPatch", {
  upsert: Entities.describe("Entities to add, or to replace those with the same keys.").optional(),
  remove: texts("Keys of the entities to remove.").optional(),
});

/** A whole collection may come in; its items are checked up to the first mistakes. */
const MOST_MEMBERS = 250_000;

/** Which collection. */
const at = {
  service: z.string().meta({ description: "museum, account, or accountSandbox, also called sandbox." }),
  collection: z.string().meta({ description: "specialEvents, preSales, …" }),
};
const EXAMPLE = { service: "museum", collection: "specialEvents" };

export const data = {
  getData: verb({
    route: "GET /data/{service}/{collection}",
    summary: "Read a collection",
    description: "All its entities, with the fields that they have inside the sandbox.",
    tag: "data",
    params: at,
    problems: ["unknownName"],
    answer: Entities,
    run: ({ params, sandbox }) => find(sandbox, params).all(),
    verbs: { "data.all": { request: (params) => ({ params }) } },
    example: () => ({ params: EXAMPLE }),
  }),

  putData: verb({
    route: "PUT /data/{service}/{collection}",
    summary: "Replace a collection",
    description: "Every entity is checked; when one is wrong, nothing changes.",
    tag: "data",
    params: at,
    problems: ["unknownName"],
    body: Entities,
    mostMembers: MOST_MEMBERS,
    answer: Entities,
    run({ params, body, sandbox }) {
      const collection = find(sandbox, params);
      collection.replace(body);
      return collection.all();
    },
    verbs: {
      "data.replace": { request: (params, entities) => ({ params, body: entities }), result: nothing },
    },
    example: () => ({ params: EXAMPLE, body: [] }),
  }),

  patchData: verb({
    route: "PATCH /data/{service}/{collection}",
    summary: "Add, replace and remove entities of a collection",
    description:
      "First `remove`, by key, then `upsert`. Every entity is checked; when one is wrong, nothing changes.",
    tag: "data",
    params: at,
    problems: ["unknownName"],
    body: DataPatch,
    mostMembers: MOST_MEMBERS,
    answer: Entities,
    run({ params, body: { upsert = [], remove = [] }, sandbox }) {
      const collection = find(sandbox, params);
      within("/remove", () => collection.remove(remove));
      within("/upsert", () => collection.upsert(upsert));
      return collection.all();
    },
    verbs: {
      "data.upsert": { request: (params, upsert) => ({ params, body: { upsert } }), result: nothing },
      "data.remove": { request: (params, remove) => ({ params, body: { remove } }), result: nothing },
    },
    example: () => ({ params: EXAMPLE, body: { upsert: [] } }),
  }),

  listMails: verb({
    route: "GET /mailbox",
    summary: "List the mails that were sent, the oldest first",
    description: "A filter is left out or must match; all that are given must.",
    tag: "mailbox",
    query: MailFilter,
    answer: list(Mail),
    run: ({ query, sandbox }) => sandbox.mailbox.messages(query),
    verbs: { "mailbox.messages": { request: (filter = {}) => ({ query: { ...filter } }) } },
  }),

  waitForMail: verb({
    route: "POST /mailbox/wait",
    summary: "Wait for a mail that matches",
    description: "Also one that was sent already. `within`, in wall time, is 2 s by default.",
    tag: "mailbox",
    body: MailWait,
    answer: Mail,
    problems: ["timedOut", "closed"],
    run: ({ body: { within, ...filter }, sandbox, signal }) =>
      sandbox.mailbox.waitFor(filter, { within, signal }),
    verbs: {
      "mailbox.waitFor": { request: (filter, { within } = {}) => ({ body: { ...filter, within } }) },
    },
    example: () => ({ body: { within: "1ms" } }),
  }),

  clearMails: verb({
    route: "DELETE /mailbox",
    summary: "Empty the mailbox",
    description: "Mails that were sent are forgotten; nothing else changes.",
    tag: "mailbox",
    run: ({ sandbox }) => sandbox.mailbox.clear(),
    verbs: { "mailbox.clear": {} },
  }),
};

function find(
  { data, core: { services } }: LocalControls,
  { service, collection }: { service: string; collection: string },
): Collection {
  const environments = services.flatMap((one) => one.environments);
  const collections = memberOf(data, "service", findEnvironment(environments, service)?.key ?? service);
  return memberOf(collections, `collection of ${service}`, collection);
}
