/**
 * The stream of what happens in a world, as server-sent events. A reader that falls far behind is disconnected.
 */

import type { LocalControls } from "../sandbox/controls.ts";

const MOST_UNREAD = 1_000;

export function eventStream({ journal, mailbox }: LocalControls): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (event: string, data: object): void => {
          if ((controller.desiredSize ?? 0) <= -MOST_UNREAD) {
            stop();
            controller.close();
            return;
          }
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
        };
        const endings = [
          journal.subscribe((exchange) => send("exchange", exchange)),
          mailbox.subscribe((mail) => send("mail", mail)),
        ];
        stop = () => {
          for (const end of endings) end();
        };
        controller.enqueue(encoder.encode(": open\n\n"));
      },
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  );
}
