/** Misbehaviour: the scenario in force, its rules, and the requests that wait at gates. */

import type { Waiter } from "../../rules/gates.ts";
import type { RuleStatus } from "../../rules/rule.ts";
import type { StateReport } from "../../sandbox/state-report.ts";
import type { Dom } from "./dom.ts";

export function scenario(dom: Dom) {
  const { element, find } = dom;

  find("presets").addEventListener("submit", (event) => {
    event.preventDefault();
    void dom.act(() => dom.call("PUT", "/scenario", { name: find("preset").value }));
  });

  dom.onClick("scenario-add", () => dom.call("POST", "/scenario", { name: find("preset").value }));
  dom.onClick("scenario-off", () => dom.call("DELETE", "/scenario"));

  function describe({ id, origin, matched, acted, rule }: RuleStatus) {
    const counts = `${origin}, matched ${matched}, acted ${acted}`;
    return element(
      "li",
      { class: "rule" },
      dom.fold(`rule:${id}`, id, counts, dom.block(`The rule ${id}`, dom.plain(rule))),
      dom.button("Remove", { id: `remove:${id}`, "aria-label": `Remove the rule ${id}` }, () =>
        dom.call("DELETE", `/rules/${encodeURIComponent(id)}`),
      ),
    );
  }

  async function rules(): Promise<void> {
    const list = await dom.get<readonly RuleStatus[]>("/rules");
    dom.show(find("rules"), list, () => list.map(describe), "No rules: both services behave.");
  }

  async function name(): Promise<void> {
    const { name, title } = await dom.get<{ readonly name: string; readonly title?: string }>("/scenario");
    dom.show(find("scenario-name"), [name, title], () => [
      element("strong", {}, name),
      element("span", { class: "quiet" }, title === undefined ? "" : ` ${title}.`),
    ]);
  }

  async function gates(): Promise<void> {
    const waiting = await dom.get<readonly Waiter[]>("/gates");
    find("gates-part").hidden = waiting.length === 0;
    dom.show(find("gates"), waiting, () =>
      waiting.map(({ gate, exchange }) =>
        element(
          "li",
          { class: "rule" },
          element("span", {}, `Exchange #${exchange} waits at ${gate}`),
          dom.button(
            "Release",
            { id: `release:${exchange}`, "aria-label": `Release exchange ${exchange} from ${gate}` },
            () => dom.call("POST", `/gates/${encodeURIComponent(gate)}/release`, { exchange }),
          ),
        ),
      ),
    );
  }

  return async (_state: StateReport, fresh: boolean): Promise<void> => {
    await Promise.all([gates(), ...(fresh ? [rules(), name()] : [])]);
  };
}
