/**
 * What the pages show, and how it is read: each by one GET of the control API, and on the server by the verb of the same
 * row. Come here when a page needs to know something more.
 */

import type { CoverageData } from "../journal/coverage.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { Waiter } from "../rules/gates.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type { LocalControls } from "../sandbox/controls.ts";
import type { StateReport } from "../sandbox/state-report.ts";
import type {
  CredentialView,
  CurrentScenario,
  IssuedToken,
  LintFinding,
  OperationView,
  PresetView,
  Snapshot,
  WorldView,
} from "../sandbox/views.ts";
import type { Message } from "../world/mailbox.ts";
import type { Entity } from "../world/store.ts";
import { queryOf, readFilter } from "./filter.ts";
import type { Page, Place } from "./place.ts";

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

type Read<T> = {
  /** Below the control API's address; undefined where the place asks for nothing. */
  readonly path: (place: Place) => string | undefined;
  /** `origin`: where the caller reached the sandbox. */
  readonly of: (
    controls: LocalControls,
    place: Place,
    origin: string,
  ) => T | undefined | Promise<T | undefined>;
};

/** So many of the newest exchanges are read at once: what a screen shows, and a little more. */
export const NEWEST = 50;
export const FIRST_COLLECTION = "museum/specialEvents";

export const READS: { readonly [N in Name]-?: Read<NonNullable<Known[N]>> } = {
  state: { path: () => "/state", of: (controls) => controls.state() },
  worlds: {
    path: () => "/worlds",
    async of({ worlds }, _place, origin) {
      return (await worlds.list()).map((world) => ({ id: world.id, urls: world.urlsAt(origin) }));
    },
  },
  scenario: { path: () => "/scenario", of: (controls) => controls.currentScenario() },
  rules: { path: () => "/rules", of: (controls) => controls.rules.list() },
  waiting: { path: () => "/gates", of: (controls) => controls.gates.waiting() },
  open: { path: () => "/journal?open=true", of: (controls) => controls.journal.open() },
  exchanges: {
    path: ({ filter = "" }) =>
      `/journal?${new URLSearchParams({ ...queryOf(readFilter(filter).matcher), limit: String(NEWEST) })}`,
    of: (controls, { filter = "" }) => controls.journal.list(readFilter(filter).matcher, { limit: NEWEST }),
  },
  picked: one("seq"),
  other: one("other"),
  credentials: { path: () => "/credentials", of: (controls) => controls.catalogue.credentials() },
  operations: { path: () => "/operations", of: (controls) => controls.catalogue.operations() },
  presets: { path: () => "/presets", of: (controls) => controls.catalogue.presets() },
  tokens: { path: () => "/tokens", of: (controls) => controls.auth.tokens() },
  snapshots: { path: () => "/snapshots", of: (controls) => controls.snapshots.list() },
  mails: { path: () => "/mailbox", of: (controls) => controls.mailbox.messages() },
  entities: {
    path: ({ collection = FIRST_COLLECTION }) => `/data/${collection}`,
    of(controls, { collection = FIRST_COLLECTION }) {
      const [environment = "", name = ""] = collection.split("/");
      return controls.data[environment]?.[name]?.all();
    },
  },
  lint: { path: () => "/lint", of: (controls) => controls.lint() },
  coverage: { path: () => "/coverage", of: (controls) => controls.coverage.data() },
};

/** Read before anything is shown, in this order, and again when something happened. */
const FRAME = ["state", "scenario", "rules", "waiting", "worlds"] as const satisfies readonly Name[];
const BY_PAGE: Readonly<Record<Page, readonly Name[]>> = {
  start: ["credentials"],
  requests: ["open", "exchanges", "picked", "other", "operations", "credentials"],
  misbehave: ["operations", "presets"],
  data: ["entities", "snapshots"],
  time: ["tokens"],
  mail: ["mails"],
  client: ["lint", "coverage"],
};
/** The same as long as the server runs. */
export const CONSTANT: ReadonlySet<Name> = new Set(["presets", "operations"]);

export function namesFor(page: Page): readonly Name[] {
  return [...FRAME, ...BY_PAGE[page]];
}

/** The page that a place means: where none is named, that with the most to see. */
export function pageOf({ page }: Place, { state }: Known): Page {
  return page ?? (state === undefined || state.exchanges === 0 ? "start" : "requests");
}

function one(name: "seq" | "other"): Read<RecordedExchange> {
  return {
    path: ({ [name]: seq }) => (seq === undefined ? undefined : `/journal/${seq}`),
    of: (controls, { [name]: seq }) =>
      seq === undefined
        ? undefined
        : controls.journal.list({ after: seq - 1 }).find((one) => one.seq === seq),
  };
}
