/** Declares the museum special events service. Document: museum-special-events, interface version 1.1.1. */

import { renderOpenApi } from "../../operation/openapi.ts";
import type { CollectionDefinition, Service } from "../../operation/service.ts";
import type { Entity } from "../../world/store.ts";
import { assumptions } from "./assumptions.ts";
import {
  createSpecialEvent,
  deleteSpecialEvent,
  getSpecialEvent,
  listSpecialEvents,
  updateSpecialEvent,
} from "./operations/special-events.ts";
import { buyMuseumTickets, getMuseumHours, getTicketCode } from "./operations/tickets.ts";
import { probes } from "./probes.ts";
import { buildMuseumProblems, problems } from "./problems.ts";
import { buildProblemForms, codec } from "./render.ts";
import { MuseumSettings, SpecialEvent, StoredTicket } from "./schemas.ts";
import { basic } from "./security.ts";
import { generate, rebase } from "./seed.ts";
import { createMuseumState } from "./state.ts";

function buildMuseumIntro(settings: MuseumSettings, server: string): string {
  const { credentials, validationStatus, errorDetail } = settings;
  const [known] = credentials ?? [];
  const pair = credentials === undefined ? ":" : `'${known?.user ?? "<username>"}:<password>'`;
  const accepted =
    credentials === undefined
      ? "Any well-formed pair is accepted, even an empty one: `curl -u :`."
      : `Known users: ${credentials.map(({ user }) => `\`${user}\``).join(", ")}.`;
  return `Special events hosted by the museum; opening hours and tickets as a preview.

**First call.** Every operation requires HTTP Basic credentials. ${accepted}

\`\`\`sh
curl -u ${pair} ${server}/special-events
\`\`\`

**Dates** are calendar dates such as \`2026-03-31\`. Today is the date of the sandbox's clock in UTC. **Prices** are
numbers without currency. **Lists** are plain arrays. A page past the end is empty.

**Errors** are \`application/problem+json\` with \`type\`, a stable URI, and \`title\`, a sentence with every invalid field
and its rule${errorDetail ? ", and with `status`, `detail` and `errors`" : ""}. Invalid input is ${validationStatus}. An unknown path is 404;
another method on a known path is 405, with \`Allow\`. \`Location\` of a new event is a path, not a full URL.`;
}

const previewOperations = { getMuseumHours, buyMuseumTickets, getTicketCode };
/** Operations in the order of the document. The header `Allow`, the OpenAPI document and the manual's tables have the same order. */
export const museumOperations = {
  createSpecialEvent,
  listSpecialEvents,
  getSpecialEvent,
  updateSpecialEvent,
  deleteSpecialEvent,
  ...previewOperations,
};

export const museumCollections = {
  specialEvents: { schema: SpecialEvent, key: ({ eventId }: Entity) => String(eventId).toLowerCase() },
  tickets: { schema: StoredTicket, key: ({ ticketId }: Entity) => String(ticketId).toLowerCase() },
} satisfies Readonly<Record<string, CollectionDefinition>>;

export const museum: Service = {
  name: "museum",
  title: "Museum special events",
  version: "1.1.1",
  description: "Special events hosted by the museum; opening hours and tickets as a preview.",
  introduction: buildMuseumIntro,
  tags: {
    Events: "Plan, find, change and cancel special events of the museum.",
    Operations: "Opening hours of the museum.",
    Tickets: "Tickets for general entry and special events, with QR codes for the door.",
  },
  environments: [{ key: "museum", name: "production", base: "/museum/v1.1", ownBase: "/v1.1" }],
  observed: true,
  problems,
  security: { basic },
  settings: MuseumSettings,
  collections: museumCollections,
  operations: museumOperations,
  documents: { "/openapi.json": renderOpenApi },
  codec,
  assumptions,
  probes,
  // Safe casts: the sandbox passes validated settings of this service.
  switched: {
    operations: new Set(Object.values(previewOperations)),
    isOn: (settings) => (settings as MuseumSettings).preview,
  },
  answersUnder(settings) {
    const own = settings as MuseumSettings;
    return { problems: buildMuseumProblems(own), codec: { ...codec, problemForms: buildProblemForms(own) } };
  },
  state: createMuseumState,
  callers: (_world, _environment, settings) =>
    (settings as MuseumSettings).credentials?.map(({ user }) => user),
  rebase,
  generate,
};
