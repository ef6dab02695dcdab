/** The page Requests: the list of exchanges, and the details of one exchange next to it. */
import type { Child } from "hono/jsx";
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { clearJournal } from "../action.ts";
import type { Cockpit } from "../cockpit.ts";
import { parseFilter, QUICK_FILTERS, toJournalQuery } from "../filter.ts";
import { buildHref } from "../location.ts";
import { Compare } from "../parts/compare.tsx";
import { Detail } from "../parts/detail.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExchangeRow } from "../parts/exchange-row.tsx";
import { FilterLine } from "../parts/filter-line.tsx";
import { InFlight } from "../parts/in-flight.tsx";
import { PanelHead } from "../parts/panel-head.tsx";
import { shortcut } from "../parts/shortcut.ts";
import { SureButton } from "../parts/sure-button.tsx";
import { NEWEST_COUNT } from "../reads.ts";
import { buildFirstCall } from "../samples.ts";

export function Requests(cockpit: Cockpit) {
  const side = sideOf(cockpit);
  return (
    <>
      <h1 class="hidden">Requests</h1>
      <Toolbar {...cockpit} />
      <div class={side === null ? "requests" : "requests with-detail"}>
        <List {...cockpit} />
        {side}
      </div>
    </>
  );
}

function sideOf(cockpit: Cockpit): Child {
  const { known, place } = cockpit;
  if (place.seq === undefined) return null;
  const open = exchangeOf(place.seq, known.exchanges, known.picked);
  const other = exchangeOf(place.other, known.exchanges, known.other);
  if (open === undefined) return <Missing seq={place.seq} href={buildHref(place, { seq: undefined })} />;
  if (other === undefined) return <Detail cockpit={cockpit} exchange={open} />;
  return <Compare cockpit={cockpit} one={open} other={other} />;
}

function Missing({ seq, href }: { readonly seq: number; readonly href: string }) {
  return (
    <article class="detail" aria-labelledby="detail-title">
      <PanelHead id="detail-title" href={href} close="Close the details">
        #{seq} is not in the journal
      </PanelHead>
      <p class="quiet">The journal was cleared or has dropped it.</p>
    </article>
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

function Toolbar(cockpit: Cockpit) {
  const { place, act, tab, known } = cockpit;
  const line = place.filter ?? "";
  const { matcher, mistake = tab.mistake } = parseFilter(line);
  const query = new URLSearchParams(toJournalQuery(matcher));
  const isEmpty = (known.state?.exchanges ?? 0) === 0;
  return (
    <section class="toolbar" aria-label="Filter and journal">
      <search>
        <FilterLine {...cockpit} />
      </search>
      <p class="chips">
        {QUICK_FILTERS.map(({ name, filter }) => (
          <a
            class="chip"
            href={buildHref(place, { filter: line === filter ? undefined : filter })}
            aria-current={line === filter ? "true" : undefined}
          >
            {name}
          </a>
        ))}
      </p>
      <p class="actions">
        <button
          type="button"
          {...shortcut(".")}
          aria-pressed={String(tab.paused)}
          onClick={() => act.pause()}
        >
          {tab.paused ? `Resume${tab.missed === 0 ? "" : ` (${tab.missed} new)`}` : "Pause"}
        </button>
        <span class="group">
          <span class="label">Save as</span>
          <button
            type="button"
            disabled={isEmpty}
            title="The listed exchanges, for the tools of browsers"
            onClick={() => act.save(`/har?${query}`, `vitrine-${place.world}.har`)}
          >
            HAR
          </button>
          <button
            type="button"
            disabled={isEmpty}
            title="The listed exchanges, for vitrine show"
            onClick={() => act.save(`/capsule?${query}`, `vitrine-${place.world}.capsule.json`)}
          >
            Capsule
          </button>
        </span>
        <SureButton disabled={isEmpty} sure="Clear all?" act={() => void act.run(clearJournal)}>
          Clear
        </SureButton>
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
  const { exchanges = [], state } = known;
  const waiting = exchanges.filter(({ waits }) => waits !== undefined);
  const others = exchanges.filter(({ waits }) => waits === undefined);
  const newest = others.slice(-tab.rows).reverse();
  const hrefTo = (seq: number): string =>
    buildHref(place, tab.comparing && seq !== place.seq ? { other: seq } : { seq, other: undefined });
  const oldest = others[0]?.seq ?? 0;
  const total = state?.exchanges ?? 0;
  const dropped = place.filter === undefined ? (others.at(-1)?.seq ?? 0) - total : 0;
  return (
    <section class="list" aria-label="Exchanges">
      <InFlight exchanges={waiting} cockpit={cockpit} />
      {known.exchanges === undefined ? null : newest.length === 0 ? (
        <Nothing {...cockpit} />
      ) : (
        <ol class="rows" aria-label="The newest first">
          {newest.map((exchange) => (
            <ExchangeRow
              key={exchange.seq}
              exchange={exchange}
              href={hrefTo(exchange.seq)}
              isOpen={exchange.seq === place.seq || exchange.seq === place.other}
            />
          ))}
        </ol>
      )}
      {others.length >= NEWEST_COUNT && oldest > 1 ? (
        <p class="earlier">
          {exchanges.length < total ? (
            <button type="button" onClick={() => act.showEarlier()}>
              Earlier ones
            </button>
          ) : null}{" "}
          <span class="quiet">
            {others.length} of {total} are shown.
            {dropped > 0 ? ` ${dropped} earlier ones are no longer in the journal.` : ""}
          </span>
        </p>
      ) : null}
    </section>
  );
}

function Nothing({ known, place, act }: Cockpit) {
  const all = known.state?.exchanges ?? 0;
  if (place.filter !== undefined && all > 0)
    return (
      <Empty act={act} title="No exchange matches.">
        <a class="button" href={buildHref(place, { filter: undefined })}>
          Show all {all}
        </a>
      </Empty>
    );
  if (known.exchanges !== undefined && known.exchanges.length > 0)
    return <Empty act={act} title="No exchange has ended yet." />;
  const museum = known.worlds?.find(({ id }) => id === place.world)?.urls["museum"] ?? "";
  return (
    <Empty act={act} title="No request yet." sample={buildFirstCall(museum, known.credentials ?? [])}>
      This page lists each request with its response and the reason. Send the first:
    </Empty>
  );
}
