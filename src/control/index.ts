/** Declares the control API as a `Service`. Its operations call the methods of a sandbox. */

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

/** Describes the control token in the OpenAPI document. The pipeline checks the token before it selects a route. */
const guard: SecurityScheme = {
  problems: GUARD_PROBLEMS,
  openapi: {
    type: "http",
    scheme: "bearer",
    description: "The control token. Required only if the sandbox has one.",
  },
};

export const control: Service = {
  name: "control",
  title: "vitrine control API",
  version: "1",
  description:
    "Controls a running sandbox. `POST`, `PUT` and `PATCH` take a JSON object, which may be empty. `GET` changes nothing.",
  introduction: (
    _settings,
    server,
  ) => `Controls a running sandbox: worlds, clock, scenarios and rules, data, mailbox and journal.

**First call.** Credentials are required only if the sandbox has a control token.

\`\`\`sh
curl ${server}/state
curl ${server}/clock/advance -H 'Content-Type: application/json' -d '{"by":"24h"}'
\`\`\`

\`POST\`, \`PUT\` and \`PATCH\` take a JSON object, which may be empty. \`GET\` changes nothing. Worlds are isolated from each
other: the header \`X-Vitrine-World\` selects one.`,
  tags: {
    sandbox: "The sandbox as a whole: readiness, state and reset.",
    worlds: "Isolated copies of the sandbox's state, each under its own URL prefix.",
    clock: "Simulated time: read, freeze and advance it.",
    scenario: "Simulated errors and delays: scenarios, rules and gates.",
    data: "The entities of each environment.",
    account: "Tokens and passwords of the account's users.",
    mailbox: "Mails that the services sent.",
    journal: "Recorded traffic: exchanges, expectations, coverage and events.",
    snapshots: "Saved states that you can restore.",
    catalogue:
      "Names for rules, scenarios and logins: presets, operations, settings, credentials, assumptions.",
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
      description: "Name of the world, as an alternative to `/~<world>` in the path. Default: `main`.",
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

/** Formats a shell command: `curl -X POST http://localhost:4010/_vitrine/reset -H 'Content-Type: …' -d '{}'`. */
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
