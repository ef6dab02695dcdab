/** The mails, newest first, each as its text. */

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Message } from "../../world/mailbox.ts";
import type { Dom } from "./dom.ts";

export function mailbox(dom: Dom) {
  const MOST = 100;

  dom.onClick("clear-mails", () => dom.call("DELETE", "/mailbox"));

  function describe({ id, subject, to, at, text }: Message) {
    const sent = `to ${to}, ${at.slice(0, 16).replace("T", " ")}`;
    return dom.element("li", {}, dom.fold(`mail:${id}`, subject, sent, dom.block("Text of the mail", text)));
  }

  return async (_state: StateReport, fresh: boolean): Promise<void> => {
    if (!fresh) return;
    const mails = (await dom.get<readonly Message[]>("/mailbox")).slice(-MOST).reverse();
    dom.show(dom.find("mails"), mails, () => mails.map(describe), "No mail was sent.");
  };
}
