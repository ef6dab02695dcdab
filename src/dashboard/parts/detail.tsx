/** Details of one exchange in tabs. The first tab explains the outcome. */
import type { Child } from "hono/jsx";
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { Cockpit, CopyKind } from "../cockpit.ts";
import { formatJson } from "../json-text.ts";
import { buildHref, type DetailTab, onlyWorld, TABS } from "../location.ts";
import { escapeUnseen } from "../plain.ts";
import { buildReason } from "../why.ts";
import { formatDuration, formatOutcome } from "./exchange-row.tsx";
import { PanelHead } from "./panel-head.tsx";
import { shortcut } from "./shortcut.ts";

type DetailProps = { readonly cockpit: Cockpit; readonly exchange: RecordedExchange };

const COPIES: readonly CopyKind[] = ["curl", "fetch", "test", "rule"];

export function Detail({ cockpit, exchange }: DetailProps) {
  const { place, act, tab } = cockpit;
  const { seq, method, base, path, search, operation, problem, status, made } = exchange;
  const force = operation && `${operation}/${problem ?? status ?? made}`;
  const open = place.tab ?? "why";
  const { word, tone } = formatOutcome(exchange);
  return (
    <article class="detail" aria-labelledby="detail-title">
      <PanelHead
        id="detail-title"
        href={buildHref(place, { seq: undefined, other: undefined, tab: undefined })}
        close="Close the details"
      >
        <span class="quiet">#{seq}</span> <span class={`status ${tone}`}>{word}</span> {method}{" "}
        <span class="address">{escapeUnseen(base + path + search)}</span>
      </PanelHead>
      <p class="actions">
        <span class="group">
          <span class="label">Copy as</span>
          {COPIES.map((kind) => (
            <button
              type="button"
              {...(kind === "curl" ? shortcut("c") : {})}
              onClick={() => act.copyExchange(exchange, kind)}
              aria-label={`Copy as ${kind}`}
            >
              {kind}
            </button>
          ))}
        </span>
        <button type="button" onClick={() => act.sendAgain(exchange)}>
          Send again
        </button>
        <button
          type="button"
          {...shortcut("x")}
          aria-pressed={String(tab.comparing)}
          onClick={() => act.set({ comparing: !tab.comparing })}
        >
          Compare
        </button>
        {force === undefined ? null : (
          <a
            class="button"
            {...shortcut("f")}
            href={buildHref(onlyWorld(place), { page: "misbehave", force })}
          >
            Force a response
          </a>
        )}
      </p>
      {tab.comparing ? (
        <p class="hint" role="status">
          Open the exchange to compare #{seq} with.
        </p>
      ) : null}
      <nav class="tabs" aria-label="Details">
        {Object.entries(TABS).map(([key, title], index) => (
          <a
            key={key}
            {...shortcut(String(index + 1))}
            href={buildHref(place, { tab: key as DetailTab })}
            aria-current={key === open ? "page" : undefined}
          >
            {title}
            {key === "changed" && exchange.changes.length > 0 ? (
              <span class="count">{exchange.changes.length}</span>
            ) : null}
          </a>
        ))}
      </nav>
      <div class="tab-body">{BODIES[open]({ cockpit, exchange })}</div>
    </article>
  );
}

const BODIES: Readonly<Record<DetailTab, (props: DetailProps) => Child>> = {
  why: Why,
  request: ({ exchange }) => (
    <>
      <Body text={exchange.requestText} none={describeMissingBody(exchange)} />
      <Headers headers={exchange.headers} />
    </>
  ),
  response: ({ exchange }) => (
    <>
      <Body
        text={exchange.responseBody}
        none={exchange.status === undefined ? "No response was sent." : "The response has no body."}
      />
      <Headers headers={exchange.responseHeaders} />
    </>
  ),
  changed: Changed,
  rules: ({ exchange }) => <Rules exchange={exchange} />,
};

function Why({ cockpit: { known }, exchange }: DetailProps) {
  const { sentence, source, fields } = buildReason(exchange, known.operations ?? []);
  const facts = {
    Operation: exchange.operation ?? "none",
    Caller: exchange.user ?? "unknown",
    At: exchange.at.replace("T", " ").replace("Z", " UTC"),
    Took: formatDuration(exchange),
    Source: source ?? "",
  };
  return (
    <>
      <p class="reason">{escapeUnseen(sentence)}</p>
      {fields.length === 0 ? null : (
        <FieldTable
          head={["Field", "Problem"]}
          rows={fields.map(({ field, message }) => [field, escapeUnseen(message)])}
        />
      )}
      <Findings findings={exchange.findings} />
      {exchange.rules.length === 0 ? null : <Rules exchange={exchange} />}
      <dl class="facts">
        {Object.entries(facts).map(([name, value]) =>
          value === "" ? null : (
            <div>
              <dt>{name}</dt>
              <dd>{escapeUnseen(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </>
  );
}

/** Shows the nearest operations (`nearMiss`) as one list. Every other finding is a paragraph. */
function Findings({ findings }: Pick<RecordedExchange, "findings">) {
  const near = findings.filter(({ key }) => key === "nearMiss");
  return (
    <>
      {near.length === 0 ? null : (
        <section class="finding">
          <h3>Nearest operations</h3>
          <ul>
            {near.map(({ message }) => (
              <li>{escapeUnseen(message.replace("Nearest: ", ""))}</li>
            ))}
          </ul>
        </section>
      )}
      {findings
        .filter((one) => !near.includes(one))
        .map(({ key, message }) => (
          <p class="finding">
            {escapeUnseen(message)} <code>{key}</code>
          </p>
        ))}
    </>
  );
}

function Rules({ exchange: { rules } }: { readonly exchange: RecordedExchange }) {
  if (rules.length === 0) return <p class="quiet">No rules were active.</p>;
  return (
    <ul class="trace" aria-label="Rules, in the order in which they were asked">
      {rules.map(({ rule, outcome, why }) => (
        <li class={outcome}>
          <b>{escapeUnseen(rule)}</b>{" "}
          <span class="outcome">{outcome === "applied" ? "✓ applied" : "– skipped"}</span> {escapeUnseen(why)}
        </li>
      ))}
    </ul>
  );
}

function Changed({ exchange: { changes } }: DetailProps) {
  if (changes.length === 0) return <p class="quiet">No data changed.</p>;
  return (
    <>
      {changes.map(({ collection, key, kind, before = {}, after = {} }) => (
        <section class="change">
          <h3>
            {kind} <code>{escapeUnseen(`${collection} ${key}`)}</code>
          </h3>
          <FieldTable
            head={["Field", "Before", "After"]}
            rows={Object.keys({ ...before, ...after }).map((field) => [
              field,
              toCode(before[field]),
              toCode(after[field]),
            ])}
          />
        </section>
      ))}
    </>
  );
}

type FieldTableProps = {
  readonly class?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly [field: string, ...values: Child[]])[];
};

export function FieldTable({ class: kind = "", head, rows }: FieldTableProps) {
  return (
    <table class={`fields ${kind}`}>
      <thead>
        <tr>
          {head.map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([field, ...values]) => (
          <tr>
            <th scope="row">
              <code>{escapeUnseen(field)}</code>
            </th>
            {values.map((value) => (
              <td>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function toCode(value: unknown): Child {
  return value === undefined ? <span class="quiet">–</span> : <code>{escapeUnseen(value)}</code>;
}

function describeMissingBody({ requestText, headers }: RecordedExchange): string {
  const { "content-length": length = "0", "content-type": type = "an unknown type" } = headers;
  const isRead = requestText !== undefined || (length === "0" && !("transfer-encoding" in headers));
  return isRead
    ? "The request has no body."
    : `The service did not read the body: ${length} bytes of ${type}.`;
}

function Body({ text, none }: { readonly text: string | undefined; readonly none: string }) {
  if (text === undefined || text === "") return <p class="quiet">{none}</p>;
  return <pre>{escapeUnseen(formatJson(text))}</pre>;
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const all = Object.entries(headers);
  return (
    <details class="headers">
      <summary>{all.length} headers</summary>
      <dl>
        {all.map(([name, value]) => (
          <div>
            <dt>{escapeUnseen(name)}</dt>
            <dd>{escapeUnseen(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
