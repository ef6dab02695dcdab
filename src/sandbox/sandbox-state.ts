/** Types of the state of a sandbox. */

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

/** State that can be stored to survive a restart. Excludes the journal. */
export type StoredState = {
  readonly present: SandboxSnapshot;
  readonly start: SandboxSnapshot;
  readonly snapshots: readonly SandboxSnapshot[];
  readonly taken: number;
  readonly baseSettings: Settings;
};

export type SandboxState = StoredState & { readonly journal: JournalRecord };

/** State that replaces the current state. If `journal` is undefined, the current journal stays. */
export type Replacement = StoredState & { readonly journal?: JournalRecord | undefined };

export type SandboxParts = {
  readonly world: World;
  readonly services: readonly Service[];
  /** Complete, valid settings by service name. */
  readonly settings: Settings;
  readonly baseData: BaseData;
  /** Initial state of the sandbox. Default: the current state of `world`, with `settings`. */
  readonly state?: Replacement | undefined;
  /** Counts the responses that clients received. Default: a new counter. Forks share the counter. */
  readonly coverage?: Coverage | undefined;
  /** Connection faults, such as `reset`, that the runtime can inject. Default: all. */
  readonly faults?: readonly FaultKind[] | undefined;
  /** Limits of the journal. `room` is a memory limit that all worlds of a server share. Default of `room`: a new limit. */
  readonly journal?: Pick<JournalParts, "bodyBytes" | "room"> | undefined;
};

/** An action on the whole world. `start` redefines the start state. `replace` sets a state from another source, such as a record. */
export type WorldAction =
  | { readonly verb: "snapshot"; readonly name?: string | undefined }
  | { readonly verb: "restore" | "forget"; readonly id: string }
  | { readonly verb: "reset" | "start" | "replace" };
