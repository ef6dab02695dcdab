/** The groups of verbs that a sandbox does by its parts: its rules and its snapshots. */

import type { LocalControls } from "./controls.ts";
import { difference } from "./difference.ts";
import type { Sandbox } from "./sandbox.ts";

export function rulesOf(core: Sandbox): LocalControls["rules"] {
  return {
    list: () => core.rules.list(),
    remove: (id) => core.rules.remove(id),
    clear: () => core.rules.clear(),
    update: (id, change) => core.updateRule(id, change),
  };
}

export function snapshotsOf(core: Sandbox): LocalControls["snapshots"] {
  return {
    list: () => core.snapshots.all(),
    diff: (id) => difference(core.snapshots.get(id), core.moment()),
    remove: (id) => core.forget(id),
    clear() {
      for (const { id } of core.snapshots.all()) core.forget(id);
    },
  };
}
