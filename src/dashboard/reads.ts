/** Data that each page needs, and the paths of the control API that return it. */

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

/** Loaded data of a world. A field is missing until a page has loaded it. */
export type WorldData = {
  readonly state?: StateReport;
  readonly worlds?: readonly WorldView[];
  readonly scenario?: CurrentScenario;
  readonly rules?: readonly RuleStatus[];
  readonly waiting?: readonly WaitingRequest[];
  readonly open?: readonly RecordedExchange[] | undefined;
  /** The newest exchanges that match the filter, and all matching open exchanges, in order of arrival. */
  readonly exchanges?: readonly RecordedExchange[] | undefined;
  /** `picked` and `other`: the exchanges whose `seq` is in the URL, for the case that `exchanges` does not contain them. */
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

/** Number of exchanges that a page reads first: a little more than a screen shows. */
export const NEWEST_COUNT = 50;
export const FIRST_COLLECTION = "museum/specialEvents";

/** Path of each kind of data in the control API. Undefined: the location does not need the data. The server uses readers.ts. */
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

/** Data that every page needs, in the order of loading. Pages load the data again after each change of the world. */
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
/** Data that never changes while the server runs. */
export const CONSTANT_NAMES: ReadonlySet<DataName> = new Set(["presets", "operations"]);

export function listDataNames(page: PageName): readonly DataName[] {
  return [...FRAME, ...BY_PAGE[page]];
}

/** Returns the page to show. Default: Start if the journal is empty, otherwise Requests. */
export function resolvePage({ page }: PageLocation, { state }: WorldData): PageName {
  return page ?? (state === undefined || state.exchanges === 0 ? "start" : "requests");
}

function exchange(seq: number | undefined): string | undefined {
  return seq === undefined ? undefined : `/journal/${seq}`;
}
