// Owns the keeping up: every second the page asks what there is in numbers, and reads more only when that changed.

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Kit } from "./kit.ts";

/** `fresh`: something else than time may have changed since the last call. */
export type Part = (state: StateReport, fresh: boolean) => Promise<void> | void;

export function follow(kit: Kit, parts: readonly Part[]): void {
  const { document } = kit.window;
  let last = "";
  let looking: Promise<void> | undefined;
  let lost = false;

  async function read(): Promise<void> {
    const state = await kit.get<StateReport>("/state");
    const { digest, exchanges, mails, notices } = state;
    const seen = JSON.stringify([digest, exchanges, mails, notices]);
    const fresh = kit.settle() || seen !== last;
    await Promise.all(parts.map((part) => part(state, fresh)));
    last = seen;
  }

  async function look(): Promise<void> {
    looking ??= read().finally(() => {
      looking = undefined;
    });
    try {
      await looking;
      if (lost) kit.tell("");
      lost = false;
    } catch (error) {
      lost = true;
      last = "";
      const why =
        error instanceof TypeError ? "The sandbox does not answer." : String((error as Error).message); // nothing else is thrown
      kit.tell(why);
    }
  }

  kit.onAct(async () => {
    await looking?.catch(() => {});
    await look();
  });
  kit.window.setInterval(() => {
    if (!document.hidden) void look();
  }, 1_000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void look();
  });
  void look();
}
