/** The page Time: clock, tokens and gates. */
import type { IssuedTokenView } from "../../sandbox/views.ts";
import { clearThrottle } from "../action.ts";
import type { Actions, Cockpit } from "../cockpit.ts";
import { ClockButtons } from "../parts/clock-buttons.tsx";
import { Empty } from "../parts/empty.tsx";
import { InFlight } from "../parts/in-flight.tsx";
import { QuietButton } from "../parts/quiet-button.tsx";
import { escapeUnseen } from "../plain.ts";

export function Time(cockpit: Cockpit) {
  const { known, act } = cockpit;
  const { tokens = [], state } = known;
  if (state === undefined) return null;
  const { now, mode } = state.clock;
  return (
    <>
      <h1 class="hidden">Time</h1>
      <section class="card clock-card" aria-labelledby="now-title">
        <h2 id="now-title">Now</h2>
        <p class="now">
          <time datetime={now}>{now.slice(0, 19).replace("T", " ")}</time>{" "}
          <span class={`mode ${mode}`}>{mode}</span>
        </p>
        <ClockButtons steps={["1m", "1h", "24h", "7d", "30d"]} clock={state.clock} act={act} />
      </section>
      <section class="card" aria-labelledby="tokens-title">
        <h2 id="tokens-title">Tokens</h2>
        {tokens.length === 0 ? (
          <p class="quiet">No valid tokens.</p>
        ) : (
          <Tokens tokens={tokens} now={now} act={act} />
        )}
      </section>
      <section class="card" aria-labelledby="gates-title">
        <h2 id="gates-title">Waiting at gates</h2>
        <Gates {...cockpit} />
      </section>
    </>
  );
}

function Gates(cockpit: Cockpit) {
  const { known, act } = cockpit;
  const { waiting = [], open = [] } = known;
  if (waiting.length === 0)
    return (
      <Empty
        act={act}
        title="No request waits at a gate."
        sample={'sandbox.use({ when: { operation: "account.login" }, then: { hold: "gate" } });'}
      >
        Add a rule with a gate. It holds requests here until you release them:
      </Empty>
    );
  const seqs = new Set(waiting.map(({ exchange }) => exchange));
  return (
    <div class="list">
      <InFlight exchanges={open.filter(({ seq }) => seqs.has(seq))} cockpit={cockpit} />
    </div>
  );
}

type TokensProps = {
  readonly tokens: readonly IssuedTokenView[];
  readonly now: string;
  readonly act: Actions;
};

function Tokens({ tokens, now, act }: TokensProps) {
  return (
    <section class="scroll" tabindex={0} aria-label="Valid tokens">
      <table>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Expires in</th>
            <th scope="col" class="instant">
              At
            </th>
            <th scope="col">Next login</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ user, environment, expires, nextLogin }) => (
            <tr>
              <th scope="row">
                {escapeUnseen(user)} <span class="quiet">{environment}</span>
              </th>
              <td class="number">{between(now, expires)}</td>
              <td class="instant">
                <time datetime={expires}>{expires.slice(0, 19).replace("T", " ")}</time>
              </td>
              <td>
                {nextLogin === undefined ? (
                  "now"
                ) : (
                  <>
                    in {between(now, nextLogin)}{" "}
                    <QuietButton
                      aria-label={`Allow login: ${user}`}
                      onClick={() => act.run(clearThrottle(user, environment))}
                    >
                      Allow login
                    </QuietButton>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Formats the time between two timestamps: `23:59:12` or `2 d 23:59:12`. */
function between(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1_000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const clock = [hours, minutes, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return days === 0 ? clock : `${days} d ${clock}`;
}
