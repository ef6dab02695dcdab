/** Requests without a response yet. A button releases requests that are paused at a gate. */
import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { release } from "../action.ts";
import type { Cockpit } from "../cockpit.ts";
import { escapeUnseen } from "../plain.ts";

type InFlightProps = { readonly exchanges: readonly RecordedExchange[]; readonly cockpit: Cockpit };

export function InFlight({ exchanges, cockpit }: InFlightProps) {
  if (exchanges.length === 0) return null;
  return (
    <ol class="rows in-flight" aria-label="In flight">
      {exchanges.map((exchange) => (
        <One key={exchange.seq} exchange={exchange} cockpit={cockpit} />
      ))}
    </ol>
  );
}

type OneProps = { readonly exchange: RecordedExchange; readonly cockpit: Cockpit };

function One({ exchange, cockpit: { known, act } }: OneProps) {
  const { seq, at, method, base, path, search, waits } = exchange;
  const gate = known.waiting?.find((one) => one.exchange === seq)?.gate;
  return (
    <li class="row open" id={`open-${seq}`}>
      <span class="line">
        <span class="seq">#{seq}</span>
        <time datetime={at}>{at.slice(11, 23)}</time>
        <b class="method">{method}</b>
        <span class="status open">{waits === undefined ? "open" : "waits"}</span>
        <span class="address">
          {escapeUnseen(base + path + search)}
          {waits === undefined ? null : <span class="quiet"> {escapeUnseen(waits)}</span>}
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
