/** What the page is drawn from, in one place: whoever changes it causes one drawing, at the next frame. */

import type { Tab } from "../cockpit.ts";
import type { PageLocation } from "../location.ts";
import type { Known } from "../reads.ts";

export type State = { readonly known: Known; readonly place: PageLocation; readonly tab: Tab };

export class Store {
  #state: State;
  #isDue = false;
  readonly #draw: (state: State) => void;

  constructor(state: State, draw: (state: State) => void) {
    this.#state = state;
    this.#draw = draw;
  }

  get known(): Known {
    return this.#state.known;
  }
  get place(): PageLocation {
    return this.#state.place;
  }
  get tab(): Tab {
    return this.#state.tab;
  }

  know(known: Partial<Known>): void {
    this.#set({ ...this.#state, known: { ...this.#state.known, ...known } });
  }
  /** Another world: nothing is known of it but what is the same in all. */
  forget(): void {
    const { presets, operations } = this.#state.known;
    this.#set({ ...this.#state, known: { ...(presets && { presets }), ...(operations && { operations }) } });
  }
  move(place: PageLocation): void {
    this.#set({ ...this.#state, place });
  }
  note(tab: Partial<Tab>): void {
    this.#set({ ...this.#state, tab: { ...this.#state.tab, ...tab } });
  }

  #set(state: State): void {
    this.#state = state;
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw(this.#state);
    });
  }
}
