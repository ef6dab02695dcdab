// Owns the shapes of the control API's bodies.

import { z } from "zod";

export const Ready = z.object({ ready: z.literal(true), world: z.string() }).meta({ id: "Ready" });

const Urls = z
  .record(z.string(), z.string())
  .meta({
    id: "Urls",
    description: "Base URL of each environment: museum, account, accountSandbox, control.",
  });
export const WorldName = z
  .string()
  .meta({ description: "1 to 100 letters, digits, dots, dashes, underscores." });
export const WorldInput = z.object({ name: WorldName.optional() }).meta({ id: "WorldInput" });
export const WorldView = z.object({ id: z.string(), urls: Urls }).meta({ id: "World" });

export const instant = z.string().meta({ description: "ISO 8601 in UTC: 2026-03-01T09:00:00Z." });
export const duration = z.string().meta({ description: "A duration: 500ms, 30s, 15m, 24h, 3d." });
const mode = z.enum(["frozen", "ticking"]);
export const ClockView = z.object({ at: instant, mode }).meta({ id: "Clock" });
export const ClockInput = z
  .object({ at: instant.optional(), mode: mode.optional() })
  .meta({ id: "ClockInput", description: "`at` left out: now; `mode` left out: as it is." });
export const AdvanceInput = z.object({ by: duration }).meta({ id: "AdvanceInput" });

export const SnapshotInput = z
  .object({ name: z.string().min(1).max(100).optional() })
  .meta({ id: "SnapshotInput" });
export const SnapshotView = z.object({ id: z.string() }).meta({ id: "Snapshot" });

export const Mail = z
  .object({
    id: z.string(),
    environment: z.string(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    at: instant,
    actionUuid: z.string(),
  })
  .meta({ id: "Mail" });

export const Entities = z.array(z.record(z.string(), z.unknown())).meta({ id: "Entities" });

export const State = z
  .object({
    world: z.string(),
    clock: z.object({ now: instant, mode }),
    collections: z.record(z.string(), z.int()),
    mails: z.int(),
    exchanges: z.int(),
    digest: z.string(),
  })
  .meta({ id: "State" });

/** Server-sent events. */
export const EventStream = z.instanceof(ReadableStream).meta({ wire: { type: "string" } });
