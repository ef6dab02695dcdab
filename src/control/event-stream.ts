/** Streams the exchanges and mails of a world as server-sent events. Disconnects clients that read too slowly. */

import type { EventStrings } from "../operation/service.ts";
import type { LocalSandbox } from "../sandbox/controls.ts";

const MAX_UNREAD_EVENTS = 1_000;
const OPEN = ": open\n\n";
/** Maximum size of all unread events of one client, in characters. */
const MAX_STREAM_CHARS = 2 * 1_048_576;

export function createEventStream({ journal, mailbox, core }: LocalSandbox): EventStrings {
  const closed = core.world.ended;
  const unread: string[] = [OPEN];
  let characters = OPEN.length;
  let ended = false;
  let wake = (): void => {};
  const send = (event: string, data: object): void => {
    const text = `event: ${event}\nid: ${journal.id}\ndata: ${JSON.stringify(data)}\n\n`;
    characters += text.length;
    if (unread.length >= MAX_UNREAD_EVENTS || characters > MAX_STREAM_CHARS) end();
    else unread.push(text);
    wake();
  };
  const endings = [
    journal.subscribe((exchange) => send("exchange", exchange)),
    mailbox.subscribe((mail) => send("mail", mail)),
  ];
  const end = (): void => {
    ended = true;
    for (const stop of endings) stop();
    closed.removeEventListener("abort", end);
    wake();
  };
  if (closed.aborted) end();
  else closed.addEventListener("abort", end);
  return {
    async next() {
      while (unread.length === 0 && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const value = unread.shift();
      characters -= value?.length ?? 0;
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
