/** Messages about a world that belong to no exchange, for example about a mail that was not sent. Keeps the newest 100. */

import { Redactor } from "./redaction.ts";

export type Notice = { readonly key: string; readonly message: string };

const MAX_NOTICES = 100;

export class Notices {
  #all: readonly Notice[] = [];
  readonly #listeners = new Set<(notice: Notice) => void>();

  /** All notices, oldest first. */
  get all(): readonly Notice[] {
    return this.#all;
  }

  add({ key, message }: Notice): void {
    const notice = { key, message: new Redactor().text(message) };
    this.#all = [...this.#all, notice].slice(-MAX_NOTICES);
    for (const listener of this.#listeners) listener(notice);
  }

  clear(): void {
    this.#all = [];
  }

  /** `listener` must not throw, because `add` does not catch errors. Returns a function that unsubscribes it. */
  subscribe(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
