/** Worlds, their state and their snapshots. */

import { z } from "zod";
import { count, flag, instant, list, mode, model, text, texts } from "./parts.ts";

export const ReadyView = model("Ready", {
  ready: z.literal(true).describe("Always true: it answers."),
});

const Urls = z.record(z.string(), z.string()).meta({
  id: "Urls",
  description: "Base URL of each environment: museum, account, accountSandbox, control.",
});
export const WorldName = text("1 to 100 letters, digits, dots, dashes, underscores.");
export const WorldInput = model("WorldInput", { name: WorldName.optional() });
export const WorldSourceInput = model("WorldSource", {
  from: text("The name of the world whose state it starts with.").optional(),
  record: z
    .record(z.string(), z.unknown())
    .describe("What `GET /record` answered, here or elsewhere.")
    .optional(),
});
/** Checked against its own schema where it is read. */
export const WorldRecordView = z
  .looseObject({ format: text("Which edition of records it is."), id: text("The name of the world.") })
  .meta({ id: "WorldRecord", description: "What `PUT /worlds/{id}` takes as `record`." });
export const WorldView = model("World", { id: text("The name of the world."), urls: Urls });

export const SnapshotInput = model("SnapshotInput", {
  name: z.string().min(1).max(100).describe("What to call it; left out: s1, s2, ….").optional(),
});
export const SnapshotView = model("Snapshot", { id: text("The name of the snapshot.") });

const EntityDiff = z.object({ key: text("The key of the entity."), fields: texts("Those that differ.") });
const CollectionDiff = z.object({
  added: texts("Keys of the new entities."),
  removed: texts("Keys of the entities that are gone."),
  changed: list(EntityDiff).describe("Entities with other fields."),
});
export const DifferenceView = model("StateDifference", {
  collections: z
    .record(z.string(), CollectionDiff)
    .describe("By `environment/collection`; those that changed."),
  clock: flag("Whether the time or its mode differs."),
  settings: flag("Whether a setting differs."),
  rules: flag("Whether a rule differs."),
});

const NoticeView = z.object({ key: text("What kind of problem it is."), message: text("What went wrong.") });
export const StateView = model("State", {
  world: text("The name of the world."),
  clock: z.object({ now: instant("The simulated now."), mode }).describe("Simulated time."),
  collections: z.record(z.string(), z.int()).describe("The number of entities, by `environment/collection`."),
  mails: count("The number of mails in the mailbox."),
  exchanges: count("The number of exchanges in the journal."),
  journal: text(
    "Over HTTP, the id of the journal: another one after each reset, clear, restore and start.",
  ).optional(),
  notices: z
    .array(NoticeView)
    .readonly()
    .meta({ description: "Problems outside the exchanges, such as a mail that could not be sent." }),
  digest: text("SHA-256 of the whole state, in hex: equal for equal states."),
});
