/** Moves the focus to an element that opens, and back to the previous element when it closes. */

import type { PageLocation } from "../location.ts";

/** Selector of elements that get the focus: the main button of the form for a new rule, and the details of an exchange or mail. */
const OPENED = ".composer .primary, .detail";

export class Focus {
  #opener: Element | null = null;
  #next: "opened" | "opener" | undefined;

  move(before: PageLocation, place: PageLocation): void {
    const [closed, opened] = [findOpened(before), findOpened(place)];
    if (opened === closed) return;
    if (opened !== undefined) this.#opener = document.activeElement;
    this.#next = opened === undefined ? "opener" : "opened";
  }

  /** Moves the focus if necessary. Called after each rendering, because the data of an opened element may arrive later. */
  settle(): void {
    const element = this.#next === "opened" ? document.querySelector(OPENED) : this.#opener;
    if (this.#next === undefined || !(element instanceof HTMLElement)) return;
    this.#next = undefined;
    if (element.matches(".detail")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
}

/** Returns a name for the opened element. All exchanges have the same name, so that opening another exchange keeps the focus. */
function findOpened({ force, seq, mail }: PageLocation): string | undefined {
  return force ?? (seq !== undefined ? "exchange" : mail !== undefined ? "mail" : undefined);
}
