/** Entry point in the browser. Loads the data of the page and replaces the server-rendered markup. */

import { flushSync } from "hono/jsx/dom";
import { createRoot } from "hono/jsx/dom/client";
import { App, type PageBody } from "../app.tsx";
import { type Actions, INITIAL_TAB } from "../cockpit.ts";
import {
  buildControlPath,
  buildHref,
  PAGES,
  type PageLocation,
  type PageName,
  parseLocation,
} from "../location.ts";
import { resolvePage } from "../reads.ts";
import { createActions } from "./actions.ts";
import { Api } from "./api.ts";
import { Focus } from "./focus.ts";
import { listenToKeys } from "./keys.ts";
import { DataPoller } from "./poller.ts";
import { type PageState, PageStore } from "./store.ts";

/** Key of the control token in the session storage. The browser stores the token per tab, until the tab closes. */
const TOKEN = "vitrine control token";

const { dataset, classList } = document.documentElement;
const isLocked = dataset["locked"] === "true" && sessionStorage.getItem(TOKEN) === null;
const named = parseLocation(location.pathname, location.search);
const place: PageLocation = { ...named, page: named.page ?? (dataset["page"] as PageName | undefined) }; // Safe cast: the server sets it.

const twin = { localhost: "127.0.0.1", "127.0.0.1": "localhost" }[location.hostname];
const elsewhere = twin && location.origin.replace(location.hostname, twin);
const app = document.getElementById("app");
const root = app === null ? undefined : createRoot(app);
let act: Actions | undefined;
let isReady = false;

/** Loads the module of each page on demand. */
const LOADERS: Readonly<Record<PageName, () => Promise<PageBody>>> = {
  start: async () => (await import("../pages/start.tsx")).Start,
  requests: async () => (await import("../pages/requests.tsx")).Requests,
  misbehave: async () => (await import("../pages/misbehave.tsx")).Misbehave,
  data: async () => (await import("../pages/data.tsx")).Data,
  time: async () => (await import("../pages/time.tsx")).Time,
  mail: async () => (await import("../pages/mail.tsx")).Mail,
  client: async () => (await import("../pages/client.tsx")).Client,
};
const bodies: { [P in PageName]?: PageBody } = {};
async function load(page: PageName): Promise<void> {
  bodies[page] ??= await LOADERS[page]();
}

/** Loads the document again after a module could not be loaded, but only if the sandbox responds. */
function openAnew(): void {
  if (store.tab.connection === "live") location.assign(buildHref(store.place));
}

const focus = new Focus();

function draw({ known, place, tab }: PageState): void {
  const page = resolvePage(place, known);
  const body = bodies[page];
  if (act === undefined || !isReady) return;
  if (body === undefined) return void load(page).then(() => store.note({}), openAnew);
  document.title = `${PAGES[page]} · ${place.world} · vitrine`;
  const app = <App known={known} place={place} tab={tab} act={act} body={body} />;
  keepInPlace(() => flushSync(() => root?.render(app)));
  classList.remove("no-script"); // The buttons now have handlers.
  focus.settle();
}

/** Scrolls so that the first visible row stays at its position when `change` adds rows above it. */
function keepInPlace(change: () => void): void {
  const rows = scrollY === 0 ? [] : [...document.querySelectorAll(".rows .row")];
  const seen = rows
    .map((row) => ({ row, top: row.getBoundingClientRect().top }))
    .filter(({ top }) => top > 0);
  change();
  const anchor = seen.find(({ row }) => row.isConnected);
  if (anchor !== undefined) scrollBy(0, anchor.row.getBoundingClientRect().top - anchor.top);
}

const store = new PageStore({ known: {}, place, tab: { ...INITIAL_TAB, locked: isLocked, elsewhere } }, draw);
const api = new Api({
  base: () => buildControlPath(store.place),
  token: () => sessionStorage.getItem(TOKEN) ?? undefined,
  slow: () => follow.giveWay(),
});
const follow = new DataPoller(store, api);
act = createActions({
  store,
  api,
  follow,
  focus,
  keepToken: (token) => sessionStorage.setItem(TOKEN, token),
});
listenToKeys(store, act);

/** Minimum height of a row in px. Used to estimate how many rows the viewport needs; rows far below are not rendered. */
const MIN_ROW_PX = 28;
const ROWS_AT_ONCE = 50;

function measure(): void {
  const seen = (scrollY + 1.5 * innerHeight) / MIN_ROW_PX;
  const rows = Math.ceil(seen / ROWS_AT_ONCE) * ROWS_AT_ONCE;
  if (rows !== store.tab.rows) store.note({ rows });
}
addEventListener("scroll", measure, { passive: true });
addEventListener("resize", measure);

/** Opens links within the dashboard without loading a new document. Also closes menus if the click is outside of them. */
document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : undefined;
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]"))
    if (target === undefined || !menu.contains(target) || target.closest("a") !== null) menu.open = false;
  const link = target?.closest("a");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!(link instanceof HTMLAnchorElement) || !isPlain || link.hasAttribute("download") || link.target !== "")
    return;
  const url = new URL(link.href);
  const to = parseLocation(url.pathname, url.search);
  if (url.origin !== location.origin || url.hash !== "" || url.pathname !== `${buildControlPath(to)}/`)
    return;
  event.preventDefault();
  act?.go(to);
});

// Load the data before the first rendering. Otherwise the page would be empty for a moment.
await load(resolvePage(place, store.known));
if (!isLocked) await follow.refresh();
if (dataset["locked"] === "true" && !isLocked) history.replaceState(null, "", buildHref(store.place));
isReady = true;
store.note({});
measure();
follow.start();
for (const page of Object.keys(PAGES)) await load(page as PageName).catch(() => {}); // One at a time: browsers limit connections.
