/** Entities and mails. */

import { z } from "zod";
import { duration, instant, list, named, text, texts } from "./parts.ts";

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
