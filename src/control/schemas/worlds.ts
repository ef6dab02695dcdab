/** Schemas of worlds, their state and their snapshots. */

import { z } from "zod";
import { count, flag, instant, list, mode, model, text, texts } from "./parts.ts";

export const ReadyView = model("Ready", { ready: z.literal(true).describe("Always true.") });

const Urls = z.record(z.string(), z.string()).meta({
  id: "Urls",
  description: "Base URL of each environment: museum, account, accountSandbox, control.",
});
export const WorldName = text("1 to 100 letters, digits, dots, dashes, underscores.");
export const WorldInput = model("WorldInput", { name: WorldName.optional() });
export const WorldSourceInput = model("WorldSource", {
  from: text("The name of the world to copy.").optional(),
  record: z
    .record(z.string(), z.unknown())
    .describe("The response of `GET /record`, from this sandbox or another.")
    .optional(),
});
/** Checks only the outer shape. `readRecord` checks format, version and digest. */
export const WorldRecordView = z
  .looseObject({ format: text("Version of the format."), id: text("The name of the world.") })
  .meta({ id: "WorldRecord", description: "`record` of `PUT /worlds/{id}`." });
export const WorldView = model("World", { id: text("The name of the world."), urls: Urls });

export const SnapshotInput = model("SnapshotInput", {
  name: z.string().min(1).max(100).describe("Name of the snapshot. Default: s1, s2, ….").optional(),
});
export const SnapshotView = model("Snapshot", { id: text("The name of the snapshot.") });

const EntityDiff = z.object({
  key: text("The key of the entity."),
  fields: texts("Names of the fields that differ."),
});
const CollectionDiff = z.object({
  added: texts("Keys of the entities that were added after the snapshot."),
  removed: texts("Keys of the entities that were removed after the snapshot."),
  changed: list(EntityDiff).describe("Entities whose fields differ."),
});
export const DifferenceView = model("StateDifference", {
  collections: z
    .record(z.string(), CollectionDiff)
    .describe("Collections that differ, by `environment/collection`."),
  clock: flag("Whether the time of the clock, or its mode, differs."),
  settings: flag("Whether a setting differs."),
  rules: flag("Whether the rules differ."),
});

const NoticeView = z.object({ key: text("Kind of problem."), message: text("Description of the problem.") });
export const StateView = model("State", {
  world: text("The name of the world."),
  clock: z.object({ now: instant("The simulated time."), mode }).describe("The clock of the world."),
  collections: z.record(z.string(), z.int()).describe("The number of entities, by `environment/collection`."),
  mails: count("The number of mails in the mailbox."),
  exchanges: count("The number of exchanges in the journal."),
  journal: text(
    "Id of the journal, only over HTTP. A new id means that the journal was cleared or replaced.",
  ).optional(),
  notices: z
    .array(NoticeView)
    .readonly()
    .meta({ description: "Problems that belong to no exchange, such as a mail that could not be sent." }),
  digest: text("SHA-256 of data, clock, settings and rules, in hex. Equal states have equal digests."),
});
