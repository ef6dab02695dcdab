/** What a sandbox is given whose place hosts one world of many in it: on Durable Objects each has an object of its own. */

import type { Commit } from "../../request/commit.ts";
import type { Access } from "../../request/guard.ts";
import type { FaultKind } from "../../rules/effect.ts";
import type { Replacement } from "../../sandbox/sandbox-state.ts";

export type Hosted = {
  /** Its name. */
  readonly world: string;
  /** What it goes on from, in place of base data and options. */
  readonly state: Replacement | undefined;
  readonly commit: Commit;
  readonly isControlToken: NonNullable<Access["isControlToken"]>;
  /** The wire faults that can be played. */
  readonly faults: readonly FaultKind[];
};
