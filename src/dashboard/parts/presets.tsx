/** Switches for the presets, which are the scenarios of the package. */
import type { PresetView } from "../../sandbox/views.ts";
import { addPreset, parsePresets, removePreset, STAGES } from "../action.ts";
import type { Cockpit } from "../cockpit.ts";

export function Presets({ known, act }: Cockpit) {
  const { presets = [], scenario } = known;
  const on = parsePresets(scenario?.name ?? "default");
  const toggle = (name: string) => {
    return act.run(on.includes(name) ? removePreset(name) : addPreset(name));
  };
  const group = (isStage: boolean) =>
    presets
      .filter(({ name }) => name !== "default" && Object.hasOwn(STAGES, name) === isStage)
      .map((preset) => (
        <Preset key={preset.name} preset={preset} isOn={on.includes(preset.name)} toggle={toggle} />
      ));
  return (
    <section class="presets" aria-labelledby="presets-title">
      <h2 id="presets-title">Presets</h2>
      <p class="note">
        Presets combine; the one turned on last runs first. Turning one off keeps clock and data.
      </p>
      <h3>Rules: how the services respond</h3>
      <ul class="cards">{group(false)}</ul>
      <h3>Stages: clock, data and settings</h3>
      <ul class="cards">{group(true)}</ul>
    </section>
  );
}

type PresetProps = {
  readonly preset: PresetView;
  readonly isOn: boolean;
  readonly toggle: (name: string) => void;
};

function Preset({ preset: { name, title, description }, isOn, toggle }: PresetProps) {
  const stage = STAGES[name];
  return (
    <li class={isOn ? "card preset is-on" : "card preset"}>
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
        <h4>{title}</h4>
        <p class="quiet">
          <code>{name}</code>
          {stage === undefined ? "" : ` sets ${stage}`}
        </p>
        {description === undefined ? null : <p>{description}</p>}
      </div>
    </li>
  );
}
