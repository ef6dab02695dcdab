/** What the pages show, and the GET of the control API that reads each. */

import type { CoverageData } from "../journal/coverage.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { WaitingRequest } from "../rules/gates.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type {
  CredentialView,
  CurrentScenario,
  IssuedTokenView,
  LintView,
  OperationView,
  PresetView,
  Snapshot,
  StateReport,
  WorldView,
} from "../sandbox/views.ts";
import type { Message } from "../world/mailbox.ts";
import type { Entity } from "../world/store.ts";
import { parseFilter, toJournalQuery } from "./filter.ts";
import type { PageLocation, PageName } from "./location.ts";

/** What is known of a world; what no page has asked for yet is missing. */
export type WorldData = {
  readonly state?: StateReport;
  readonly worlds?: readonly WorldView[];
  readonly scenario?: CurrentScenario;
  readonly rules?: readonly RuleStatus[];
  readonly waiting?: readonly WaitingRequest[];
  readonly open?: readonly RecordedExchange[] | undefined;
  /** The newest that the filter lets through, the oldest of them first; with all open ones. */
  readonly exchanges?: readonly RecordedExchange[] | undefined;
  /** Those that the address names, where they are not among the newest. */
  readonly picked?: RecordedExchange | undefined;
  readonly other?: RecordedExchange | undefined;
  readonly credentials?: readonly CredentialView[];
  readonly operations?: readonly OperationView[];
  readonly presets?: readonly PresetView[];
  readonly tokens?: readonly IssuedTokenView[];
  readonly snapshots?: readonly Snapshot[];
  readonly mails?: readonly Message[];
  readonly entities?: readonly Entity[];
  readonly lint?: readonly LintView[];
  readonly coverage?: CoverageData;
};
export type DataName = keyof WorldData;

/** So many of the newest exchanges are read at once: what a screen shows, and a little more. */
export const NEWEST_COUNT = 50;
export const FIRST_COLLECTION = "museum/specialEvents";

/** Below the control API's address; undefined where the place asks for nothing. The server's own readers are in readers.ts. */
export const READ_PATHS: { readonly [N in DataName]: (place: PageLocation) => string | undefined } = {
  state: () => "/state",
  worlds: () => "/worlds",
  scenario: () => "/scenario",
  rules: () => "/rules",
  waiting: () => "/gates",
  open: () => "/journal?state=open",
  exchanges: ({ filter = "" }) =>
    `/journal?${new URLSearchParams({ ...toJournalQuery(parseFilter(filter).matcher), limit: String(NEWEST_COUNT) })}`,
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
const FRAME = ["state", "scenario", "rules", "waiting", "worlds"] as const satisfies readonly DataName[];
const BY_PAGE: Readonly<Record<PageName, readonly DataName[]>> = {
  start: ["credentials"],
  requests: ["exchanges", "picked", "other", "operations", "credentials"],
  misbehave: ["operations", "presets"],
  data: ["entities", "snapshots"],
  time: ["tokens", "open"],
  mail: ["mails"],
  client: ["lint", "coverage"],
};
/** The same as long as the server runs. */
export const CONSTANT_NAMES: ReadonlySet<DataName> = new Set(["presets", "operations"]);

export function listDataNames(page: PageName): readonly DataName[] {
  return [...FRAME, ...BY_PAGE[page]];
}

/** The page that a place means: where none is named, that with the most to see. */
export function resolvePage({ page }: PageLocation, { state }: WorldData): PageName {
  return page ?? (state === undefined || state.exchanges === 0 ? "start" : "requests");
}

function exchange(seq: number | undefined): string | undefined {
  return seq === undefined ? undefined : `/journal/${seq}`;
}
