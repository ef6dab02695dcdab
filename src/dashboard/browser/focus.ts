/** Moves the focus to an opened element, and back when it closes. */

import type { PageLocation } from "../location.ts";

/** Parameters of the URL that open a composer, an exchange or a mail. */
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

  /** Call this after each drawing: data of an opened element may arrive later. */
  settle(): void {
    const element = this.#next === "opened" ? document.querySelector(OPENED) : this.#opener;
    if (this.#next === undefined || !(element instanceof HTMLElement)) return;
    this.#next = undefined;
    if (element.matches(".detail")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
}

/** A second exchange or mail replaces the first and needs no new focus. */
function findOpened({ force, seq, mail }: PageLocation): string | undefined {
  return force ?? (seq !== undefined ? "exchange" : mail !== undefined ? "mail" : undefined);
}
