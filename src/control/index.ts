/** The control API, assembled: a third service in the same language, over the controls of a world. */

import { z } from "zod";
import { toPath } from "../operation/client.ts";
import { renderOpenApi } from "../operation/openapi.ts";
import type { AnyOperation, Example } from "../operation/operation.ts";
import type { SecurityScheme, Service } from "../operation/service.ts";
import { CONTROL } from "../pipeline/guard.ts";
import { getSandbox } from "../sandbox/binding.ts";
import { renderLlmsTxt } from "./llms.ts";
import { GUARD_PROBLEMS, problems } from "./problems.ts";
import { codec, parseStrictJson } from "./render.ts";
import { controlOperations } from "./table.ts";

/** Documents who may call. The guard before all routes does the checking, and keeps out what no operation may see. */
const guard: SecurityScheme = {
  problems: GUARD_PROBLEMS,
  openapi: {
    type: "http",
    scheme: "bearer",
    description: "The control token; asked for only where the sandbox was given one.",
  },
};

export const control: Service = {
  name: "control",
  title: "vitrine control API",
  version: "1",
  description:
    "Steers a running sandbox. `POST`, `PUT` and `PATCH` take JSON, an empty object at least; `GET` changes nothing.",
  introduction: (
    _settings,
    server,
  ) => `Steers a running sandbox: worlds, clock, scenarios and rules, data, mailbox and journal.

**First call.** Without a control token nobody is asked who they are.

\`\`\`sh
curl ${server}/state
curl ${server}/clock/advance -H 'Content-Type: application/json' -d '{"by":"24h"}'
\`\`\`

\`POST\`, \`PUT\` and \`PATCH\` take JSON, an empty object at least; \`GET\` changes nothing. What is done in one world is not
seen in another: the header \`X-Vitrine-World\` says which one a request is for.`,
  tags: {
    sandbox: "The sandbox as a whole: what it serves and how it is reset.",
    worlds: "Copies of everything, side by side; each under a prefix of its own.",
    clock: "Simulated time: read, frozen, advanced.",
    scenario: "Which requests go wrong, and how: scenarios, rules and gates.",
    data: "The entities of each environment.",
    account: "Tokens and passwords of the account's users.",
    mailbox: "The mails that the services sent.",
    journal: "What clients did: exchanges, expectations, coverage and events.",
    snapshots: "States to return to.",
    catalogue: "What there is to name: presets, operations, settings, credentials, assumptions.",
  },
  environments: [CONTROL],
  observed: false,
  problems,
  security: { guard },
  settings: z.strictObject({}),
  collections: {},
  operations: controlOperations,
  parameters: [
    {
      name: "X-Vitrine-World",
      in: "header",
      description: "The world to address, in place of `/~<world>` in the path. Default: the main one.",
      schema: { type: "string" },
    },
  ],
  samples: formatCurl,
  documents: { "/openapi.json": renderOpenApi, "/llms.txt": renderLlmsTxt },
  codec,
  bodies: { limitBytes: 16 * 1_048_576, parse: parseStrictJson, empty: {} },
  state: getSandbox,
  rebase: (fixture) => fixture,
  generate: async ({ anchor }) => ({ anchor, collections: {} }),
};

/** `curl -X POST http://localhost:4010/_vitrine/clock/advance -H 'Content-Type: application/json' -d '{"by":"24h"}'` */
export function formatCurl(server: string, operation: AnyOperation, example: Example): string {
  const { params = {}, query = {}, body } = example;
  const method = operation.method.toUpperCase();
  const words = ["curl", ...(method === "GET" ? [] : [`-X ${method}`])];
  words.push(quoteShell(server + toPath(operation, { params, query })));
  if (body !== undefined)
    words.push("-H 'Content-Type: application/json'", `-d ${quoteShell(JSON.stringify(body))}`);
  return words.join(" ");
}

function quoteShell(text: string): string {
  return /^[\w:/.~%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
