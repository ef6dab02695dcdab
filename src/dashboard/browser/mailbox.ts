/** The mails, newest first, each as its text. */

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Message } from "../../world/mailbox.ts";
import type { Dom } from "./dom.ts";

export function mailbox(dom: Dom) {
  const { element, find } = dom;
  const MOST = 100;

  find("clear-mails").addEventListener("click", () => void dom.act(() => dom.call("DELETE", "/mailbox")));

  function describe({ id, subject, to, at, text }: Message) {
    return element(
      "li",
      {},
      element(
        "details",
        { id: `mail:${id}` },
        element(
          "summary",
          {},
          element("strong", { class: "line" }, subject),
          element("span", { class: "quiet" }, `to ${to}, ${at.slice(0, 16).replace("T", " ")}`),
        ),
        element(
          "pre",
          { class: "mail", tabindex: "0", role: "group", "aria-label": "Text of the mail" },
          text,
        ),
      ),
    );
  }

  return async (_state: StateReport, fresh: boolean): Promise<void> => {
    if (!fresh) return;
    const mails = (await dom.get<readonly Message[]>("/mailbox")).slice(-MOST).reverse();
    dom.show(find("mails"), mails, () => mails.map(describe), "No mail was sent.");
  };
}
