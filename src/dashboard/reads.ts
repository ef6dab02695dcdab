/**
 * What the pages show, and how it is read: each by one GET of the control API. Come here when a page needs to know something
 * more.
 */

import type { CoverageData } from "../journal/coverage.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Waiter } from "../rules/gates.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type {
  CredentialView,
  CurrentScenario,
  IssuedToken,
  LintFinding,
  OperationView,
  PresetView,
  Snapshot,
  StateReport,
  WorldView,
} from "../sandbox/views.ts";
import type { Message } from "../world/mailbox.ts";
import type { Entity } from "../world/store.ts";
import { queryOf, readFilter } from "./filter.ts";
import type { Page, PageLocation } from "./location.ts";

/** What is known of a world; what no page has asked for yet is missing. */
export type Known = {
  readonly state?: StateReport;
  readonly worlds?: readonly WorldView[];
  readonly scenario?: CurrentScenario;
  readonly rules?: readonly RuleStatus[];
  readonly waiting?: readonly Waiter[];
  readonly open?: readonly RecordedExchange[];
  /** The newest that the filter lets through, the oldest of them first. */
  readonly exchanges?: readonly RecordedExchange[];
  /** Those that the address names, where they are not among the newest. */
  readonly picked?: RecordedExchange | undefined;
  readonly other?: RecordedExchange | undefined;
  readonly credentials?: readonly CredentialView[];
  readonly operations?: readonly OperationView[];
  readonly presets?: readonly PresetView[];
  readonly tokens?: readonly IssuedToken[];
  readonly snapshots?: readonly Snapshot[];
  readonly mails?: readonly Message[];
  readonly entities?: readonly Entity[];
  readonly lint?: readonly LintFinding[];
  readonly coverage?: CoverageData;
};
export type Name = keyof Known;

/** So many of the newest exchanges are read at once: what a screen shows, and a little more. */
export const NEWEST = 50;
export const FIRST_COLLECTION = "museum/specialEvents";

/** Below the control API's address; undefined where the place asks for nothing. What a server says itself is in verbs.ts. */
export const READS: { readonly [N in Name]: (place: PageLocation) => string | undefined } = {
  state: () => "/state",
  worlds: () => "/worlds",
  scenario: () => "/scenario",
  rules: () => "/rules",
  waiting: () => "/gates",
  open: () => "/journal?open=true",
  exchanges: ({ filter = "" }) =>
    `/journal?${new URLSearchParams({ ...queryOf(readFilter(filter).matcher), limit: String(NEWEST) })}`,
  picked: ({ seq }) => exchange(seq),
  other: ({ other }) => exchange(other),
  credentials: () => "/credentials",
  operations: () => "/operations",
  presets: () => "/presets",
  tokens: () => "/tokens",
  snapshots: () => "/snapshots",
  mails: () => "/mailbox",
  entities: ({ collection = FIRST_COLLECTION }) => `/data/${collection}`,
  lint: () => "/lint",
  coverage: () => "/coverage",
};

/** Read before anything is shown, in this order, and again when something happened. */
const FRAME = ["state", "scenario", "rules", "waiting", "worlds"] as const satisfies readonly Name[];
const BY_PAGE: Readonly<Record<Page, readonly Name[]>> = {
  start: ["credentials"],
  requests: ["open", "exchanges", "picked", "other", "operations", "credentials"],
  misbehave: ["operations", "presets"],
  data: ["entities", "snapshots"],
  time: ["tokens", "open"],
  mail: ["mails"],
  client: ["lint", "coverage"],
};
/** The same as long as the server runs. */
export const CONSTANT: ReadonlySet<Name> = new Set(["presets", "operations"]);

export function namesFor(page: Page): readonly Name[] {
  return [...FRAME, ...BY_PAGE[page]];
}

/** The page that a place means: where none is named, that with the most to see. */
export function pageOf({ page }: PageLocation, { state }: Known): Page {
  return page ?? (state === undefined || state.exchanges === 0 ? "start" : "requests");
}

function exchange(seq: number | undefined): string | undefined {
  return seq === undefined ? undefined : `/journal/${seq}`;
}
