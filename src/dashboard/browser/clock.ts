/** Simulated time, and the reset to the start. */

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Dom } from "./dom.ts";

export function clock(dom: Dom) {
  const now = dom.find("now");
  const mode = dom.find("clock-mode");
  dom.onClick("freeze", () => dom.call("PUT", "/clock", { mode: "frozen" }));
  dom.onClick("resume", () => dom.call("PUT", "/clock", { mode: "ticking" }));
  dom.onClick("advance-hour", () => dom.call("POST", "/clock/advance", { by: "1h" }));
  dom.onClick("advance-day", () => dom.call("POST", "/clock/advance", { by: "24h" }));
  dom.onClick("reset", () => dom.call("POST", "/reset"));

  return ({ clock }: StateReport): void => {
    dom.show(now, clock.now, () => [dom.element("span", {}, clock.now.slice(0, 19).replace("T", " "))]);
    dom.show(mode, clock.mode, () => [dom.element("span", { class: `badge ${clock.mode}` }, clock.mode)]);
    dom.find("freeze").disabled = clock.mode === "frozen";
    dom.find("resume").disabled = clock.mode === "ticking";
  };
}
