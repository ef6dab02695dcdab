/** One collection as a table, the one that was chosen. */

import type { StateReport } from "../../sandbox/state-report.ts";
import type { Dom } from "./dom.ts";

export function data(dom: Dom) {
  const { element, find } = dom;
  const MOST = 200;
  type Entity = Readonly<Record<string, unknown>>;
  const chosen = find("collection");

  const cell = (value: unknown): string =>
    value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

  function table(entities: readonly Entity[]) {
    const names = [...new Set(entities.flatMap((entity) => Object.keys(entity)))];
    const heads = names.map((name) => element("th", { scope: "col" }, name));
    const rows = entities.map((entity) =>
      element("tr", {}, ...names.map((name) => element("td", {}, cell(entity[name])))),
    );
    const head = element("thead", {}, element("tr", {}, ...heads));
    return element("table", {}, head, element("tbody", {}, ...rows));
  }

  async function read(): Promise<void> {
    const entities = await dom.get<readonly Entity[]>(`/data/${chosen.value}`);
    const first = entities.slice(0, MOST);
    const more = entities.length > MOST ? `, of which the first ${MOST} are shown` : "";
    find("data-note").replaceChildren(`${entities.length} in ${chosen.value}${more}.`);
    dom.show(find("entities"), [chosen.value, first], () => (first.length === 0 ? [] : [table(first)]));
  }

  chosen.addEventListener("change", () => void dom.attempt(read));
  return (_state: StateReport, fresh: boolean): Promise<void> | void => (fresh ? read() : undefined);
}
