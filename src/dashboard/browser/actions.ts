/** Runs the user's actions in the browser: navigation, calls with undo, copying to the clipboard, and saving files. */

import { encodePercent } from "../../http/percent.ts";
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { CheckReport, StateReport } from "../../sandbox/views.ts";
import { type DashboardAction, formatActionCurl } from "../action.ts";
import type { Actions, CopyKind, Toast } from "../cockpit.ts";
import { buildControlPath, buildHref, type PageLocation, parseLocation } from "../location.ts";
import { toCurl, toFetchCall, toFetchCode, toReplayRule, toTestCode } from "../samples.ts";
import type { Api } from "./api.ts";
import type { Focus } from "./focus.ts";
import type { DataPoller } from "./poller.ts";
import type { PageStore } from "./store.ts";

const UNDO_TOAST_MS = 15_000;
const TOAST_MS = 6_000;
const MAX_TOASTS = 3;
const TYPING_MS = 150;

type Answer = { readonly id?: string; readonly message?: string } | undefined;

export type ActionOptions = {
  readonly store: PageStore;
  readonly api: Api;
  readonly follow: DataPoller;
  readonly focus: Focus;
  readonly keepToken: (token: string) => void;
};

export function createActions({ store, api, follow, focus, keepToken }: ActionOptions): Actions {
  let toasts = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;

  function dismiss(id: number): void {
    store.note({ toasts: store.tab.toasts.filter((one) => one.id !== id) });
  }

  function say({ undo, ...toast }: Omit<Toast, "id">): void {
    toasts += 1;
    const id = toasts;
    const others = store.tab.toasts.filter((one) => one.undo !== undefined || toast.kind === "failed");
    let isUsed = false;
    const once = async (): Promise<void> => {
      if (isUsed) return;
      isUsed = true;
      isUsed = await attempt(async () => undo?.());
      if (isUsed) dismiss(id);
    };
    const shown = { ...toast, id, ...(undo === undefined ? {} : { undo: once }) };
    store.note({ toasts: [...(toast.after === undefined ? others : []), shown].slice(-MAX_TOASTS) });
    const leave = (): void => {
      if (document.querySelector(".toasts:is(:hover, :focus-within)") === null) dismiss(id);
      else setTimeout(leave, TOAST_MS);
    };
    setTimeout(leave, undo === undefined ? TOAST_MS : UNDO_TOAST_MS);
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
    // Removing a world uses the control API of the main world, because the removed world may be the world of this page.
    const base = buildControlPath(world === undefined ? place : { ...place, world: "main" });
    return attempt(async () => {
      const record = action.undo === "world" ? await api.read("/record", base) : undefined;
      const answer = (await api.change(action.route, action.body, base)) as Answer;
      const after = record === undefined ? undefined : ((await api.read("/state", base)) as StateReport);
      const work = (): Promise<void> => revert(action, answer?.id ?? "", record, place);
      say({
        kind: "done",
        text: answer?.message ?? action.done,
        curl: formatActionCurl(action, location.origin + base),
        test: action.test,
        after,
        ...(action.undo === undefined ? {} : { undo: work }),
      });
      if (action.route === "POST /worlds") return go(elsewhere(answer?.id ?? "main"));
      if (world === place.world) return go(elsewhere("main"));
      await follow.refresh();
    });
  }

  async function revert(
    { undo }: DashboardAction,
    id: string,
    record: unknown,
    at: PageLocation,
  ): Promise<void> {
    const base = buildControlPath(at);
    if (undo === "world") {
      const open = (await api.read("/journal?state=open", base)) as readonly RecordedExchange[];
      const numbers = open.map(({ seq }) => `#${seq}`).join(", ");
      if (open.length > 0) throw new Error(`Undo would end ${numbers}, still open. Wait, or release first.`);
      const main = buildControlPath({ ...at, world: "main" });
      await api.change(`PUT /worlds/${at.world}?replace=true`, { record }, main);
      store.note({ toasts: [] });
    } else
      for (const { route, body } of undo ?? [])
        await api.change(route.replace("{id}", encodePercent(id)), body, base);
    say({ kind: "done", text: "Undone." });
    await follow.refresh();
  }

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
    else typing = setTimeout(() => void follow.refresh(), waitMs);
    if (place.page !== before.page) scrollTo(0, 0);
  }
  addEventListener("popstate", () => arrive(parseLocation(location.pathname, location.search), 0));

  const copy = (what: string, text: string): void => {
    void attempt(() => copyText(text).then(() => say({ kind: "done", text: `Copied ${what}.` })));
  };

  async function tokenFor(user: string, environment: string): Promise<string> {
    const named = user === "" ? {} : { user };
    const answer = await api.change("POST /tokens", { ...named, environment });
    return (answer as { readonly token: string }).token;
  }

  /** Returns a new credential of the user who sent the request. Undefined without a known user or an `authorization` header. */
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
    const newest = (await api.read("/journal?limit=1")) as readonly RecordedExchange[];
    const { urls = {} } = store.known.worlds?.find(({ id }) => id === store.place.world) ?? {};
    const url = (urls[exchange.environment ?? ""] ?? location.origin) + path;
    if (!url.startsWith(location.origin)) throw new Error("This page cannot call that port. Use curl.");
    // Ignored: even if no response arrives, the journal contains the exchange, and the next call reads it.
    await fetch(url, { ...init, redirect: "manual" }).catch(() => {});
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
    check: async (rule) => (await api.change("POST /check", { rule })) as CheckReport,
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

/** Copies text. Uses a text field on HTTP pages of hosts other than loopback, where browsers have no clipboard API. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
