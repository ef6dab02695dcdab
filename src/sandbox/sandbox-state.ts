/** What a sandbox is made of at one moment, as values. */

import type { Coverage } from "../journal/coverage.ts";
import type { JournalParts } from "../journal/journal-options.ts";
import type { JournalRecord } from "../journal/journal-record.ts";
import type { Service } from "../operation/service.ts";
import type { RulesSnapshot } from "../rules/active-rules.ts";
import type { FaultKind } from "../rules/effect.ts";
import type { World, WorldSnapshot } from "../world/world.ts";
import type { BaseData } from "./origin.ts";

export type Settings = Readonly<Record<string, unknown>>;

export type SandboxSnapshot = {
  readonly id: string;
  readonly world: WorldSnapshot;
  readonly settings: Settings;
  readonly rules: RulesSnapshot;
};

/** What outlives a process. */
export type StoredState = {
  readonly present: SandboxSnapshot;
  readonly start: SandboxSnapshot;
  readonly snapshots: readonly SandboxSnapshot[];
  readonly taken: number;
  readonly baseSettings: Settings;
};

export type SandboxState = StoredState & { readonly journal: JournalRecord };

/** What a sandbox can become; without a journal it keeps its own. */
export type Replacement = StoredState & { readonly journal?: JournalRecord | undefined };

export type SandboxParts = {
  readonly world: World;
  readonly services: readonly Service[];
  /** Service name -> its settings, complete and checked. */
  readonly settings: Settings;
  readonly baseData: BaseData;
  /** What it starts with, in place of an empty world and these settings. */
  readonly state?: Replacement | undefined;
  /** Counts the answers of this sandbox. Default: a new one. Forks share that of their origin. */
  readonly coverage?: Coverage | undefined;
  /** The wire faults that can be played where it runs. Default: all. */
  readonly faults?: readonly FaultKind[] | undefined;
  /** `room` is shared by all worlds of a server. Default: one of its own. */
  readonly journal?: Pick<JournalParts, "bodyBytes" | "room"> | undefined;
};

/** What was done to a whole world at once; `replace`: by something that has no name here. */
export type WorldAction =
  | { readonly verb: "snapshot"; readonly name?: string | undefined }
  | { readonly verb: "restore" | "forget"; readonly id: string }
  | { readonly verb: "reset" | "start" | "replace" };
