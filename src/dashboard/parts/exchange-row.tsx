/** A row of the list of exchanges. */
import { memo } from "hono/jsx";
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { escapeUnseen } from "../plain.ts";

type RowProps = {
  readonly exchange: RecordedExchange;
  readonly href: string;
  readonly isOpen: boolean;
};

export const ExchangeRow = memo(
  Row,
  (before, after) =>
    before.exchange === after.exchange && before.href === after.href && before.isOpen === after.isOpen,
);

function Row({ exchange, href, isOpen }: RowProps) {
  const { seq, at, method, base, path, search, operation, rules } = exchange;
  const { word, tone } = formatOutcome(exchange);
  const problem = exchange.problem ?? (operation === undefined ? "no operation" : undefined);
  const applied = rules.some(({ outcome }) => outcome === "applied");
  return (
    <li class={applied ? "row by-rule" : "row"} id={`exchange-${seq}`}>
      <a href={href} aria-current={isOpen ? "true" : undefined} title={escapeUnseen(base + path + search)}>
        <span class="seq">#{seq}</span>
        <time>{at.slice(11, 23)}</time>
        <b class="method">{method}</b>
        <span class={`status ${tone}`}>{word}</span>
        <span class="address">
          <span class="base">{escapeUnseen(base)}</span>
          {escapeUnseen(path + search)}
        </span>
        {problem === undefined ? null : <span class="problem">{problem}</span>}
        <span class="took">{formatDuration(exchange)}</span>
        <Marks exchange={exchange} applied={applied} />
      </a>
    </li>
  );
}

/** Marks of a row, such as `rule`. Returns null for a row without marks, because empty elements in most rows would be slow. */
function Marks({
  exchange: { changes, findings },
  applied,
}: Pick<RowProps, "exchange"> & { readonly applied: boolean }) {
  if (!applied && changes.length === 0 && findings.length === 0) return null;
  return (
    <span class="marks">
      {applied ? (
        <span class="mark rule" title="A rule acted">
          rule
        </span>
      ) : null}
      {changes.length === 0 ? null : (
        <span class="mark" title="Entities that changed">
          {changes.length} changed
        </span>
      )}
      {findings.length === 0 ? null : (
        <span class="mark found" title="Findings">
          {findings.length} {findings.length === 1 ? "hint" : "hints"}
        </span>
      )}
    </span>
  );
}

/** Short names of faults, shown after the status in the same column. */
const FAULT_WORDS: Readonly<Record<string, string>> = {
  truncate: "cut",
  "bad-chunk": "cut",
  "slow-close": "slow",
  dribble: "slow",
};

export type RowOutcome = {
  readonly word: string;
  readonly tone: "good" | "moved" | "client" | "server" | "broken" | "open";
};

/** Formats the duration of an exchange. Empty while the exchange is open. */
export function formatDuration({ durationMs }: RecordedExchange): string {
  return durationMs === undefined ? "" : `${durationMs} ms`;
}

export function formatOutcome({ status, fault, gone, durationMs }: RecordedExchange): RowOutcome {
  if (fault !== undefined && status === undefined) return { word: fault, tone: "broken" };
  if (gone !== undefined) return { word: "left", tone: "broken" };
  if (status === undefined)
    return durationMs === undefined ? { word: "…", tone: "open" } : { word: "none", tone: "broken" };
  if (fault !== undefined) return { word: `${status} ${FAULT_WORDS[fault] ?? fault}`, tone: "broken" };
  return {
    word: String(status),
    tone: status < 300 ? "good" : status < 400 ? "moved" : status < 500 ? "client" : "server",
  };
}
