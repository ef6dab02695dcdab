/** A form that creates a rule from a documented response. */
import { useState } from "hono/jsx";
import type { RuleInput } from "../../rules/grammar.ts";
import type { CheckReport } from "../../sandbox/views.ts";
import { addRule } from "../action.ts";
import type { Cockpit } from "../cockpit.ts";
import { buildHref } from "../location.ts";
import type { ChosenOutcome } from "../pages/misbehave.tsx";
import { FAULT_TEXTS } from "../sentence.ts";
import { getFieldText } from "./field.ts";
import { PanelHead } from "./panel-head.tsx";

type RuleDetails = {
  readonly count: string;
  readonly after: string;
  readonly user: string;
  readonly delay: string;
  readonly instead: string;
};

const PLAIN: RuleDetails = { count: "3", after: "", user: "", delay: "", instead: "" };

const POINTERS = { count: "/limit/times", after: "/limit/after", user: "/when/user", delay: "/then/delay" };

const HOLD = "hold";

export function Composer({
  cockpit: { place, act },
  operation,
  outcome,
}: ChosenOutcome & { readonly cockpit: Cockpit }) {
  const [details, setDetails] = useState(PLAIN);
  const [mistakes, setMistakes] = useState<CheckReport["mistakes"]>([]);
  const field = (name: keyof typeof POINTERS) => ({
    value: details[name],
    "aria-invalid": mistakes.some(({ pointer }) => pointer === POINTERS[name]) ? "true" : undefined,
    "aria-describedby": mistakes.length === 0 ? undefined : "composer-mistakes",
    onInput: (event: Event) => setDetails({ ...details, [name]: getFieldText(event) }),
  });
  const use = async (times: string) => {
    const rule = ruleOf(outcome, details, times);
    const found = (await act.check(rule)).mistakes;
    setMistakes(found);
    if (found.length === 0) await act.run(addRule(rule));
  };
  return (
    <section class="composer card" aria-labelledby="composer-title">
      <PanelHead id="composer-title" href={buildHref(place, { force: undefined })} close="Close">
        {operation.name.replace(/^\w+\./, "")} → {outcome.status} {outcome.problem ?? ""}
      </PanelHead>
      <p class="note">
        {outcome.title} <span class="source">{outcome.source}</span>
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => use("1")}>
          Next time
        </button>
        <span class="group">
          <button type="button" onClick={() => use(details.count)}>
            Next
          </button>
          <input class="number" inputmode="numeric" aria-label="How many times" {...field("count")} />
          <span class="label">times</span>
        </span>
        <button type="button" onClick={() => use("")}>
          Always
        </button>
      </p>
      <div role="alert" id="composer-mistakes">
        {mistakes.map(({ message }) => (
          <p class="mistake">{message.replace(/ \(at \/[^)]*\)$/, "")}</p>
        ))}
      </div>
      <details class="more">
        <summary>User, delay, fault</summary>
        <div class="form-grid">
          <label>
            Only for user
            <input placeholder="any" autocomplete="off" {...field("user")} />
          </label>
          <label>
            Skip the first
            <input inputmode="numeric" placeholder="0" {...field("after")} />
          </label>
          <label>
            Delay
            <input placeholder="none, 500ms, 2s" {...field("delay")} />
          </label>
          <label>
            Fault instead
            <select
              value={details.instead}
              onChange={(event) => setDetails({ ...details, instead: getFieldText(event) })}
            >
              <option value="">none: send the response</option>
              {Object.entries(FAULT_TEXTS).map(([fault, about]) => (
                <option value={fault}>
                  {fault}: {about}
                </option>
              ))}
              <option value={HOLD}>hold: wait at a gate until released</option>
            </select>
          </label>
        </div>
      </details>
    </section>
  );
}

function ruleOf(
  { rule: { when, then } }: ChosenOutcome["outcome"],
  { after, user, delay, instead }: RuleDetails,
  times: string,
): RuleInput {
  const action = instead === "" ? then : instead === HOLD ? { hold: "gate" } : { fault: instead as never }; // Safe: all options are faults.
  const limit = {
    ...(after === "" ? {} : { after: toNumber(after) }),
    ...(times === "" ? {} : { times: toNumber(times) }),
  };
  return {
    when: { ...when, ...(user === "" ? {} : { user }) },
    ...(Object.keys(limit).length === 0 ? {} : { limit }),
    then: { ...action, ...(delay === "" ? {} : { delay: delay as never }) }, // Safe cast: `act.check` reports invalid delays.
  };
}

function toNumber(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? (text as never) : number;
}
