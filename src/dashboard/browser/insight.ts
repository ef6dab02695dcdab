// Owns what is learnt about the client: which documented answers it has met, its habits, and what went wrong beside.

import type { CountedAnswer, CoverageData } from "../../journal/coverage.ts";
import type { Habit } from "../../sandbox/controls.ts";
import type { StateReport } from "../../sandbox/state-report.ts";
import type { Kit } from "./kit.ts";

export function insight(kit: Kit) {
  const { element, find } = kit;
  /** Habits cost what the journal is long: they are read when a second was quiet, or so many looks later. */
  const PATIENCE = 5;
  let waited = 0;

  const offered = new Set<string>();

  /** The filter of the journal offers what the documents promise, and what was met besides. */
  function offer(id: string, values: readonly (string | number)[]): void {
    const fresh = [...new Set(values.map(String))].filter((text) => !offered.has(text));
    for (const text of fresh) offered.add(text);
    find(id).append(...fresh.map((text) => element("option", { value: text }, text)));
  }

  async function coverage(): Promise<void> {
    const { documented, undocumented } = await kit.get<CoverageData>("/coverage");
    const answers = [...documented, ...undocumented];
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
    const operations = answers.map(({ operation }) => operation);
    offer("filter-operation", operations);
    offer("filter-status", statuses);
    const met = documented.filter(({ count }) => count > 0).length;
    kit.show(find("coverage"), [documented, undocumented], () => {
      const summary = `${met} of ${documented.length} documented answers met in all worlds`;
      const bar = { "aria-label": summary, max: String(documented.length), value: String(met) };
      const names = [...new Set(documented.map(({ operation }) => operation))];
      return [
        element("p", {}, `${summary}.`),
        element("progress", bar),
        element(
          "ul",
          { class: "answers" },
          ...names.map((name) =>
            answersOf(
              name,
              documented.filter(({ operation }) => operation === name),
            ),
          ),
        ),
        ...(undocumented.length === 0
          ? []
          : [element("p", { class: "quiet" }, `${undocumented.length} were met that no document promises.`)]),
      ];
    });
  }

  function answersOf(name: string, answers: readonly CountedAnswer[]) {
    const statuses = [...new Set(answers.map(({ status }) => status))];
    const badges = statuses.map((status) => {
      const count = answers.reduce((sum, one) => sum + (one.status === status ? one.count : 0), 0);
      const label = count === 0 ? `${status} never met` : `${status} met ${count} times`;
      return element(
        "span",
        { class: count === 0 ? "badge" : "badge met", role: "img", "aria-label": label },
        `${status}`,
      );
    });
    return element(
      "li",
      {},
      element("span", { class: "line" }, name),
      element("span", { class: "badges" }, ...badges),
    );
  }

  async function habits(): Promise<void> {
    const list = await kit.get<readonly Habit[]>("/lint");
    kit.show(
      find("habits"),
      list,
      () =>
        list.map(({ severity, title, advice, exchanges }) =>
          element(
            "li",
            {},
            element("span", { class: `badge ${severity}` }, severity),
            element("strong", {}, ` ${title}`),
            element("p", {}, advice),
            element("p", { class: "quiet" }, "Seen in ", ...exchanges.slice(0, 10).map(link)),
          ),
        ),
      "No habit that would hurt in production.",
    );
  }

  /** Opens the exchange in the journal, when it is among those shown. */
  function link(seq: number) {
    const made = element("a", { href: `#exchange-${seq}` }, `#${seq}`);
    made.addEventListener("click", () => {
      const details = kit.window.document.getElementById(`exchange-${seq}`);
      if (details !== null) details.open = true;
    });
    return element("span", {}, made, " ");
  }

  return async ({ notices }: StateReport, fresh: boolean): Promise<void> => {
    find("notices").hidden = notices.length === 0;
    kit.show(find("notices"), notices, () =>
      notices.map(({ key, message }) => element("p", {}, `${key}: ${message}`)),
    );
    if (fresh) await coverage();
    if (fresh || waited > 0) waited += 1;
    if (waited === 0 || (fresh && waited < PATIENCE)) return;
    waited = 0;
    await habits();
  };
}
