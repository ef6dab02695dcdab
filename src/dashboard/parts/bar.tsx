/** The bar of every page: world, scenario, clock and connection. */
import { type Child, useState } from "hono/jsx";
import type { StateReport } from "../../sandbox/views.ts";
import { advance, forkWorld, parsePresets, removeWorld, reset, resetScenario, setClock } from "../action.ts";
import type { Actions, Cockpit, Connection } from "../cockpit.ts";
import { buildControlPath, buildHref, onlyWorld } from "../location.ts";
import { ClockButtons } from "./clock-buttons.tsx";
import { getFieldText } from "./field.ts";
import { NameForm } from "./name-form.tsx";
import { QuietButton } from "./quiet-button.tsx";
import { SureButton } from "./sure-button.tsx";

export function Bar(cockpit: Cockpit) {
  const { place, tab, act } = cockpit;
  return (
    <header class="bar">
      <a class="home" aria-label="vitrine: Start" href={buildHref(onlyWorld(place), { page: "start" })}>
        <img src={`${buildControlPath(place)}/dashboard.svg`} alt="" width="22" height="22" />
        <span class="name">vitrine</span>
      </a>
      <Worlds {...cockpit} />
      <ScenarioChip {...cockpit} />
      <Clock {...cockpit} />
      <p class={`connection ${tab.connection}`} role="status" title={CONNECTIONS[tab.connection]}>
        <span class="dot" aria-hidden="true" />
        <span class="word">{tab.connection}</span>
      </p>
      <button
        type="button"
        class="reset"
        onClick={() => act.run(reset)}
        title="Data, clock, rules, mailbox and journal of this world"
      >
        Reset
      </button>
    </header>
  );
}

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  live: "Connected. Changes appear at once.",
  waiting: "Waiting for the sandbox.",
  blocked: "The sandbox did not answer in time. The page shows the last known state.",
  lost: "No connection to the sandbox. The page shows the last known state.",
  ended: "The sandbox has no world of this name.",
};

function Worlds({ known, place, act }: Cockpit) {
  // Sorted by name, because the sandbox lists worlds by last use.
  const worlds = [...(known.worlds ?? [])].sort((one, other) =>
    rankOf(one.id).localeCompare(rankOf(other.id), [], { numeric: true }),
  );
  const address = worlds
    .find(({ id }) => id === place.world)
    ?.urls["museum"]?.replace(/\/museum\/v1\.1$/, "");
  return (
    <>
      <Menu
        name="worlds"
        title="World"
        label={
          <>
            <span class="label">World</span> <b>{place.world}</b>
          </>
        }
      >
        <nav aria-label="Worlds">
          <ul class="choices">
            {worlds.map(({ id }) => (
              <li key={id}>
                <a
                  href={buildHref(onlyWorld(place), { world: id, page: place.page })}
                  aria-current={id === place.world ? "true" : undefined}
                >
                  {id}
                </a>
                {id === "main" ? null : (
                  <SureButton
                    class="quiet-button"
                    aria-label={`End ${id}`}
                    sure={`End ${id}?`}
                    act={() => void act.run(removeWorld(id))}
                  >
                    End
                  </SureButton>
                )}
              </li>
            ))}
          </ul>
        </nav>
        <NameForm placeholder="w1, w2, …" make={forkWorld} act={act}>
          <button type="submit" class="primary">
            New world
          </button>
        </NameForm>
        <p class="note">A copy of {place.world} with its own data, clock and rules.</p>
      </Menu>
      {address === undefined ? null : (
        <span class="address">
          <code>{address}</code>
          <QuietButton
            onClick={() => act.copy("the address", address)}
            aria-label="Copy the address of this world"
          >
            Copy
          </QuietButton>
        </span>
      )}
    </>
  );
}

function rankOf(world: string): string {
  return world === "main" ? "" : world;
}

function ScenarioChip({ known, place, act }: Cockpit) {
  const name = known.scenario?.name ?? "default";
  const presets = parsePresets(name);
  const label = presets.length === 0 ? "none" : name;
  return (
    <Menu
      name="scenario"
      title="Scenario"
      label={
        <>
          <span class="label">Scenario</span> <b class={presets.length === 0 ? "" : "is-on"}>{label}</b>
        </>
      }
    >
      <p>{presets.length === 0 ? "No scenario is active." : known.scenario?.title}</p>
      <p class="actions">
        <a class="button" href={buildHref(onlyWorld(place), { page: "misbehave" })}>
          Choose presets
        </a>
        {presets.length === 0 ? null : (
          <button type="button" onClick={() => act.run(resetScenario)}>
            Remove scenario
          </button>
        )}
      </p>
      <p class="note">This also resets clock, data and settings. Rules that you added stay.</p>
    </Menu>
  );
}

function Clock({ known: { state }, act }: Cockpit) {
  if (state === undefined) return null;
  const { now, mode } = state.clock;
  return (
    <Menu
      name="clock"
      title="The sandbox's clock"
      label={
        <>
          <time datetime={now}>
            <span class="date">{now.slice(0, 10)} </span>
            {now.slice(11, 16)}
            <span class="seconds">{now.slice(16, 19)}</span>
          </time>{" "}
          <span class={`mode ${mode}`}>{mode}</span>
        </>
      }
    >
      <ClockButtons steps={["1h", "24h", "30d"]} clock={state.clock} act={act} />
      <SetClock clock={state.clock} act={act} />
      <p class="note">In UTC. Advancing sends due mails and ends presales and tokens.</p>
    </Menu>
  );
}

function SetClock({ clock, act }: { readonly clock: StateReport["clock"]; readonly act: Actions }) {
  const [text, setText] = useState("");
  return (
    <form
      class="inline"
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (text !== "")
          void act.run(
            /^[+-]?\d+(\.\d+)?[a-z]/.test(text)
              ? advance(text.replace("+", ""), clock)
              : setClock(text, clock),
          );
      }}
    >
      <label>
        Duration or time
        <input
          value={text}
          placeholder={`36h, ${clock.now.slice(0, 16)}Z`}
          onInput={(event) => setText(getFieldText(event))}
        />
      </label>
      <button type="submit">Move</button>
    </form>
  );
}

type MenuProps = {
  readonly name: string;
  readonly label: Child;
  /** Purpose of the button. Needed because its label is only a value. */
  readonly title: string;
  readonly children: Child;
};

/** A button that opens a panel, even without JavaScript. With JavaScript, Escape or a click outside closes the panel. */
function Menu({ name, label, title, children }: MenuProps) {
  return (
    <details class={`menu menu-${name}`} name="menu">
      <summary title={title}>{label}</summary>
      <div class="panel">{children}</div>
    </details>
  );
}
