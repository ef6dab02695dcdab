/** Keyboard shortcuts of the page, which the titles of buttons show. While the user types into a field, only Escape works. */

import type { Actions } from "../cockpit.ts";
import { PAGE_KEYS, PAGES, type PageName } from "../location.ts";
import type { PageStore } from "./store.ts";

export function listenToKeys(store: PageStore, act: Actions): void {
  let isGoing = false;
  const plain: Readonly<Record<string, () => void>> = {
    g: () => {
      isGoing = true;
    },
    j: () => step(1),
    k: () => step(-1),
    Escape: () => close(),
  };

  /** Moves the focus to the row after or before the focused or open row. If an exchange is open, opens that row. */
  function step(by: 1 | -1): void {
    const rows = [...document.querySelectorAll<HTMLAnchorElement>(".rows a")];
    const isHere = (row: HTMLElement) => row === document.activeElement || row.ariaCurrent === "true";
    const at = rows.findIndex(isHere);
    const row = rows[at === -1 ? 0 : at + by];
    row?.focus();
    if (at !== -1 && store.place.seq !== undefined) row?.click();
  }

  function findShortcut(key: string): HTMLElement | undefined {
    const all = document.querySelectorAll<HTMLElement>("[aria-keyshortcuts]:enabled, a[aria-keyshortcuts]");
    return [...all].find((one) => one.ariaKeyShortcuts === key);
  }

  function close(): void {
    const menu = document.querySelector<HTMLDetailsElement>("details.menu[open]");
    const { activeElement } = document;
    if (activeElement?.matches(".sure")) (activeElement as HTMLElement).blur();
    else if (menu !== null) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    } else if (store.tab.comparing) act.set({ comparing: false });
    else if (store.place.other !== undefined) act.go({ other: undefined });
    else act.go({ seq: undefined, tab: undefined, force: undefined, mail: undefined });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    const isTyped = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (isTyped && key !== "Escape") return;
    if (isTyped) target.blur();
    const page = isGoing ? Object.keys(PAGES)[PAGE_KEYS.indexOf(key)] : undefined;
    isGoing = false;
    const element = findShortcut(key);
    const work = page === undefined ? plain[key] : () => act.go(elsewhere(page as PageName)); // After "g", the key is the letter of a page.
    if (work === undefined && element === undefined) return;
    event.preventDefault();
    if (work !== undefined) work();
    else if (element?.matches("input")) element?.focus();
    else element?.click();
  });

  function elsewhere(page: PageName) {
    return { page, filter: undefined, seq: undefined, other: undefined, tab: undefined, force: undefined };
  }
}
