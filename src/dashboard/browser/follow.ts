/** Keeps the page current: every second it reads the state's numbers, and more only when they changed. */

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Dom } from "./dom.ts";

/** `fresh`: something other than time may have changed since the last call. */
export type Part = (state: StateReport, fresh: boolean) => Promise<void> | void;

export function follow(dom: Dom, parts: readonly Part[]): void {
  const { document } = dom.window;
  let last = "";
  let looking: Promise<void> | undefined;
  let lost = false;

  async function read(): Promise<void> {
    const state = await dom.get<StateReport>("/state");
    const { digest, exchanges, mails, notices } = state;
    const seen = JSON.stringify([digest, exchanges, mails, notices]);
    const fresh = dom.takeStirred() || seen !== last;
    await Promise.all(parts.map((part) => part(state, fresh)));
    last = seen;
  }

  async function look(): Promise<void> {
    looking ??= read().finally(() => {
      looking = undefined;
    });
    try {
      await looking;
      if (lost) dom.announce("");
      lost = false;
    } catch (error) {
      lost = true;
      last = "";
      const { message } = error as Error; // nothing else is thrown
      dom.announce(error instanceof TypeError ? "The sandbox does not answer." : message);
    }
  }

  dom.onAct(async () => {
    await looking?.catch(() => {});
    await look();
  });
  const lookIfShown = (): void => {
    if (!document.hidden) void look();
  };
  dom.window.setInterval(lookIfShown, 1_000);
  document.addEventListener("visibilitychange", lookIfShown);
  void look();
}
