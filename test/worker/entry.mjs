// @ts-nocheck: it runs where no types of ours are
// The worker of the tests: one like that of a team, whose objects can be thrown out of memory, and whose wall stands still.

import { createWorker, VitrineTeam, VitrineWorld } from "vitrine/worker";
import { NOW, OPTIONS, TEAM } from "./team.mjs";

Date.now = () => NOW;

export { VitrineTeam };

export class World extends VitrineWorld {
  /** As the runtime does with an object that is idle, for which the alarm has come by then. */
  async throwOut() {
    await this.alarm();
    await this.ctx.storage.sync();
    this.ctx.abort("thrown out of memory");
  }
}

const worker = createWorker(OPTIONS);

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/throw-out") return worker.fetch(request, env);
    for (const world of ["main", "cart"]) {
      const object = env.WORLDS.get(env.WORLDS.idFromName(`${TEAM}/${world}`));
      await object.throwOut().catch(() => {}); // it cannot say that it has been
    }
    return new Response("out");
  },
};
