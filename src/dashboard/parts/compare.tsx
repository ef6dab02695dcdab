/** Shows the differences between two exchanges, headers last. */
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { Cockpit } from "../cockpit.ts";
import { readJson } from "../json-text.ts";
import { buildHref } from "../location.ts";
import { FieldTable, toCode } from "./detail.tsx";
import { PanelHead } from "./panel-head.tsx";

type CompareProps = {
  readonly cockpit: Cockpit;
  readonly one: RecordedExchange;
  readonly other: RecordedExchange;
};

export function Compare({ cockpit: { place }, one, other }: CompareProps) {
  const rows = differencesOf(one, other);
  return (
    <article class="detail" aria-labelledby="compare-title">
      <PanelHead
        id="compare-title"
        href={buildHref(place, { other: undefined })}
        close="Close the comparison"
      >
        #{one.seq} and #{other.seq}
      </PanelHead>
      {rows.length === 0 ? (
        <p class="empty-title">Only their times differ.</p>
      ) : (
        <FieldTable
          class="compare"
          head={["Differs", `#${one.seq}`, `#${other.seq}`]}
          rows={rows.map(([name, mine, theirs]) => [name, toCode(mine), toCode(theirs)])}
        />
      )}
    </article>
  );
}

type FieldDifference = readonly [name: string, one: string | undefined, other: string | undefined];

const FIRST = ["method", "address", "operation", "user", "status", "problem", "fault", "rules"];

function differencesOf(one: RecordedExchange, other: RecordedExchange): readonly FieldDifference[] {
  const [mine, theirs] = [leavesOf(one), leavesOf(other)];
  const names = [...new Set([...FIRST, ...mine.keys(), ...theirs.keys()])];
  const rows = names.map((name) => [name, mine.get(name), theirs.get(name)] as const);
  return rows.filter(([, left, right]) => left !== right);
}

/** Headers that are not compared: `date` differs between equal exchanges, and the others only follow the body. */
const ALWAYS = /^(date|content-length|etag)$/;

function leavesOf(exchange: RecordedExchange): ReadonlyMap<string, string> {
  const { method, base, path, search, operation, user, status, fault, problem, rules } = exchange;
  const applied = rules.filter(({ outcome }) => outcome === "applied").map(({ rule }) => rule);
  const plainly = {
    method,
    address: base + path + search,
    operation,
    user,
    status,
    problem,
    fault,
    rules: applied.join(", ") || undefined,
  };
  const leaves = new Map<string, string>();
  for (const [name, value] of Object.entries(plainly))
    if (value !== undefined) leaves.set(name, String(value));
  for (const [kind, text] of Object.entries({
    request: exchange.requestText,
    response: exchange.responseBody,
  }))
    for (const [pointer, value] of listValues(text)) leaves.set(kind + pointer.replaceAll("/", "."), value);
  const { headers: request, responseHeaders: response } = exchange;
  for (const [kind, headers] of Object.entries({ request, response }))
    for (const [name, value] of Object.entries(headers))
      if (!ALWAYS.test(name)) leaves.set(`${kind} ${name}`, value);
  return leaves;
}

function listValues(text = ""): readonly (readonly [pointer: string, value: string])[] {
  const { spans, broken } = readJson(text);
  if (broken !== undefined) return text === "" ? [] : [["", text]];
  const values = Array.from(spans, ([pointer, { start, end }]) => [pointer, text.slice(start, end)] as const);
  return values.filter(([, value]) => !/^([{[])\s*[^\s}\]]/.test(value));
}
