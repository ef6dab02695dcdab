/** State of the page. Several changes within one frame cause one rendering. */

import type { TabState } from "../cockpit.ts";
import type { PageLocation } from "../location.ts";
import type { WorldData } from "../reads.ts";

export type PageState = { readonly known: WorldData; readonly place: PageLocation; readonly tab: TabState };

export class PageStore {
  #state: PageState;
  #isDue = false;
  readonly #draw: (state: PageState) => void;

  constructor(state: PageState, draw: (state: PageState) => void) {
    this.#state = state;
    this.#draw = draw;
  }

  get known(): WorldData {
    return this.#state.known;
  }
  get place(): PageLocation {
    return this.#state.place;
  }
  get tab(): TabState {
    return this.#state.tab;
  }

  know(known: Partial<WorldData>): void {
    this.#set({ ...this.#state, known: { ...this.#state.known, ...known } });
  }
  /** Removes all data of the world, but not the presets and operations, which all worlds share. */
  forget(): void {
    const { presets, operations } = this.#state.known;
    this.#set({ ...this.#state, known: { ...(presets && { presets }), ...(operations && { operations }) } });
  }
  move(place: PageLocation): void {
    this.#set({ ...this.#state, place });
  }
  note(tab: Partial<TabState>): void {
    this.#set({ ...this.#state, tab: { ...this.#state.tab, ...tab } });
  }

  #set(state: PageState): void {
    this.#state = state;
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw(this.#state);
    });
  }
}
