// A page whose calls to the real addresses are answered by a sandbox that runs in it, through Mock Service Worker.

import { setupWorker } from "msw/browser";
import { createSandbox } from "vitrine/browser";
import { connect } from "vitrine/connect";
import { handlers } from "vitrine/msw";
import { play, type Reply } from "./session.ts";

const ADDRESSES = {
  museum: "https://api.museum.example/v1.1",
  account: "https://billing.example",
  accountSandbox: "https://billing.example/sandbox",
};

const page = {
  /** What all steps of the session are answered, those of the services over the network of the page. */
  async session(options: Parameters<typeof createSandbox>[0], now: number): Promise<readonly Reply[]> {
    const sandbox = await createSandbox({ ...options, wall: { now: () => now, pause: async () => {} } });
    const worker = setupWorker(...handlers(sandbox, ADDRESSES));
    await worker.start({ quiet: true, onUnhandledRequest: "bypass" });
    const replies = await play((way, path, init) =>
      way === "control"
        ? sandbox.fetch(sandbox.urls.control + path, init)
        : fetch(ADDRESSES[way] + path, init),
    );
    worker.stop();
    await sandbox.close();
    return replies;
  },

  /** What is said to those who ask for more than a page has. */
  async refusals(): Promise<readonly string[]> {
    const more: object[] = [
      { data: "state" },
      { smtp: "smtp://localhost:1025" },
      { scenario: "./stage.json" },
    ];
    const listening = async (): Promise<unknown> => ((await createSandbox()) as unknown as Listens).listen();
    const asked = [...more.map((options) => () => createSandbox(options)), listening];
    return Promise.all(asked.map((ask) => ask().then(String, (error: Error) => error.message)));
  },

  /** Moves the clock of a sandbox on a server, and reads what it has seen. */
  async remote(url: string, token: string): Promise<{ readonly now: unknown; readonly statuses: unknown }> {
    const sandbox = connect(url, { token });
    await sandbox.clock.freeze("2026-05-01T00:00:00Z");
    await sandbox.museum.getMuseumHours();
    const seen = await sandbox.journal.list();
    const state = await sandbox.state();
    return { now: state.clock.now, statuses: seen.map(({ status }) => status) };
  },
};
type Listens = { listen(): Promise<unknown> };

Object.assign(globalThis, { page });
