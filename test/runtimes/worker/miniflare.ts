// The worker as its runtime plays it: bundled with nothing left outside, with objects whose storage is thrown away.

import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { Miniflare } from "miniflare";
import { rolldown } from "rolldown";
import { onTestFinished } from "vitest";
import { connect } from "../../../src/connect.ts";
import type { WorkerOptions } from "../../../src/worker.ts";
import { ROOT } from "../../support/built.ts";

export const TEAM = "team-of-the-tests";
export const OTHERS = "team-of-the-others";
export const TOKEN = "the-token-of-the-tests";
export const OTHER_TOKEN = "the-token-of-the-others";
export const HOST = "vitrine.example";

/** What stands in `wrangler.jsonc`. */
export type Setup = {
  readonly compatibility_date: string;
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
};

const SETUP: Setup = {
  compatibility_date: "2026-04-01",
  durable_objects: {
    bindings: [
      { name: "WORLDS", class_name: "World" },
      { name: "TEAMS", class_name: "Team" },
    ],
  },
};

/** Beside the entry of the tests: what its worker is created with. */
const OPTIONS_FILE = "options.js";

/** One module with the built package inside. */
export async function bundled(entry: string): Promise<string> {
  const build = await rolldown({
    cwd: ROOT,
    input: entry,
    platform: "neutral",
    external: ["cloudflare:workers", `./${OPTIONS_FILE}`],
    resolve: { alias: { "vitrine/worker": `${ROOT}/dist/web/worker.js` } },
    onwarn: ({ message }) => {
      throw new Error(message); // such as a module of Node, which is not there
    },
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true });
  await build.close();
  return output[0].code;
}

export function started(
  code: string,
  { compatibility_date, durable_objects }: Setup,
  given: object = {},
): Miniflare {
  const objects = durable_objects.bindings.map(({ name, class_name: className }) => {
    return [name, { className, useSQLite: true }] as const;
  });
  const options = Object.entries(given).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
  );
  return new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.js", contents: code },
      { type: "ESModule", path: OPTIONS_FILE, contents: options.join("\n") },
    ],
    compatibilityDate: compatibility_date,
    durableObjects: Object.fromEntries(objects),
    handleRuntimeStdio: () => {}, // it also tells that an object was thrown out
  });
}

let entry: Promise<string> | undefined;

type Running = {
  readonly port: number;
  /** The main world of the team. */
  readonly sandbox: ReturnType<typeof connect>;
  /** Behind the scenes; `query` names worlds, `world=main`. */
  behind(act: string, query: string): Promise<Answer>;
};

/** A worker with two teams, for one test. `now`: when it is, where the wall is to stand still. */
export async function runWorker(options: Partial<WorkerOptions> = {}, now?: number): Promise<Running> {
  const tokens = (token: string) => [createHash("sha256").update(token).digest("hex")];
  const teams = { [TEAM]: { tokens: tokens(TOKEN) }, [OTHERS]: { tokens: tokens(OTHER_TOKEN) } };
  const whole = { teams, ...options };
  entry ??= bundled("test/runtimes/worker/entry.mjs");
  const worker = started(await entry, SETUP, { options: whole, now: now ?? null });
  onTestFinished(() => worker.dispose());
  const { port } = await worker.ready;
  return {
    port: Number(port),
    sandbox: connect(`http://127.0.0.1:${port}/${TEAM}`, { token: TOKEN }),
    behind: (act, query) => {
      const named = query.replaceAll(/(world)=/g, `$1=${TEAM}/`);
      return asked(Number(port), HOST, `/test/${act}?${named}`);
    },
  };
}

export type Answer = {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Each byte a character. */
  readonly body: string;
};

export type Given = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

/** One request on a connection of its own, with these headers and no others. */
export function asked(
  port: number,
  host: string,
  path: string,
  { method = "GET", headers = {}, body }: Given = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: "127.0.0.1", path, method, agent: false, headers: { host, ...headers } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
        const sorted = names.sort(([one], [other]) => (one < other ? -1 : 1));
        const text = Buffer.concat(chunks).toString("latin1");
        resolve({ status: response.statusCode ?? 0, headers: sorted, body: text });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
