/**
 * The journal as a list, newest first, and the details of an exchange when it is opened. It is read once; from then on
 * exchanges arrive as they end.
 */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { StateReport } from "../../sandbox/state-report.ts";
import type { Dom } from "./dom.ts";
import type { PageElement } from "./window.ts";

export function journal(dom: Dom) {
  const { element, find } = dom;
  const MOST_ROWS = 200;
  const list = find("exchanges");
  /** Parts of a matcher, by the fields that ask for them. */
  const wanted = {
    operation: find("filter-operation"),
    status: find("filter-status"),
    text: find("filter-text"),
  };
  let known = 0;

  const badge = (text: string, kind = ""): PageElement => element("span", { class: `badge ${kind}` }, text);
  const block = (title: string, text: string): readonly PageElement[] => [
    element("h3", {}, title),
    dom.block(title, text),
  ];
  const items = (title: string, texts: readonly string[]): readonly PageElement[] =>
    texts.length === 0
      ? []
      : [element("h3", {}, title), element("ul", {}, ...texts.map((text) => element("li", {}, text)))];

  function message(first: string, headers: Readonly<Record<string, string>>, body = ""): string {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [first, ...lines, ...(body === "" ? [] : ["", pretty(body)])].join("\n");
  }

  function pretty(body: string): string {
    try {
      return JSON.stringify(JSON.parse(body), undefined, 2);
    } catch {
      return body; // it is not JSON, or was truncated
    }
  }

  function details(one: RecordedExchange): readonly PageElement[] {
    const { base, path, search, headers, requestText, responseHeaders, responseBody } = one;
    const { operation, at, durationMs, user, problem, fault, made, gone } = one;
    const took = durationMs === undefined ? undefined : `${durationMs} ms`;
    const left = gone === undefined ? undefined : "the client, before its answer";
    const facts = Object.entries({ operation, at, took, user, problem, fault, made, left }).flatMap(
      ([name, value]) =>
        value === undefined ? [] : [element("dt", {}, name), element("dd", {}, `${value}`)],
    );
    const sent = message(`${one.method} ${base}${path}${search}`, headers, requestText);
    const answered =
      one.status === undefined ? notSent(one) : message(`${one.status}`, responseHeaders, responseBody);
    const part = one.sent === undefined ? "" : `${one.sent.bytes} of ${one.sent.of} bytes of the body left.`;
    return [
      element("dl", {}, ...facts),
      ...items(
        "Findings",
        one.findings.map(({ key, message }) => `${key}: ${message}`),
      ),
      ...items(
        "Rules",
        one.rules.map(({ rule, outcome, why }) => `${rule} ${outcome}: ${why}`),
      ),
      ...block("Request", sent),
      ...block("Response", answered),
      ...(part === "" ? [] : [element("p", { class: "quiet" }, part)]),
      ...one.changes.flatMap(({ collection, key, kind, before, after }) =>
        block(`${kind} ${collection} ${key}`, dom.plain({ before, after })),
      ),
    ];
  }

  function notSent({ fault, made }: RecordedExchange): string {
    const why = fault === undefined ? "the client had left" : `fault ${fault}`;
    const done = made === undefined ? "" : ` The work was done: ${made} was made, and never sent.`;
    return `No answer was sent: ${why}.${done}`;
  }

  function row(one: RecordedExchange): PageElement {
    const { seq, method, path, search, status, fault, problem, gone } = one;
    const broken = fault ?? (gone === undefined ? undefined : "gone");
    const applied = one.rules.filter(({ outcome }) => outcome === "applied").map(({ rule }) => rule);
    const summary = element(
      "summary",
      {},
      element("span", { class: "seq" }, `#${seq}`),
      badge(broken ?? String(status ?? "none"), broken === undefined ? `s${String(status).charAt(0)}` : "s5"),
      element("code", { class: "line" }, `${method} ${one.base}${path}${search}`),
      element("span", { class: "quiet what" }, one.operation ?? "no operation"),
      ...(problem === undefined ? [] : [badge(problem)]),
      ...applied.map((rule) => badge(`rule ${rule}`, "rule")),
      ...(one.findings.length === 0 ? [] : [badge(`${one.findings.length} found`, "found")]),
      ...(one.changes.length === 0 ? [] : [badge(`${one.changes.length} changed`, "changed")]),
    );
    const made = element("details", { id: `exchange-${seq}` }, summary);
    let drawn = false;
    made.addEventListener("toggle", () => {
      if (made.open && !drawn) made.append(element("div", { class: "opened" }, ...details(one)));
      drawn ||= made.open;
    });
    return element("li", {}, made);
  }

  /** The exchanges that match what is asked for, those after the number `after`. */
  function matching(after: number): Promise<readonly RecordedExchange[]> {
    const query = new URLSearchParams({ after: String(after) });
    for (const [name, { value }] of Object.entries(wanted)) if (value !== "") query.set(name, value);
    return dom.get(`/journal?${query}`);
  }

  async function load(): Promise<void> {
    const newest = (await matching(0)).slice(-MOST_ROWS).reverse();
    list.replaceChildren(...newest.map(row));
    note();
  }

  function note(): void {
    const { childElementCount } = list;
    const none = "Nothing yet. Call one of the services and it will show up here.";
    const many = childElementCount === MOST_ROWS ? `The newest ${MOST_ROWS} are shown.` : "";
    find("journal-note").replaceChildren(childElementCount === 0 ? none : many);
  }

  async function add(one: RecordedExchange): Promise<void> {
    dom.stir();
    known += 1;
    const isFiltered = Object.values(wanted).some(({ value }) => value !== "");
    if (isFiltered && !(await matching(one.seq - 1)).some(({ seq }) => seq === one.seq)) return;
    // The number is listed already: it was read a moment ago, or the journal has started again.
    if (dom.window.document.getElementById(`exchange-${one.seq}`) !== null) return load();
    list.prepend(row(one));
    if (list.childElementCount > MOST_ROWS) list.lastElementChild?.remove();
    note();
  }

  find("filter").addEventListener("submit", (event) => event.preventDefault());
  for (const field of Object.values(wanted)) field.addEventListener("change", () => void dom.attempt(load));
  dom.onClick("clear-journal", () => dom.call("DELETE", "/journal").then(load));
  const events = new dom.window.EventSource(`${dom.base}/events`);
  // A stream that was interrupted has missed some.
  events.addEventListener("open", () => void dom.attempt(load));
  events.addEventListener("exchange", ({ data }) => void dom.attempt(() => add(JSON.parse(data))));

  /** A journal that was emptied is read again. */
  return async ({ exchanges }: StateReport): Promise<void> => {
    if (exchanges < Math.min(known, MOST_ROWS)) await load();
    known = exchanges;
  };
}
