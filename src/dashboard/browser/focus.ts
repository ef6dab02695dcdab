/** Moves the focus to what was opened, and back when it closes. */

import type { PageLocation } from "../location.ts";

/** A rule in the making, an exchange, a mail. */
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

  /** After each drawing: what was opened may not be there at once. */
  settle(): void {
    const element = this.#next === "opened" ? document.querySelector(OPENED) : this.#opener;
    if (this.#next === undefined || !(element instanceof HTMLElement)) return;
    this.#next = undefined;
    if (element.matches(".detail")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
}

/** Of exchanges and mails each takes the place of another, without a new focus. */
function findOpened({ force, seq, mail }: PageLocation): string | undefined {
  return force ?? (seq !== undefined ? "exchange" : mail !== undefined ? "mail" : undefined);
}
