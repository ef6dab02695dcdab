/** Endpoints of the request journal: exchanges, expectations, coverage, lint findings and events. */

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
  ExchangeList,
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
import { list, view } from "../schemas/parts.ts";

const toQuery = (matcher: Matcher | string = {}) => ({ query: writeMatcherQuery(matcher) });
const parseNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const formatNumber = (value: number | undefined) => (value === undefined ? undefined : String(value));
// Safe cast: the response schema has the shape of `RecordedExchange`.
const toExchange = (exchange: object) => exchange as RecordedExchange;

export const journal = {
  listExchanges: defineEndpoint({
    route: "GET /journal",
    summary: "List exchanges in order of arrival",
    description:
      'All open exchanges and the newest 1,000 ended ones, with redacted secrets. Each parameter is text or JSON: `status=404`, `query={"page":2}`.',
    tag: "journal",
    query: { ...JournalQuery, ...JournalPageQuery, view },
    answer: ExchangeList,
    problems: ["journalChanged"],
    run({ query: { limit, before, journal: id, view: _view, ...query }, sandbox: { journal } }) {
      const message = `The journal was cleared, reset or restored. Its id is now ${journal.id}.`;
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
        result: (exchanges) => exchanges.map(toExchange),
      },
    },
  }),

  countExchanges: defineEndpoint({
    route: "GET /journal/count",
    summary: "Count the matching exchanges",
    description: "Takes the same parameters as the list of exchanges.",
    tag: "journal",
    query: JournalQuery,
    answer: CountView,
    run: ({ query, sandbox }) => ({ count: sandbox.journal.count(readMatcherQuery(query)) }),
    methods: { "journal.count": { request: toQuery, result: ({ count }) => count } },
  }),

  waitForExchange: defineEndpoint({
    route: "POST /journal/wait",
    summary: "Wait for a matching exchange",
    description: "Matches past exchanges too. Defaults: `state` is `ended`, and `within` is 5 s (wall time).",
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
    description: "`within` is in wall time. Default: 5 s. After it, the error lists the open exchanges.",
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
    description: "State, rules and open exchanges stay. If no exchange is open, numbers restart at 1.",
    tag: "journal",
    run: ({ sandbox }) => sandbox.journal.clear(),
    methods: { "journal.clear": {} },
  }),

  verifyExpectation: defineEndpoint({
    route: "POST /journal/verify",
    summary: "Check the number of matching exchanges",
    description: "`times` is exact, or { min, max }. Default: at least once. `within` waits, in wall time.",
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

  // Must follow the other `/journal/…` routes, because `{seq}` also matches their paths.
  getExchange: defineEndpoint({
    route: "GET /journal/{seq}",
    summary: "Get one exchange by its number",
    description: "As in the list, with redacted secrets. A dropped exchange returns 404.",
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
    summary: "Report failures and warnings of a test",
    description: "Unmatched requests, rules that never applied, requests paused at gates.",
    tag: "journal",
    answer: ReportView,
    run: ({ sandbox }) => sandbox.report(),
    methods: { report: {}, verify: { result: assertPassed } },
  }),

  getCoverage: defineEndpoint({
    route: "GET /coverage",
    summary: "Show which documented responses clients received",
    description: "Counts by operation, status and media type. Undocumented responses are listed separately.",
    tag: "journal",
    query: { view },
    answer: CoverageView,
    run: async ({ sandbox }) => sandbox.coverage.data(),
    methods: { "coverage.data": {} },
  }),

  getLint: defineEndpoint({
    route: "GET /lint",
    summary: "List common mistakes of the client",
    description: "Problems that lint rules found in the journal, each with its exchanges and advice.",
    tag: "journal",
    answer: list(LintFindingView),
    run: ({ sandbox }) => sandbox.lint(),
    methods: { lint: {} },
  }),

  getCapsule: defineEndpoint({
    route: "GET /capsule",
    summary: "Get the capsule: the recorded data of a test, as JSON",
    description:
      "Scenario, requests, responses and data changes, for `vitrine show`. Secrets are redacted. The parameters select exchanges.",
    tag: "journal",
    query: { ...JournalQuery, view },
    answer: CapsuleView,
    run: ({ query: { view: _view, ...query }, sandbox }) => ({ ...sandbox.capsule(readMatcherQuery(query)) }),
    methods: {
      capsule: { request: toQuery, result: (capsule) => capsule as unknown as WholeCapsule }, // Safe: the response is a whole capsule.
    },
  }),

  getHar: defineEndpoint({
    route: "GET /har",
    summary: "Get the journal as an HTTP Archive",
    description: "HAR 1.2 for browsers and proxies, with redacted secrets. The parameters select exchanges.",
    tag: "journal",
    query: JournalQuery,
    answer: HarView,
    run: ({ query, sandbox }) => sandbox.har(readMatcherQuery(query)),
    methods: { har: { request: toQuery } },
  }),

  streamEvents: defineEndpoint({
    route: "GET /events",
    summary: "Stream exchanges and mails (server-sent events)",
    description:
      "Server-sent events: `exchange` when one arrives, waits or ends, and `mail`. The data is the JSON of journal and mailbox; `id` is the id of the journal.",
    tag: "journal",
    answer: EventStream,
    run: ({ sandbox }) => createEventStream(sandbox),
    methods: {}, // No method: tests call `journal.waitFor` instead.
  }),
};
