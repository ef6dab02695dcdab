/** The stream of events. A browser has six connections to a host, so all tabs share one stream, and hidden tabs have none. */

import type { Api } from "./api.ts";

/** For so many seconds after it gave way nobody tries again. */
const REST_TICKS = 10;

export type EventName = "exchange" | "mail";

export class EventFeed {
  readonly #api: Api;
  readonly #listen: (event: EventName, journal: string, data: unknown) => void;
  #open: AbortController | undefined;
  #rest = 0;
  #count = 0;
  #flow: number | undefined;

  constructor(api: Api, listen: (event: EventName, journal: string, data: unknown) => void) {
    this.#api = api;
    this.#listen = listen;
  }

  /** The number of the stream by which one hears at once of what happens; undefined where there is none. */
  get flow(): number | undefined {
    return this.#flow;
  }

  /** Once a second, while the page is seen. */
  tick(): void {
    if (this.#rest > 0) this.#rest -= 1;
    else if (this.#open === undefined) void this.#start();
  }

  giveWay(): void {
    if (this.#open === undefined) return;
    this.#rest = REST_TICKS;
    this.close();
  }

  close(): void {
    this.#open?.abort();
    this.#open = undefined;
    this.#flow = undefined;
  }

  async #start(): Promise<void> {
    const open = new AbortController();
    this.#open = open;
    try {
      // Where there are no locks, each tab has its own; they give way all the same.
      if (navigator.locks === undefined) await this.#follow(open.signal);
      else
        await navigator.locks.request("vitrine events", { ifAvailable: true }, (lock) =>
          lock === null ? undefined : this.#follow(open.signal),
        );
    } catch {
      // It ended, or was ended: the next second tries again, and calls tell whether the sandbox answers.
    }
    if (this.#open === open) this.close();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const reader = (await this.#api.stream("/events", signal)).getReader();
    this.#count += 1;
    this.#flow = this.#count;
    let unread = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (unread + value).split("\n\n");
      unread = parts.pop() ?? "";
      for (const part of parts) this.#hear(part);
    }
  }

  /** `event: exchange`, and below it `id: …` and `data: {…}`; a line with a colon in front is a sign of life. */
  #hear(part: string): void {
    const [, event, journal = "", data = ""] =
      /^event: (exchange|mail)\nid: (.*)\ndata: (.*)$/.exec(part) ?? [];
    if (event !== undefined) this.#listen(event as EventName, journal, JSON.parse(data)); // one of the two
  }
}
