// @ts-nocheck: it runs where no types of ours are
// The worker of the tests: like that of a team, with a door of its own. Behind it are the objects as only their runtime
// sees them: what they store, and how they are thrown out of memory. Time can be moved, too.

import { createWorker, VitrineTeam, VitrineWorld } from "vitrine/worker";
import { now, options } from "./options.js";

const wall = Date.now;
let later = 0;
Date.now = () => (now ?? wall()) + later;

const looking = (Base) =>
  class extends Base {
    /** All that is stored, and whether something is to wake the object. */
    async stored() {
      const { sql } = this.ctx.storage;
      const tables = [
        ...sql.exec(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
        ),
      ];
      const rows = tables.map(({ name }) => [name, [...sql.exec(`SELECT * FROM ${name}`)]]);
      return { rows: Object.fromEntries(rows), alarm: (await this.ctx.storage.getAlarm()) !== null };
    }

    edit(from, to) {
      this.ctx.storage.sql.exec("UPDATE state SET text = replace(text, ?, ?)", from, to);
    }

    wake() {
      return this.alarm();
    }

    /** As the runtime does with an object that is idle, for which the alarm has come by then. */
    async throwOut() {
      await this.alarm();
      await this.ctx.storage.sync();
      this.ctx.abort("thrown out of memory");
    }
  };

export const World = looking(VitrineWorld);
export const Team = looking(VitrineTeam);

const worker = createWorker(options);

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const [, door, act] = pathname.split("/");
    if (door !== "test") return worker.fetch(request, env);
    const objects = searchParams.getAll("world").map((name) => env.WORLDS.get(env.WORLDS.idFromName(name)));
    if (act === "later") later += Number(searchParams.get("ms"));
    const [from, to] = [searchParams.get("from"), searchParams.get("to")];
    if (act === "edit") for (const object of objects) await object.edit(from, to);
    if (act === "alarm") for (const object of objects) await object.wake();
    if (act === "throw-out") for (const object of objects) await object.throwOut().catch(() => {}); // it cannot say so
    if (act !== "stored") return new Response(null, { status: 204 });
    const teams = searchParams.getAll("team").map((name) => env.TEAMS.get(env.TEAMS.idFromName(name)));
    return Response.json(await Promise.all([...objects, ...teams].map((object) => object.stored())));
  },
};
