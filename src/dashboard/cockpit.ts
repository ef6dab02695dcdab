/** Properties of each page component: data of the world, location, state of the browser tab, and actions. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { CheckReport, StateReport } from "../sandbox/views.ts";
import type { DashboardAction } from "./action.ts";
import type { PageLocation } from "./location.ts";
import { NEWEST_COUNT, type WorldData } from "./reads.ts";

/** `waiting`: a call is slow. `blocked`: a call timed out. `lost`: the connection failed. `ended`: the world is unknown. */
export type Connection = "live" | "waiting" | "blocked" | "lost" | "ended";

export type Toast = {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
  readonly curl?: string;
  readonly test?: string;
  readonly undo?: (() => void | Promise<void>) | undefined;
  /** State after the action, to detect later changes that Undo also reverts. Set only if Undo restores the whole world. */
  readonly after?: StateReport | undefined;
};

export type TabState = {
  readonly connection: Connection;
  /** URL of the sandbox under another host name. Browsers limit connections per host name, so a new tab can use this URL. */
  readonly elsewhere?: string | undefined;
  /** True if the page needs a control token. */
  readonly locked: boolean;
  /** Error message of the sandbox for the control token that the user entered. */
  readonly refused?: string | undefined;
  readonly toasts: readonly Toast[];
  /** True: a click on an exchange compares it with the open exchange. */
  readonly comparing: boolean;
  readonly paused: boolean;
  readonly missed: number;
  readonly mistake?: string | undefined;
  /** Number of rows to render: enough to fill the page down to half a screen below the viewport. */
  readonly rows: number;
};

export type CopyKind = "curl" | "fetch" | "test" | "rule";

export type Actions = {
  go(change: Partial<PageLocation>): void;
  run(action: DashboardAction): Promise<boolean>;
  copy(what: string, text: string): void;
  copyExchange(exchange: RecordedExchange, kind: CopyKind): void;
  /** Sends the request of an exchange again, and opens the new exchange. */
  sendAgain(exchange: RecordedExchange): void;
  copyToken(user: string, environment: string): void;
  /** Requests a path with GET and saves the response as a file. */
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

/** Initial state of a browser tab. Without JavaScript, the state never changes. */
export const INITIAL_TAB: TabState = {
  connection: "waiting",
  locked: false,
  toasts: [],
  comparing: false,
  paused: false,
  missed: 0,
  rows: NEWEST_COUNT,
};
