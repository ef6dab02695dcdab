/** Active rules, in the order in which vitrine evaluates them. */
import { useState } from "hono/jsx";
import type { RuleStatus } from "../../rules/rule.ts";
import { moveRule, removeRule, replaceRule, toggleRule } from "../action.ts";
import type { Actions, Cockpit } from "../cockpit.ts";
import { escapeUnseen } from "../plain.ts";
import { describeRule, isUsedUp } from "../sentence.ts";
import { Editor } from "./editor.tsx";
import { QuietButton } from "./quiet-button.tsx";

export function Rules({ known, act }: Cockpit) {
  const { rules = [] } = known;
  return (
    <section class="card rules" aria-labelledby="rules-title">
      <h2 id="rules-title">Active rules</h2>
      {rules.length === 0 ? (
        <p class="quiet">No rules. Choose a response, or turn a preset on.</p>
      ) : (
        <ol>
          {rules.map((rule, index) => (
            <Rule
              key={rule.id}
              status={rule}
              above={sameOrigin(rule, rules[index - 1])}
              below={sameOrigin(rule, rules[index + 1])}
              next={rules[index + 2]}
              act={act}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Returns the rule `beside` if both rules have the same origin. A rule can only move among rules of its origin. */
function sameOrigin(rule: RuleStatus, beside: RuleStatus | undefined): RuleStatus | undefined {
  return beside?.origin === rule.origin ? beside : undefined;
}

type RuleProps = {
  readonly status: RuleStatus;
  readonly above: RuleStatus | undefined;
  readonly below: RuleStatus | undefined;
  /** The rule after `below`. A move down places this rule between the two. */
  readonly next: RuleStatus | undefined;
  readonly act: Actions;
};

function Rule({ status, above, below, next, act }: RuleProps) {
  const [editing, setEditing] = useState(false);
  const { id, rule, enabled, matched, acted, origin } = status;
  const { who, what, often } = describeRule(rule);
  const usedUp = isUsedUp(status);
  const last = next?.origin === status.origin ? next.id : null;
  const place = below?.id ?? null;
  return (
    <li class={enabled && !usedUp ? "rule" : "rule is-off"}>
      <p class="sentence">
        <b>{escapeUnseen(who)}</b> {escapeUnseen(what)}, <b>{often}</b>
      </p>
      <p class="quiet counts">
        {escapeUnseen(id)} · {origin === "run time" ? "added at run time" : "from the scenario"} ·{" "}
        {/* A new number changes the key and thereby creates a new element. Then the style animates the number. */}
        <span class="fired" key={acted}>
          acted {acted} of {matched} matched
        </span>
        {usedUp ? " · used up" : ""}
      </p>
      <p class="actions">
        <button
          type="button"
          role="switch"
          aria-checked={String(enabled)}
          aria-label={`Rule ${id}`}
          onClick={() => act.run(toggleRule(id, !enabled))}
        >
          {enabled ? "On" : "Off"}
        </button>
        {usedUp ? (
          <button
            type="button"
            onClick={() => act.run(replaceRule(id, rule, rule))}
            aria-label={`Use again: ${id}`}
          >
            Use again
          </button>
        ) : null}
        <QuietButton
          disabled={above === undefined}
          aria-label={`Ask ${id} earlier`}
          onClick={() => above && act.run(moveRule(id, above.id, place))}
        >
          ↑
        </QuietButton>
        <QuietButton
          disabled={below === undefined}
          aria-label={`Ask ${id} later`}
          onClick={() => act.run(moveRule(id, last, place))}
        >
          ↓
        </QuietButton>
        <QuietButton
          aria-expanded={String(editing)}
          aria-label={`Edit ${id}`}
          onClick={() => setEditing(!editing)}
        >
          Edit
        </QuietButton>
        {origin === "scenario" ? null : (
          <QuietButton
            aria-label={`Remove the rule ${id}`}
            onClick={() => act.run(removeRule(status, place))}
          >
            Remove
          </QuietButton>
        )}
      </p>
      {editing ? <Editor status={status} act={act} close={() => setEditing(false)} /> : null}
    </li>
  );
}
