/** The control API, assembled: a third service in the same language, over the controls of a world. */

import { z } from "zod";
import { openApiDocument } from "../operation/openapi.ts";
import type { SecurityScheme, Service } from "../operation/service.ts";
import { CONTROL } from "../request/guard.ts";
import { controlsOf } from "../sandbox/controls.ts";
import { refusing } from "./operation.ts";
import { account } from "./operations/account.ts";
import { answers } from "./operations/answers.ts";
import { clock } from "./operations/clock.ts";
import { data } from "./operations/data.ts";
import { misbehaviour } from "./operations/misbehaviour.ts";
import { worlds } from "./operations/worlds.ts";
import { problems } from "./problems.ts";
import { codec } from "./render.ts";
import { parseStrictJson } from "./strict-json.ts";

/** In the order of its document. */
export const controlOperations = { ...worlds, ...clock, ...misbehaviour, ...answers, ...data, ...account };

/**
 * Documents who may call the control API, and the refusals. The guard before all routes does the checking, since it
 * also keeps out what no operation may see.
 */
const guard: SecurityScheme = {
  problems: ["tokenRequired", "foreignCaller"],
  openapi: {
    type: "http",
    scheme: "bearer",
    description: "The control token; asked for only where the sandbox was given one.",
  },
  authenticate: () => ({ name: "control", identity: undefined }),
};

const MIB = 1_048_576;

export const control: Service = {
  name: "control",
  title: "vitrine control API",
  version: "1",
  description:
    "Steers a running sandbox. Changes need the header Content-Type: application/json, or X-Vitrine-Control: 1 when there is no body.",
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
  },
  environments: [CONTROL],
  observed: false,
  problems,
  security: { guard },
  settings: z.strictObject({}),
  collections: {},
  operations: Object.fromEntries(
    Object.entries(controlOperations).map(([key, operation]) => [key, refusing(operation)]),
  ),
  documents: { "/openapi.json": (call) => openApiDocument(call) },
  codec,
  bodies: { limitBytes: 16 * MIB, parse: parseStrictJson, empty: {} },
  state: controlsOf,
  rebase: (fixture) => fixture,
  generate: async ({ anchor }) => ({ anchor, collections: {} }),
};
