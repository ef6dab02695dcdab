/** What the client did: journal, expectations, coverage, findings, and the stream of events. */

import { noContent } from "../../operation/operation.ts";
import { eventStream } from "../event-stream.ts";
import { readMatcherQuery } from "../matcher-query.ts";
import { operation, shared } from "../operation.ts";
import {
  Capsule,
  Count,
  Coverage,
  EventStream,
  ExchangeView,
  ExpectationInput,
  Har,
  JournalQuery,
  LintFinding,
  list,
  Report,
  Verdict,
  WaitInput,
} from "../schemas.ts";

export const answers = {
  listExchanges: operation({
    method: "get",
    path: "/journal",
    summary: "List the exchanges in order of arrival",
    description:
      'Bounded to the newest 1,000; secrets are redacted. Each parameter is text, or JSON: `status=404`, `query={"page":2}`.',
    tag: "journal",
    ...shared,
    request: { query: JournalQuery },
    responses: { 200: list(ExchangeView) },
    problems: ["invalidInput"],
    handle: async ({ query, state, reply }) => reply(200, await state.journal.list(readMatcherQuery(query))),
  }),

  countExchanges: operation({
    method: "get",
    path: "/journal/count",
    summary: "Count the exchanges that match",
    tag: "journal",
    ...shared,
    request: { query: JournalQuery },
    responses: { 200: Count },
    problems: ["invalidInput"],
    handle: async ({ query, state, reply }) =>
      reply(200, { count: await state.journal.count(readMatcherQuery(query)) }),
  }),

  waitForExchange: operation({
    method: "post",
    path: "/journal/wait",
    summary: "Wait for an exchange that matches",
    description: "Also one that has ended already. `within`, in wall time, is 5 s by default.",
    tag: "journal",
    ...shared,
    request: { body: WaitInput },
    responses: { 200: ExchangeView },
    problems: ["malformedBody", "invalidInput", "timedOut", "closed"],
    rules: { body: ({ body, state }) => state.journal.unknownNames(body) },
    async handle({ body: { within, ...matcher }, state, client, reply }) {
      return reply(200, await state.journal.waitFor(matcher, { within, signal: client.signal }));
    },
    example: () => ({ body: { operation: "museum.listSpecialEvents", within: "1ms" } }),
  }),

  clearJournal: operation({
    method: "delete",
    path: "/journal",
    summary: "Empty the journal",
    tag: "journal",
    ...shared,
    responses: { 204: noContent },
    async handle({ state, reply }) {
      await state.journal.clear();
      return reply(204);
    },
  }),

  verifyExpectation: operation({
    method: "post",
    path: "/journal/verify",
    summary: "Check the journal against an expectation",
    description:
      "`times` is how often, exactly or as { min, max }; left out: at least once. `within` waits for it, in wall time.",
    tag: "journal",
    ...shared,
    request: { body: ExpectationInput },
    responses: { 200: Verdict },
    problems: ["malformedBody", "invalidInput", "closed"],
    rules: { body: ({ body, state }) => state.journal.unknownNames(body) },
    handle: async ({ body, state, client, reply }) =>
      reply(200, await state.journal.verify(body, client.signal)),
    example: () => ({ body: { operation: "museum.listSpecialEvents", times: 0 } }),
  }),

  getReport: operation({
    method: "get",
    path: "/verify",
    summary: "Report what a test left behind",
    description: "Unmatched requests, rules that never fired, requests that still wait at gates.",
    tag: "journal",
    ...shared,
    responses: { 200: Report },
    handle: async ({ state, reply }) => reply(200, await state.report()),
  }),

  getCoverage: operation({
    method: "get",
    path: "/coverage",
    summary: "Show which documented answers the clients of all worlds have met",
    tag: "journal",
    ...shared,
    responses: { 200: Coverage },
    handle: async ({ state, reply }) => reply(200, await state.coverage.data()),
  }),

  getLint: operation({
    method: "get",
    path: "/lint",
    summary: "List the lint findings about the client",
    tag: "journal",
    ...shared,
    responses: { 200: list(LintFinding) },
    handle: async ({ state, reply }) => reply(200, await state.lint()),
  }),

  getCapsule: operation({
    method: "get",
    path: "/capsule",
    summary: "Get the capsule of a failed test",
    description:
      "Scenario, requests, answers and changes as one JSON for `vitrine replay`; secrets are redacted.",
    tag: "journal",
    ...shared,
    responses: { 200: Capsule },
    async handle({ state, reply }) {
      const { journal, ...rest } = await state.capsule();
      return reply(200, { ...rest, journal });
    },
  }),

  getHar: operation({
    method: "get",
    path: "/har",
    summary: "Get the journal as an HTTP Archive",
    description: "HAR 1.2, which browsers and proxies show; secrets are redacted.",
    tag: "journal",
    ...shared,
    responses: { 200: Har },
    handle: async ({ state, reply }) => reply(200, await state.har()),
  }),

  streamEvents: operation({
    method: "get",
    path: "/events",
    summary: "Follow exchanges and mails as they come",
    description:
      "Server-sent events: `exchange` and `mail`, each with the JSON that journal and mailbox show.",
    tag: "journal",
    ...shared,
    responses: { 200: EventStream },
    handle: ({ state, reply }) => reply(200, eventStream(state)),
  }),
};
