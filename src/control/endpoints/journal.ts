/** What the client did: journal, expectations, coverage, findings, and the stream of events. */

import { UsageError } from "../../errors/usage-error.ts";
import type { Capsule as WholeCapsule } from "../../journal/capsule.ts";
import { toMatcher } from "../../journal/read-matcher.ts";
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { assertPassed, assertVerified } from "../../journal/verify.ts";
import type { Matcher } from "../../rules/grammar.ts";
import { defineEndpoint } from "../endpoint.ts";
import { createEventStream } from "../event-stream.ts";
import { readMatcherQuery, writeMatcherQuery } from "../matcher-query.ts";
import {
  CapsuleView,
  CountView,
  CoverageView,
  EventStream,
  ExchangeView,
  ExpectationInput,
  HarView,
  IdleInput,
  JournalPageQuery,
  JournalQuery,
  LintFindingView,
  ReportView,
  VerdictView,
  WaitInput,
  wholeNumber,
} from "../schemas/journal.ts";
import { list } from "../schemas/parts.ts";

const toQuery = (matcher: Matcher | string = {}) => ({ query: writeMatcherQuery(matcher) });
const parseNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const formatNumber = (value: number | undefined) => (value === undefined ? undefined : String(value));
// Safe: exchanges have the same shape as in process.
const toExchanges = (exchanges: readonly object[]) => exchanges as readonly RecordedExchange[];
const toExchange = (exchange: object) => exchange as RecordedExchange;

export const journal = {
  listExchanges: defineEndpoint({
    route: "GET /journal",
    summary: "List the exchanges in order of arrival",
    description:
      'Those that are open, and the newest 1,000 that have ended; secrets are redacted. Each parameter is text, or JSON: `status=404`, `query={"page":2}`.',
    tag: "journal",
    query: { ...JournalQuery, ...JournalPageQuery },
    answer: list(ExchangeView),
    problems: ["journalChanged"],
    run({ query: { limit, before, journal: id, ...query }, sandbox: { journal } }) {
      const message = `The journal was cleared, reset or restored: it is ${journal.id} now.`;
      if (id !== undefined && id !== journal.id)
        throw new UsageError("journalChanged", message, { pointer: "/journal" });
      return journal.list(readMatcherQuery(query), {
        limit: parseNumber(limit),
        before: parseNumber(before),
      });
    },
    methods: {
      "journal.list": {
        request: (matcher = {}, { limit, before } = {}) => ({
          query: { ...writeMatcherQuery(matcher), limit: formatNumber(limit), before: formatNumber(before) },
        }),
        result: toExchanges,
      },
    },
  }),

  countExchanges: defineEndpoint({
    route: "GET /journal/count",
    summary: "Count the exchanges that match",
    description: "The parameters are those of the list of exchanges.",
    tag: "journal",
    query: JournalQuery,
    answer: CountView,
    run: ({ query, sandbox }) => ({ count: sandbox.journal.count(readMatcherQuery(query)) }),
    methods: { "journal.count": { request: toQuery, result: ({ count }) => count } },
  }),

  waitForExchange: defineEndpoint({
    route: "POST /journal/wait",
    summary: "Wait for an exchange that matches",
    description:
      "Also one that is there already. Left out, `state` is `ended`. `within`, in wall time, is 5 s by default.",
    tag: "journal",
    body: WaitInput,
    answer: ExchangeView,
    problems: ["timedOut", "closed"],
    check: ({ body, sandbox }) => sandbox.journal.unknownNames(body),
    run: ({ body: { within, ...matcher }, sandbox, signal }) =>
      sandbox.journal.waitFor(matcher, { within, signal }),
    methods: {
      "journal.waitFor": {
        request: (matcher, { within } = {}) => ({ body: { ...toMatcher(matcher), within } }),
        result: toExchange,
      },
    },
    example: () => ({ body: { operation: "museum.listSpecialEvents", within: "1ms" } }),
  }),

  waitUntilIdle: defineEndpoint({
    route: "POST /journal/idle",
    summary: "Wait until no exchange is open",
    description: "`within`, in wall time, is 5 s by default; then the answer names those that still are.",
    tag: "journal",
    body: IdleInput,
    problems: ["timedOut", "closed"],
    run: ({ body: { within }, sandbox, signal }) => sandbox.journal.idle({ within, signal }),
    methods: { "journal.idle": { request: ({ within } = {}) => ({ body: { within } }) } },
    example: () => ({ body: { within: "1ms" } }),
  }),

  clearJournal: defineEndpoint({
    route: "DELETE /journal",
    summary: "Empty the journal",
    description: "State and rules stay, and so do open exchanges. Without any, numbers begin at 1 again.",
    tag: "journal",
    run: ({ sandbox }) => sandbox.journal.clear(),
    methods: { "journal.clear": {} },
  }),

  verifyExpectation: defineEndpoint({
    route: "POST /journal/verify",
    summary: "Check the journal against an expectation",
    description:
      "`times` is how often, exactly or as { min, max }; left out: at least once. `within` waits for it, in wall time.",
    tag: "journal",
    body: ExpectationInput,
    answer: VerdictView,
    problems: ["closed"],
    check: ({ body, sandbox }) => sandbox.journal.unknownNames(body),
    run: ({ body, sandbox, signal }) => sandbox.journal.verify(body, signal),
    methods: {
      "journal.verify": { request: (expectation) => ({ body: toMatcher(expectation) }) },
      "journal.expect": {
        request: (expectation) => ({ body: toMatcher(expectation) }),
        result: assertVerified,
      },
    },
    example: () => ({ body: { operation: "museum.listSpecialEvents", times: 0 } }),
  }),

  // After the paths that it would match as well.
  getExchange: defineEndpoint({
    route: "GET /journal/{seq}",
    summary: "Get one exchange by its number",
    description: "As the list shows it; secrets are redacted. One that was dropped is 404.",
    tag: "journal",
    params: { seq: wholeNumber.meta({ description: "The number of the exchange." }) },
    answer: ExchangeView,
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.journal.get(Number(params.seq)),
    methods: { "journal.get": { request: (seq) => ({ params: { seq: String(seq) } }), result: toExchange } },
    example: () => ({ params: { seq: "1" } }),
  }),

  getReport: defineEndpoint({
    route: "GET /verify",
    summary: "Report what a test left behind",
    description: "Unmatched requests, rules that never fired, requests that still wait at gates.",
    tag: "journal",
    answer: ReportView,
    run: ({ sandbox }) => sandbox.report(),
    methods: { report: {}, verify: { result: assertPassed } },
  }),

  getCoverage: defineEndpoint({
    route: "GET /coverage",
    summary: "Show which documented answers the clients of all worlds have met",
    description:
      "By operation, status and media type, each with how often; what was met and is undocumented stands apart.",
    tag: "journal",
    answer: CoverageView,
    run: async ({ sandbox }) => sandbox.coverage.data(),
    methods: { "coverage.data": {} },
  }),

  getLint: defineEndpoint({
    route: "GET /lint",
    summary: "List the lint findings about the client",
    description:
      "About its traffic in the journal: each with the exchanges that show it and what to do instead.",
    tag: "journal",
    answer: list(LintFindingView),
    run: ({ sandbox }) => sandbox.lint(),
    methods: { lint: {} },
  }),

  getCapsule: defineEndpoint({
    route: "GET /capsule",
    summary: "Get the capsule of a failed test",
    description:
      "Scenario, requests, answers and changes as one JSON for `vitrine show`; secrets are redacted. The parameters select exchanges.",
    tag: "journal",
    query: JournalQuery,
    answer: CapsuleView,
    run: ({ query, sandbox }) => ({ ...sandbox.capsule(readMatcherQuery(query)) }),
    methods: {
      capsule: { request: toQuery, result: (capsule) => capsule as unknown as WholeCapsule }, // Safe: its schema describes less.
    },
  }),

  getHar: defineEndpoint({
    route: "GET /har",
    summary: "Get the journal as an HTTP Archive",
    description:
      "HAR 1.2, which browsers and proxies show; secrets are redacted. The parameters select exchanges.",
    tag: "journal",
    query: JournalQuery,
    answer: HarView,
    run: ({ query, sandbox }) => sandbox.har(readMatcherQuery(query)),
    methods: { har: { request: toQuery } },
  }),

  streamEvents: defineEndpoint({
    route: "GET /events",
    summary: "Follow exchanges and mails as they come",
    description:
      "Server-sent events: `exchange` when one arrives, waits and ends, and `mail`, each with the JSON that journal and mailbox show. `id` is that of the journal.",
    tag: "journal",
    answer: EventStream,
    run: ({ sandbox }) => createEventStream(sandbox),
    methods: {}, // for pages and terminals: a test waits with `journal.waitFor`
  }),
};
