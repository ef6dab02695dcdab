// A team's worker of the built package on workerd, with limits that a load does not meet; `empty`: one that does nothing.
// Prints the address, the process of the runtime, and where its memory can be looked into.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { rolldown } from "rolldown";

const [, , kind] = process.argv;
const tokens = [createHash("sha256").update("bench").digest("hex")];
const limits = { requestsPerSecond: 1_000_000, worlds: 10_000 };
const options = { teams: { "team-of-the-bench": { tokens, limits } }, clock: "2026-03-01T09:00:00Z" };
const ENTRY = `
export { VitrineTeam, VitrineWorld } from "vitrine/worker";
import { createWorker } from "vitrine/worker";
export default createWorker(${JSON.stringify(options)});
`;
const EMPTY = `
import { DurableObject } from "cloudflare:workers";
export class VitrineWorld extends DurableObject {}
export class VitrineTeam extends DurableObject {}
export default { fetch: () => new Response("nothing") };
`;

const worker = new Miniflare({
  modules: [
    { type: "ESModule", path: "worker.js", contents: kind === "empty" ? EMPTY : await bundled(ENTRY) },
  ],
  compatibilityDate: "2026-04-01",
  inspectorPort: 0,
  durableObjects: {
    WORLDS: { className: "VitrineWorld", useSQLite: true },
    TEAMS: { className: "VitrineTeam", useSQLite: true },
  },
});
const { origin } = await worker.ready;
const children = execFileSync("pgrep", ["-P", String(process.pid), "workerd"], { encoding: "utf8" });
const inspector = `${String(await worker.getInspectorURL()).replace(/\/$/, "")}/core:user:`;
console.log(JSON.stringify({ url: origin, pid: Number(children.trim().split("\n").at(-1)), inspector }));

/** One module with all that it needs. */
async function bundled(/** @type {string} */ entry) {
  const build = await rolldown({
    input: "bench:entry",
    platform: "neutral",
    external: ["cloudflare:workers"],
    resolve: {
      alias: { "vitrine/worker": fileURLToPath(new URL("../../../dist/web/worker.js", import.meta.url)) },
    },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "bench:entry" ? id : undefined),
        load: (id) => (id === "bench:entry" ? entry : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true });
  await build.close();
  return output[0].code;
}
