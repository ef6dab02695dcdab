/** What every part of a page gets: what is known, where one is, what goes on in this tab, and what can be done. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { CheckReport, StateReport } from "../sandbox/views.ts";
import type { DashboardAction } from "./action.ts";
import type { PageLocation } from "./location.ts";
import { NEWEST_COUNT, type WorldData } from "./reads.ts";

/** `blocked`: no answer in time; `lost`: no connection; `ended`: the sandbox has no such world. */
export type Connection = "live" | "waiting" | "blocked" | "lost" | "ended";

export type Toast = {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
  /** The same as commands. */
  readonly curl?: string;
  readonly test?: string;
  readonly undo?: (() => void | Promise<void>) | undefined;
  /** Where undo reverts the whole world: how it was after the action. */
  readonly after?: StateReport | undefined;
};

/** What only this tab knows. */
export type TabState = {
  readonly connection: Connection;
  /** The sandbox under another host name, to which browsers open connections of its own. */
  readonly elsewhere?: string | undefined;
  /** Where the control token is asked for and not known. */
  readonly locked: boolean;
  /** Why the token that was given is not the right one. */
  readonly refused?: string | undefined;
  readonly toasts: readonly Toast[];
  /** The next exchange that is clicked is compared with the open one. */
  readonly comparing: boolean;
  readonly paused: boolean;
  /** How many exchanges came while it was paused. */
  readonly missed: number;
  /** Why the sandbox refused the filter. */
  readonly mistake?: string | undefined;
  /** So many exchanges are drawn: what one sees, and as much again. */
  readonly rows: number;
};

export type CopyKind = "curl" | "fetch" | "test" | "rule";

export type Actions = {
  /** To another place; a change of undefined takes a part of it away. */
  go(change: Partial<PageLocation>): void;
  run(action: DashboardAction): Promise<boolean>;
  copy(what: string, text: string): void;
  copyExchange(exchange: RecordedExchange, kind: CopyKind): void;
  /** Sends the same once more, and opens what comes of it. */
  sendAgain(exchange: RecordedExchange): void;
  /** Makes a token for a user, and copies it. */
  copyToken(user: string, environment: string): void;
  /** Saves what a GET answers as a file. */
  save(path: string, name: string): void;
  check(rule: object): Promise<CheckReport>;
  unlock(token: string): void;
  dismiss(toast: number): void;
  set(change: Partial<Pick<TabState, "comparing">>): void;
  pause(): void;
  showEarlier(): void;
};

export type Cockpit = {
  readonly known: WorldData;
  readonly place: PageLocation;
  readonly tab: TabState;
  readonly act: Actions;
};

/** As the page arrives, and as it is without its script. */
export const INITIAL_TAB: TabState = {
  connection: "waiting",
  locked: false,
  toasts: [],
  comparing: false,
  paused: false,
  missed: 0,
  rows: NEWEST_COUNT,
};
