// Owns misbehaviour: the scenario in force, its rules, and who waits at gates.

import type { Waiter } from "../../rules/gates.ts";
import type { RuleStatus } from "../../rules/rules.ts";
import type { StateReport } from "../../sandbox/state-report.ts";
import type { Kit } from "./kit.ts";

export function scenario(kit: Kit) {
  const { element, find } = kit;

  find("presets").addEventListener("submit", (event) => {
    event.preventDefault();
    void kit.act(() => kit.call("PUT", "/scenario", { name: find("preset").value }));
  });

  function describe({ id, origin, matched, acted, rule }: RuleStatus) {
    const text = kit.plain(rule);
    return element(
      "li",
      { class: "rule" },
      element(
        "details",
        { id: `rule:${id}` },
        element(
          "summary",
          {},
          element("strong", { class: "line" }, id),
          element("span", { class: "quiet" }, `${origin}, matched ${matched}, acted ${acted}`),
        ),
        element("pre", { tabindex: "0", role: "group", "aria-label": `The rule ${id}` }, text),
      ),
      kit.button("Remove", { id: `remove:${id}`, "aria-label": `Remove the rule ${id}` }, () =>
        kit.call("DELETE", `/rules/${encodeURIComponent(id)}`),
      ),
    );
  }

  async function rules(): Promise<void> {
    const list = await kit.get<readonly RuleStatus[]>("/rules");
    kit.show(find("rules"), list, () => list.map(describe), "No rules: both services behave.");
  }

  async function name(): Promise<void> {
    const { name, title } = await kit.get<{ readonly name: string; readonly title?: string }>("/scenario");
    kit.show(find("scenario-name"), [name, title], () => [
      element("strong", {}, name),
      element("span", { class: "quiet" }, title === undefined ? "" : ` ${title}.`),
    ]);
  }

  async function gates(): Promise<void> {
    const held = await kit.get<readonly Waiter[]>("/gates");
    find("gates-part").hidden = held.length === 0;
    kit.show(find("gates"), held, () =>
      held.map(({ gate, exchange }) =>
        element(
          "li",
          { class: "rule" },
          element("span", {}, `Exchange #${exchange} waits at ${gate}`),
          kit.button(
            "Release",
            { id: `release:${exchange}`, "aria-label": `Release exchange ${exchange} from ${gate}` },
            () => kit.call("POST", `/gates/${encodeURIComponent(gate)}/release`, { exchange }),
          ),
        ),
      ),
    );
  }

  return async (_state: StateReport, fresh: boolean): Promise<void> => {
    await Promise.all([gates(), ...(fresh ? [rules(), name()] : [])]);
  };
}
