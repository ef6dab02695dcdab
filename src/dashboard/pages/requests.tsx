/** What the clients sent and what they got: a list with those in flight first, and one exchange beside it. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { Cockpit } from "../cockpit.ts";
import { clearJournal, release } from "../deed.ts";
import { QUICK, readFilter } from "../filter.ts";
import { Compare } from "../parts/compare.tsx";
import { Detail } from "../parts/detail.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExchangeRow } from "../parts/exchange-row.tsx";
import { textIn } from "../parts/field.ts";
import { hrefOf } from "../place.ts";
import { plain } from "../plain.ts";
import { NEWEST } from "../reads.ts";

export function Requests(cockpit: Cockpit) {
  const { known, place } = cockpit;
  const open = exchangeOf(place.seq, known.exchanges, known.picked);
  const other = exchangeOf(place.other, known.exchanges, known.other);
  const side =
    open === undefined ? null : other === undefined ? (
      <Detail cockpit={cockpit} exchange={open} />
    ) : (
      <Compare cockpit={cockpit} one={open} other={other} />
    );
  return (
    <>
      <h1 class="hidden">Requests</h1>
      <FilterLine {...cockpit} />
      <div class={side === null ? "requests" : "requests with-detail"}>
        <List {...cockpit} />
        {side}
        {place.seq !== undefined && side === null ? (
          <p class="quiet aside">#{place.seq} is not in the journal.</p>
        ) : null}
      </div>
    </>
  );
}

function exchangeOf(
  seq: number | undefined,
  exchanges: readonly RecordedExchange[] = [],
  apart: RecordedExchange | undefined,
): RecordedExchange | undefined {
  if (seq === undefined) return undefined;
  return exchanges.find((one) => one.seq === seq) ?? (apart?.seq === seq ? apart : undefined);
}

function FilterLine({ place, act, tab, known }: Cockpit) {
  const line = place.filter ?? "";
  const { mistake } = readFilter(line);
  const isEmpty = (known.state?.exchanges ?? 0) === 0;
  return (
    <section class="toolbar" aria-label="Filter and journal">
      <search>
        <form onSubmit={(event: Event) => event.preventDefault()}>
          <label class="filter">
            <span class="hidden">Filter</span>
            <input
              id="filter"
              type="search"
              value={line}
              placeholder="status:4xx operation:museum.* user:ada@example.test, or a word"
              aria-invalid={mistake === undefined ? undefined : "true"}
              aria-describedby={mistake === undefined ? undefined : "filter-mistake"}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => act.go({ filter: textIn(event) || undefined })}
            />
          </label>
        </form>
      </search>
      <p class="chips">
        {QUICK.map(({ name, filter }) => (
          <a
            class="chip"
            href={hrefOf(place, { filter: line === filter ? undefined : filter })}
            aria-current={line === filter ? "true" : undefined}
          >
            {name}
          </a>
        ))}
      </p>
      <p class="actions">
        <button type="button" aria-pressed={String(tab.paused)} onClick={() => act.pause()}>
          {tab.paused ? `Go on${tab.missed === 0 ? "" : ` (${tab.missed} new)`}` : "Pause"}
        </button>
        <button
          type="button"
          disabled={isEmpty}
          onClick={() => act.save("/har", `vitrine-${place.world}.har`)}
        >
          HAR
        </button>
        <button
          type="button"
          disabled={isEmpty}
          onClick={() => act.save("/capsule", `vitrine-${place.world}.capsule.json`)}
        >
          Capsule
        </button>
        <button type="button" disabled={isEmpty} onClick={() => act.run(clearJournal)}>
          Clear
        </button>
      </p>
      {mistake === undefined ? null : (
        <p class="mistake" id="filter-mistake" role="alert">
          {mistake}
        </p>
      )}
    </section>
  );
}

function List(cockpit: Cockpit) {
  const { known, place, tab, act } = cockpit;
  const { exchanges = [], open = [], state } = known;
  const newest = [...exchanges].reverse();
  const hrefTo = (seq: number): string =>
    hrefOf(place, tab.comparing && seq !== place.seq ? { other: seq } : { seq, other: undefined });
  if (newest.length === 0 && open.length === 0) return <Nothing {...cockpit} />;
  const oldest = exchanges[0]?.seq ?? 0;
  return (
    <section class="list" aria-label="Exchanges">
      {open.length === 0 ? null : (
        <ol class="rows in-flight" aria-label="In flight">
          {open.map((exchange) => (
            <InFlight key={exchange.seq} exchange={exchange} cockpit={cockpit} />
          ))}
        </ol>
      )}
      <ol class="rows" aria-label="Ended, the newest first">
        {newest.map((exchange) => (
          <ExchangeRow
            key={exchange.seq}
            exchange={exchange}
            href={hrefTo(exchange.seq)}
            isOpen={exchange.seq === place.seq || exchange.seq === place.other}
          />
        ))}
      </ol>
      {exchanges.length >= NEWEST && oldest > 1 ? (
        <p class="earlier">
          <button type="button" onClick={() => act.showEarlier()}>
            Earlier ones
          </button>{" "}
          <span class="quiet">
            {newest.length} of {state?.exchanges ?? 0} are shown.
          </span>
        </p>
      ) : null}
    </section>
  );
}

function InFlight({
  exchange,
  cockpit: { known, act },
}: {
  readonly exchange: RecordedExchange;
  readonly cockpit: Cockpit;
}) {
  const { seq, at, method, base, path, search } = exchange;
  const gate = known.waiting?.find((one) => one.exchange === seq)?.gate;
  return (
    <li class="row open" id={`open-${seq}`}>
      <span class="line">
        <span class="seq">#{seq}</span>
        <time datetime={at}>{at.slice(11, 23)}</time>
        <b class="method">{method}</b>
        <span class="status open">{gate === undefined ? "in flight" : "waits"}</span>
        <span class="address">
          {plain(base + path + search)}
          {gate === undefined ? null : <span class="quiet"> at the gate {plain(gate)}</span>}
        </span>
        {gate === undefined ? null : (
          <button
            type="button"
            onClick={() => act.run(release(gate, seq))}
            aria-label={`Release #${seq} from ${gate}`}
          >
            Release
          </button>
        )}
      </span>
    </li>
  );
}

function Nothing({ known, place, act }: Cockpit) {
  if (place.filter !== undefined)
    return (
      <Empty act={act} title="No exchange matches.">
        <a class="button" href={hrefOf(place, { filter: undefined })}>
          Show all {known.state?.exchanges ?? 0}
        </a>
      </Empty>
    );
  const museum = known.worlds?.find(({ id }) => id === place.world)?.urls["museum"] ?? "";
  const { user, password } = known.credentials?.[0] ?? { user: "", password: "" };
  return (
    <Empty act={act} title="No request yet." sample={`curl -u ${user}:${password} ${museum}/special-events`}>
      Each one is here as it ends: what was asked, what was answered, and why. Send the first:
    </Empty>
  );
}
