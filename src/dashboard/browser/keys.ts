/** The keys of the page, which parts/keys.tsx tells. A key that is typed into a field is text. */

import type { Actions } from "../cockpit.ts";
import type { PageName } from "../location.ts";
import type { PageStore } from "./store.ts";

const GO: Readonly<Record<string, PageName>> = {
  s: "start",
  r: "requests",
  m: "misbehave",
  d: "data",
  t: "time",
  l: "mail",
  c: "client",
};

export function listenToKeys(store: PageStore, act: Actions): void {
  let isGoing = false;
  const plain: Readonly<Record<string, () => void>> = {
    g: () => {
      isGoing = true;
    },
    "/": () => document.getElementById("filter")?.focus(),
    "?": () => act.set({ keys: !store.tab.keys }),
    ".": () => act.pause(),
    x: () => act.set({ comparing: !store.tab.comparing }),
    j: () => step(1),
    k: () => step(-1),
    c: () => copyOpen(),
    Escape: () => close(),
  };

  /** The next row of the list, from the one that has the focus or is open. */
  function step(by: 1 | -1): void {
    const rows = [...document.querySelectorAll<HTMLAnchorElement>(".rows a")];
    const isHere = (row: HTMLElement) => row === document.activeElement || row.ariaCurrent === "true";
    const at = rows.findIndex(isHere);
    const row = rows[at === -1 ? 0 : at + by];
    row?.focus();
    if (at !== -1 && store.place.seq !== undefined) row?.click();
  }

  function copyOpen(): void {
    const { seq } = store.place;
    const exchange = store.known.exchanges?.find((one) => one.seq === seq);
    if (exchange !== undefined) act.copyExchange(exchange, "curl");
  }

  function close(): void {
    const menu = document.querySelector<HTMLDetailsElement>("details.menu[open]");
    if (menu !== null) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    } else if (store.tab.keys) act.set({ keys: false });
    else if (store.tab.comparing) act.set({ comparing: false });
    else if (store.place.other !== undefined) act.go({ other: undefined });
    else act.go({ seq: undefined, tab: undefined, force: undefined, mail: undefined });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyped = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (isTyped && event.key !== "Escape") return;
    if (isTyped) (event.target as HTMLElement).blur();
    const page = isGoing ? GO[event.key] : undefined;
    isGoing = false;
    const work = page === undefined ? plain[event.key] : () => act.go(elsewhere(page));
    if (work === undefined) return;
    event.preventDefault();
    work();
  });

  function elsewhere(page: PageName) {
    return { page, filter: undefined, seq: undefined, other: undefined, tab: undefined, force: undefined };
  }
}
