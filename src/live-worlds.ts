/** The worlds of one server as sandboxes: each core with the verbs over it. */

import type { LiveSandbox } from "./live-sandbox.ts";
import type { Server } from "./places/server.ts";
import { controlsOf, type WorldVerbs } from "./sandbox/controls.ts";
import type { Sandbox as Core } from "./sandbox/sandbox.ts";
import { UsageError } from "./world/usage-error.ts";

/** The worlds of one server: each is a sandbox. */
export type LiveWorlds = WorldVerbs<LiveSandbox>["worlds"] & {
  /** Throws a UsageError for an unknown one. */
  get(id: string): LiveSandbox;
};

/** The sandbox over a core. */
export function liveOf({ world }: Core): LiveSandbox {
  return controlsOf(world) as LiveSandbox; // nothing else binds controls to a world
}

/** The first sandbox is made before its server has all worlds. */
export function worldsOf(server: Server): LiveWorlds {
  return {
    list: () => server.worlds.list().map(liveOf),
    get(id) {
      const found = server.worlds.get(id);
      if (found === undefined) throw new UsageError("unknownWorld", server.worlds.unknown(id));
      return liveOf(found);
    },
    put: (id, source, { replace = false } = {}) => liveOf(server.worlds.put(id, source, replace)),
    remove: (id) => server.worlds.remove(id),
  };
}
