/** Event stream of the control API. A browser opens at most six connections to a host, so a lock allows a stream in only one tab. */

import type { Api } from "./api.ts";

/** Minimum time without a stream after `giveWay`, in ticks of one second. */
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

  /** Sequence number of the open event stream. Undefined if no stream is open. */
  get flow(): number | undefined {
    return this.#flow;
  }

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
      // If the browser has no Web Locks API, each tab opens a stream.
      if (navigator.locks === undefined) await this.#follow(open.signal);
      else
        await navigator.locks.request("vitrine events", { ifAvailable: true }, (lock) =>
          lock === null ? undefined : this.#follow(open.signal),
        );
    } catch {
      // Ignored: the next tick retries. Other calls report a lost connection.
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

  /** Passes an event to the listener. It has the lines `event: exchange`, `id: …` and `data: {…}`. Ignores keep-alive comments (`:`). */
  #hear(part: string): void {
    const [, event, journal = "", data = ""] =
      /^event: (exchange|mail)\nid: (.*)\ndata: (.*)$/.exec(part) ?? [];
    if (event !== undefined) this.#listen(event as EventName, journal, JSON.parse(data));
  }
}
