// The worker as its runtime plays it: bundled with nothing left outside, with the objects of a folder that is thrown away.

import { request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { rolldown } from "rolldown";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** One module with the built package inside. */
export async function bundled(entry: string): Promise<string> {
  const build = await rolldown({
    cwd: ROOT,
    input: entry,
    platform: "neutral",
    external: ["cloudflare:workers"],
    resolve: { alias: { "vitrine/worker": `${ROOT}dist/web/worker.js` } },
    onwarn: ({ message }) => {
      throw new Error(message); // such as a module of Node, which is not there
    },
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true });
  await build.close();
  return output[0].code;
}

/** What `wrangler.jsonc` says of a worker. */
export type Setup = { readonly compatibilityDate: string; readonly worlds: string };

export function started(code: string, { compatibilityDate, worlds }: Setup): Miniflare {
  return new Miniflare({
    modules: [{ type: "ESModule", path: "worker.js", contents: code }],
    compatibilityDate,
    durableObjects: {
      WORLDS: { className: worlds, useSQLite: true },
      TEAMS: { className: "VitrineTeam", useSQLite: true },
    },
    handleRuntimeStdio: () => {}, // it also tells that an object was thrown out
  });
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
