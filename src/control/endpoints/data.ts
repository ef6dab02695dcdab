/** Endpoints that read and write collections and mails. */

import { z } from "zod";
import { getMember } from "../../errors/nearest.ts";
import { runAtPointer } from "../../errors/usage-error.ts";
import { findEnvironment } from "../../operation/service.ts";
import type { CollectionMethods, LocalSandbox } from "../../sandbox/controls.ts";
import { defineEndpoint, discard } from "../endpoint.ts";
import { duration, instant, list, model, text, texts } from "../schemas/parts.ts";

const MailView = model("Mail", {
  id: text("The number of the mail."),
  environment: text("The environment of the receiver."),
  to: text("Email address of the receiver."),
  subject: text("The subject."),
  text: text("The content as plain text."),
  html: text("The content as HTML."),
  at: instant("When it was sent."),
  actionUuid: text("The presale action that sent it."),
});

const MailFilter = {
  to: text("Email address of the receiver, in full.").optional(),
  subject: text("A part of the subject.").optional(),
  actionUuid: text("The presale action that sent it.").optional(),
  environment: text("The environment of the receiver.").optional(),
};
const MailWait = model("MailWait", {
  ...MailFilter,
  within: duration("How long to wait, in wall time. Default: 2s.").optional(),
});

const Entities = list(z.record(z.string(), z.unknown())).meta({
  id: "Entities",
  description: "Entities, also with the fields that the service never returns.",
});

const DataPatch = model("DataPatch", {
  upsert: Entities.describe("Entities to add, or to replace those with the same keys.").optional(),
  remove: texts("Keys of the entities to remove.").optional(),
});

/** Maximum number of JSON members in a body. It is high, because a body may contain a whole collection. */
const MAX_DATA_MEMBERS = 250_000;

const collectionParams = {
  service: z.string().meta({ description: "museum, account, or accountSandbox, also called sandbox." }),
  collection: z.string().meta({ description: "specialEvents, preSales, …" }),
};
const EXAMPLE = { service: "museum", collection: "specialEvents" };

export const data = {
  getData: defineEndpoint({
    route: "GET /data/{service}/{collection}",
    summary: "Read a collection",
    description: "All entities, also with the fields that the service never returns.",
    tag: "data",
    params: collectionParams,
    problems: ["unknownName"],
    answer: Entities,
    run: ({ params, sandbox }) => findCollection(sandbox, params).all(),
    methods: { "data.all": { request: (params) => ({ params }) } },
    example: () => ({ params: EXAMPLE }),
  }),

  putData: defineEndpoint({
    route: "PUT /data/{service}/{collection}",
    summary: "Replace a collection",
    description: "If one entity is invalid, nothing changes.",
    tag: "data",
    params: collectionParams,
    problems: ["unknownName"],
    body: Entities,
    mostMembers: MAX_DATA_MEMBERS,
    answer: Entities,
    run({ params, body, sandbox }) {
      const collection = findCollection(sandbox, params);
      collection.replace(body);
      return collection.all();
    },
    methods: {
      "data.replace": { request: (params, body) => ({ params, body: [body].flat() }), result: discard },
    },
    example: () => ({ params: EXAMPLE, body: [] }),
  }),

  patchData: defineEndpoint({
    route: "PATCH /data/{service}/{collection}",
    summary: "Add, replace and remove entities",
    description: "`remove` runs first, then `upsert`. If one entity is invalid, nothing changes.",
    tag: "data",
    params: collectionParams,
    problems: ["unknownName"],
    body: DataPatch,
    mostMembers: MAX_DATA_MEMBERS,
    answer: Entities,
    run({ params, body: { upsert = [], remove = [] }, sandbox }) {
      const collection = findCollection(sandbox, params);
      runAtPointer("/remove", () => collection.remove(remove));
      runAtPointer("/upsert", () => collection.upsert(upsert));
      return collection.all();
    },
    methods: {
      "data.upsert": {
        request: (params, upsert) => ({ params, body: { upsert: [upsert].flat() } }),
        result: discard,
      },
      "data.remove": {
        request: (params, remove) => ({ params, body: { remove: [remove].flat() } }),
        result: discard,
      },
    },
    example: () => ({ params: EXAMPLE, body: { upsert: [] } }),
  }),

  listMails: defineEndpoint({
    route: "GET /mailbox",
    summary: "List mails, oldest first",
    description: "A mail must match all given filters.",
    tag: "mailbox",
    query: MailFilter,
    answer: list(MailView),
    run: ({ query, sandbox }) => sandbox.mailbox.messages(query),
    methods: { "mailbox.messages": { request: (filter = {}) => ({ query: { ...filter } }) } },
  }),

  waitForMail: defineEndpoint({
    route: "POST /mailbox/wait",
    summary: "Wait for a matching mail",
    description: "Matches past mails too. `within` is in wall time. Default: 2 s.",
    tag: "mailbox",
    body: MailWait,
    answer: MailView,
    problems: ["timedOut", "closed"],
    run: ({ body: { within, ...filter }, sandbox, signal }) =>
      sandbox.mailbox.waitFor(filter, { within, signal }),
    methods: {
      "mailbox.waitFor": { request: (filter, { within } = {}) => ({ body: { ...filter, within } }) },
    },
    example: () => ({ body: { within: "1ms" } }),
  }),

  clearMails: defineEndpoint({
    route: "DELETE /mailbox",
    summary: "Empty the mailbox",
    description: "Deletes all sent mails. Nothing else changes.",
    tag: "mailbox",
    run: ({ sandbox }) => sandbox.mailbox.clear(),
    methods: { "mailbox.clear": {} },
  }),
};

function findCollection(
  { data, core: { services } }: LocalSandbox,
  { service, collection }: { service: string; collection: string },
): CollectionMethods {
  const environments = services.flatMap((each) => each.environments);
  const collections = getMember(data, "service", findEnvironment(environments, service)?.key ?? service);
  return getMember(collections, `collection of ${service}`, collection);
}
