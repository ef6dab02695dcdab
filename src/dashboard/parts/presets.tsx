/** The scenarios that come with the package, as cards to switch on and off, one over the other. */

import type { Cockpit } from "../cockpit.ts";
import { addPreset, backToPlain, onlyPresets, presetsIn } from "../deed.ts";

export function Presets({ known, act }: Cockpit) {
  const { presets = [], scenario } = known;
  const on = presetsIn(scenario?.name ?? "default");
  const toggle = (name: string) => {
    const others = on.filter((one) => one !== name);
    if (!on.includes(name)) return act.run(addPreset(name));
    return act.run(others.length === 0 ? backToPlain : onlyPresets(others, name));
  };
  return (
    <section class="presets" aria-labelledby="presets-title">
      <h2 id="presets-title">Presets</h2>
      <p class="note">
        Rules, and for some data and a clock. They stack: the last one on is asked first. Off takes its data
        back too.
      </p>
      <ul class="cards">
        {presets
          .filter(({ name }) => name !== "default")
          .map(({ name, title, description }) => {
            const isOn = on.includes(name);
            return (
              <li class={isOn ? "card preset is-on" : "card preset"} key={name}>
                <button
                  type="button"
                  role="switch"
                  aria-checked={String(isOn)}
                  aria-label={name}
                  onClick={() => toggle(name)}
                >
                  {isOn ? "On" : "Off"}
                </button>
                <div>
                  <h3>{title}</h3>
                  <p class="quiet">
                    <code>{name}</code>
                  </p>
                  {description === undefined ? null : <p>{description}</p>}
                </div>
              </li>
            );
          })}
      </ul>
    </section>
  );
}
