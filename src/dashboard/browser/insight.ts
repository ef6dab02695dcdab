/** What is known about the client: which documented answers it has met, its findings, and the notices. */

import type { CountedAnswer, CoverageData } from "../../journal/coverage.ts";
import type { StateReport } from "../../sandbox/state-report.ts";
import type { LintFinding } from "../../sandbox/views.ts";
import type { Dom } from "./dom.ts";

export function insight(dom: Dom) {
  const { element, find } = dom;
  /** Findings cost time as the journal is long: they are read after a quiet second, or this many looks later. */
  const PATIENCE = 5;
  let waited = 0;

  const offered = new Set<string>();

  /** A filter of the journal offers what the documents promise, and what else was met. */
  function offer(id: string, values: readonly (string | number)[]): void {
    const fresh = [...new Set(values.map(String))].filter((text) => !offered.has(text));
    for (const text of fresh) offered.add(text);
    find(id).append(...fresh.map((text) => element("option", { value: text }, text)));
  }

  async function coverage(): Promise<void> {
    const { documented, undocumented } = await dom.get<CoverageData>("/coverage");
    const answers = [...documented, ...undocumented];
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
    offer(
      "filter-operation",
      answers.map(({ operation }) => operation),
    );
    offer("filter-status", statuses);
    const met = documented.filter(({ count }) => count > 0).length;
    dom.show(find("coverage"), [documented, undocumented], () => {
      const summary = `${met} of ${documented.length} documented answers met in all worlds`;
      const bar = { "aria-label": summary, max: String(documented.length), value: String(met) };
      const names = [...new Set(documented.map(({ operation }) => operation))];
      return [
        element("p", {}, `${summary}.`),
        element("progress", bar),
        element("ul", { class: "answers" }, ...names.map((name) => answersOf(name, documented))),
        ...(undocumented.length === 0
          ? []
          : [element("p", { class: "quiet" }, `${undocumented.length} were met that no document promises.`)]),
      ];
    });
  }

  function answersOf(name: string, documented: readonly CountedAnswer[]) {
    const answers = documented.filter(({ operation }) => operation === name);
    const statuses = [...new Set(answers.map(({ status }) => status))];
    const badges = statuses.map((status) => {
      const count = answers.reduce((sum, one) => sum + (one.status === status ? one.count : 0), 0);
      const [kind, label] = count === 0 ? ["badge", "never met"] : ["badge met", `met ${count} times`];
      const attributes = { class: kind, role: "img", "aria-label": `${status} ${label}` };
      return element("span", attributes, `${status}`);
    });
    return element(
      "li",
      {},
      element("span", { class: "line" }, name),
      element("span", { class: "badges" }, ...badges),
    );
  }

  async function findings(): Promise<void> {
    const list = await dom.get<readonly LintFinding[]>("/lint");
    dom.show(find("findings"), list, () => list.map(finding), "No findings.");
  }

  function finding({ severity, title, advice, exchanges }: LintFinding) {
    return element(
      "li",
      {},
      element("span", { class: `badge ${severity}` }, severity),
      element("strong", {}, ` ${title}`),
      element("p", {}, advice),
      element("p", { class: "quiet" }, "Seen in ", ...exchanges.slice(0, 10).map(link)),
    );
  }

  /** Opens the exchange in the journal, when it is among those shown. */
  function link(seq: number) {
    const made = element("a", { href: `#exchange-${seq}` }, `#${seq}`);
    made.addEventListener("click", () => {
      const details = dom.window.document.getElementById(`exchange-${seq}`);
      if (details !== null) details.open = true;
    });
    return element("span", {}, made, " ");
  }

  return async ({ notices }: StateReport, fresh: boolean): Promise<void> => {
    find("notices").hidden = notices.length === 0;
    dom.show(find("notices"), notices, () =>
      notices.map(({ key, message }) => element("p", {}, `${key}: ${message}`)),
    );
    if (fresh) await coverage();
    if (fresh || waited > 0) waited += 1;
    if (waited === 0 || (fresh && waited < PATIENCE)) return;
    waited = 0;
    await findings();
  };
}
