// Owns simulated time and the way back to the start.

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Kit } from "./kit.ts";

export function clock(kit: Kit) {
  const now = kit.find("now");
  const mode = kit.find("clock-mode");
  const click = (id: string, work: () => Promise<unknown>): void =>
    kit.find(id).addEventListener("click", () => void kit.act(work));
  click("freeze", () => kit.call("PUT", "/clock", { mode: "frozen" }));
  click("resume", () => kit.call("PUT", "/clock", { mode: "ticking" }));
  click("advance-hour", () => kit.call("POST", "/clock/advance", { by: "1h" }));
  click("advance-day", () => kit.call("POST", "/clock/advance", { by: "24h" }));
  click("reset", () => kit.call("POST", "/reset"));

  return ({ clock }: StateReport): void => {
    kit.show(now, clock.now, () => [kit.element("span", {}, clock.now.slice(0, 19).replace("T", " "))]);
    kit.show(mode, clock.mode, () => [kit.element("span", { class: `badge ${clock.mode}` }, clock.mode)]);
    kit.find("freeze").disabled = clock.mode === "frozen";
    kit.find("resume").disabled = clock.mode === "ticking";
  };
}
