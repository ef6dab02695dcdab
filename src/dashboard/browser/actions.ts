/** What can be done on the page: navigation, actions with undo, copies and files. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { CheckReport } from "../../sandbox/views.ts";
import { type DashboardAction, formatActionCurl } from "../action.ts";
import type { Actions, CopyKind, Toast } from "../cockpit.ts";
import { buildControlPath, buildHref, type PageLocation, parseLocation } from "../location.ts";
import { toCurl, toFetchCall, toFetchCode, toReplayRule, toTestCode } from "../samples.ts";
import type { Api } from "./api.ts";
import type { Focus } from "./focus.ts";
import type { DataPoller } from "./poller.ts";
import type { PageStore } from "./store.ts";

/** How long one may undo, and read. */
const UNDO_TOAST_MS = 15_000;
const TOAST_MS = 6_000;
const MAX_TOASTS = 3;
const TYPING_MS = 150;

export type ActionOptions = {
  readonly store: PageStore;
  readonly api: Api;
  readonly follow: DataPoller;
  readonly focus: Focus;
  /** Keeps the control token for this tab. */
  readonly keepToken: (token: string) => void;
};

export function createActions({ store, api, follow, focus, keepToken }: ActionOptions): Actions {
  let toasts = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;

  function dismiss(id: number): void {
    store.note({ toasts: store.tab.toasts.filter((one) => one.id !== id) });
  }

  function say(toast: Omit<Toast, "id">): void {
    toasts += 1;
    const id = toasts;
    const others = store.tab.toasts.filter((one) => one.undo !== undefined || toast.kind === "failed");
    store.note({ toasts: [...others, { ...toast, id }].slice(-MAX_TOASTS) });
    setTimeout(() => dismiss(id), toast.undo === undefined ? TOAST_MS : UNDO_TOAST_MS);
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      say({ kind: "failed", text: messageOf(error) });
      return false;
    }
  }

  async function run(action: DashboardAction): Promise<boolean> {
    const { place } = store;
    const world = /^DELETE \/worlds\/(.+)$/.exec(action.route)?.[1];
    // A world that is ended cannot answer that it is.
    const base = buildControlPath(world === undefined ? place : { ...place, world: "main" });
    return attempt(async () => {
      const about = world ?? place.world;
      const undone = await wayBack(action, about);
      const answer = await api.change(action.route, action.body, base);
      say({
        kind: "done",
        text: action.done,
        curl: formatActionCurl(action, location.origin + base),
        test: action.test,
        ...(undone === undefined ? {} : { undo: undone }),
      });
      if (action.route === "POST /worlds") return go(elsewhere((answer as { readonly id: string }).id)); // as its row answers
      if (world === place.world) return go(elsewhere("main"));
      await follow.refresh();
    });
  }

  /** Taken before the action: how the world is brought back. */
  async function wayBack({ undo }: DashboardAction, world: string): Promise<(() => void) | undefined> {
    if (undo === undefined) return undefined;
    const { place } = store;
    const at = buildControlPath({ mount: place.mount, world });
    if (undo !== "record")
      return () => void attempt(() => undoBy(() => api.change(undo.route, undo.body, at)));
    const record = await api.read("/record", at);
    const main = buildControlPath({ mount: place.mount, world: "main" });
    return () =>
      void attempt(() =>
        undoBy(() => api.change(`PUT /worlds/${world}?replace=true`, { record }, main), elsewhere(world)),
      );
  }

  async function undoBy(work: () => Promise<unknown>, to?: Partial<PageLocation>): Promise<void> {
    await work();
    say({ kind: "done", text: "Undone." });
    if (to !== undefined && to.world !== store.place.world) go(to);
    else await follow.refresh();
  }

  /** Another world has other exchanges, mails and tokens. */
  function elsewhere(world: string): Partial<PageLocation> {
    return { world, filter: undefined, seq: undefined, other: undefined, mail: undefined };
  }

  function go(change: Partial<PageLocation>): void {
    const before = store.place;
    const place = { ...before, ...change };
    if (buildHref(place) === buildHref(before)) return;
    const isTyped =
      place.filter !== before.filter && place.page === before.page && document.activeElement?.id === "filter";
    history[isTyped ? "replaceState" : "pushState"](null, "", buildHref(place));
    arrive(place, isTyped ? TYPING_MS : 0);
  }

  function arrive(place: PageLocation, waitMs: number): void {
    const before = store.place;
    focus.move(before, place);
    store.move(place);
    store.note({ comparing: false });
    clearTimeout(typing);
    if (place.world !== before.world) void follow.moveWorld();
    else typing = setTimeout(() => void follow.move(before), waitMs);
    if (place.page !== before.page) scrollTo(0, 0);
  }
  addEventListener("popstate", () => arrive(parseLocation(location.pathname, location.search), 0));

  const copy = (what: string, text: string): void => {
    void attempt(() => copyText(text).then(() => say({ kind: "done", text: `Copied ${what}.` })));
  };

  async function tokenFor(user: string, environment: string): Promise<string> {
    const named = user === "" ? {} : { user };
    const answer = await api.change("POST /tokens", { ...named, environment });
    return (answer as { readonly token: string }).token; // as its row answers
  }

  /** An own credential of the user whom the sandbox recognised. */
  async function findAuthorization({ user, headers, environment = "" }: RecordedExchange) {
    if (user === undefined || headers["authorization"] === undefined) return undefined;
    if (environment.startsWith("account")) return `Bearer ${await tokenFor(user, environment)}`;
    const own = store.known.credentials?.find(
      (one) => one.environment === environment && (one.any || one.user === user),
    );
    return own && `Basic ${btoa(`${user}:${own.password}`)}`;
  }

  async function sendAgain(exchange: RecordedExchange): Promise<void> {
    const { path, init } = toFetchCall(exchange, await findAuthorization(exchange));
    const newest = (await api.read("/journal?limit=1")) as readonly RecordedExchange[]; // as the journal answers
    // What comes of it is in the journal, also that no answer came.
    await fetch(location.origin + path, { ...init, redirect: "manual" }).catch(() => {});
    const since = (await api.read(`/journal?after=${newest[0]?.seq ?? 0}`)) as readonly RecordedExchange[];
    const again = since.find((one) => isSame(one, exchange));
    say({ kind: "done", text: `Sent again${again === undefined ? "" : `: #${again.seq}`}.` });
    if (again !== undefined) go({ seq: again.seq, other: undefined });
    await follow.refresh();
  }

  return {
    go,
    run,
    copy,
    dismiss,
    copyExchange: (exchange, kind) =>
      void attempt(async () => copy(`#${exchange.seq} as ${kind}`, COPIES[kind](exchange))),
    sendAgain: (exchange) => void attempt(() => sendAgain(exchange)),
    copyToken: (user, environment) =>
      void attempt(async () => copy(`a token for ${user}`, await tokenFor(user, environment))),
    save: (path, name) =>
      void attempt(async () => {
        download(name, JSON.stringify(await api.read(path)));
        say({
          kind: "done",
          text: `Saved ${name}.`,
          curl: `curl '${location.origin}${buildControlPath(store.place)}${path}'`,
        });
      }),
    check: async (rule) => (await api.change("POST /check", { rule })) as CheckReport, // as its row answers
    unlock: (token) =>
      void attempt(async () => {
        keepToken(token);
        const refused = await api.read("/state").then(() => undefined, messageOf);
        store.note({ locked: refused !== undefined, refused });
        if (refused !== undefined) return;
        history.replaceState(null, "", buildHref(store.place));
        await follow.refresh();
      }),
    set: (change) => store.note(change),
    pause() {
      const { paused } = store.tab;
      store.note({ paused: !paused, missed: 0 });
      if (paused) void follow.refresh();
    },
    showEarlier: () => void attempt(() => follow.showEarlier()),
  };
}

const COPIES: Readonly<Record<CopyKind, (exchange: RecordedExchange) => string>> = {
  curl: toCurl,
  fetch: toFetchCode,
  test: toTestCode,
  rule: (exchange) => JSON.stringify(toReplayRule(exchange), undefined, 2),
};

/** Sent by this page. */
function isSame(one: RecordedExchange, { method, base, path, search }: RecordedExchange): boolean {
  const isOwn = one.headers["user-agent"] === navigator.userAgent;
  return isOwn && one.method === method && one.base + one.path + one.search === base + path + search;
}

function messageOf(error: unknown): string {
  if (error instanceof DOMException) return "The sandbox has not answered in time.";
  if (error instanceof TypeError) return "The sandbox does not answer.";
  return error instanceof Error ? error.message : String(error);
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Also where a page has no clipboard of its own: on other hosts than the loopback without TLS. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
