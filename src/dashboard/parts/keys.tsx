/** What the keys do, for those who ask with `?`. The keys themselves are in browser/keys.ts. */

import type { Cockpit } from "../cockpit.ts";

const KEYS = [
  ["g, then r m s d t l c", "to Requests, Misbehave, Start, Data, Time, mail, Client"],
  ["/", "to the filter line"],
  ["j, k", "the next, the previous request"],
  ["c", "copy the open request as curl"],
  ["x", "compare the open request with the next that is opened"],
  [".", "pause, go on"],
  ["Esc", "close what is open"],
] as const;

export function Keys({ act }: Cockpit) {
  return (
    <section class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <button type="button" onClick={() => act.set({ keys: false })}>
        Close
      </button>
    </section>
  );
}
