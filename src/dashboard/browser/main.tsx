/** Where the script begins: it reads what the page shows, and from then on draws it in the place of what the server drew. */

import { createRoot } from "hono/jsx/dom/client";
import { App } from "../app.tsx";
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
import { DataPoller } from "./follow.ts";
import { listenToKeys } from "./keys.ts";
import { type PageState, PageStore } from "./store.ts";

/** Of this tab alone, and gone with it. */
const TOKEN = "vitrine control token";

const { dataset, classList } = document.documentElement;
const isLocked = dataset["locked"] === "true" && sessionStorage.getItem(TOKEN) === null;
const named = parseLocation(location.pathname, location.search);
const place: PageLocation = { ...named, page: named.page ?? (dataset["page"] as PageName | undefined) }; // the server wrote it

const app = document.getElementById("app");
const root = app === null ? undefined : createRoot(app);
let act: Actions | undefined;
let isReady = false;

function draw({ known, place, tab }: PageState): void {
  if (act === undefined || !isReady) return;
  document.title = `${PAGES[resolvePage(place, known)]} · ${place.world} · vitrine`;
  root?.render(<App known={known} place={place} tab={tab} act={act} />);
}

const store = new PageStore({ known: {}, place, tab: { ...INITIAL_TAB, locked: isLocked } }, draw);
const api = new Api({
  base: () => buildControlPath(store.place),
  token: () => sessionStorage.getItem(TOKEN) ?? undefined,
  slow: () => follow.giveWay(),
});
const follow = new DataPoller(store, api);
act = createActions({ store, api, follow, keepToken: (token) => sessionStorage.setItem(TOKEN, token) });
listenToKeys(store, act);

/** To draw a row costs more than to know it. */
const MIN_ROW_PX = 28;
const ROWS_AT_ONCE = 50;

function measure(): void {
  const seen = (scrollY + 1.5 * innerHeight) / MIN_ROW_PX;
  const rows = Math.ceil(seen / ROWS_AT_ONCE) * ROWS_AT_ONCE;
  if (rows !== store.tab.rows) store.note({ rows });
}
addEventListener("scroll", measure, { passive: true });
addEventListener("resize", measure);

/** Links within the dashboard change the place; all others are links. */
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

// Without what the place names, one would see the page empty for a moment.
if (!isLocked) await follow.refresh();
if (dataset["locked"] === "true" && !isLocked) history.replaceState(null, "", buildHref(store.place));
isReady = true;
classList.remove("no-script");
store.note({});
measure();
follow.start();
