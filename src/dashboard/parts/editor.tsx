/** Edits a rule as JSON. The sandbox validates the rule as you type, and the editor underlines each error. */
import { type Child, useState } from "hono/jsx";
import type { RuleStatus } from "../../rules/rule.ts";
import { replaceRule } from "../action.ts";
import type { Actions } from "../cockpit.ts";
import { findSpan, formatPosition, readJson, type Span } from "../json-text.ts";
import { escapeUnseen } from "../plain.ts";
import { getFieldText } from "./field.ts";

type EditorProps = {
  readonly status: RuleStatus;
  readonly act: Actions;
  readonly close: () => void;
};

type EditorError = { readonly message: string; readonly span: Span };

export function Editor({ status: { id, rule }, act, close }: EditorProps) {
  const { id: _id, ...written } = rule;
  const [text, setText] = useState(JSON.stringify(written, undefined, 2));
  const [mistakes, setMistakes] = useState<readonly EditorError[]>([]);
  const edit = async (typed: string) => {
    setText(typed);
    setMistakes(await mistakesIn(typed, act));
  };
  return (
    <form
      class="editor"
      onSubmit={async (event: Event) => {
        event.preventDefault();
        if (mistakes.length === 0 && (await act.run(replaceRule(id, JSON.parse(text), written)))) close();
      }}
    >
      <label>
        The rule {id} as JSON
        <span class="written">
          <pre aria-hidden="true">{underlined(text, mistakes)}</pre>
          <textarea
            spellcheck={false}
            value={text}
            aria-invalid={mistakes.length === 0 ? undefined : "true"}
            aria-describedby={`mistakes-${id}`}
            onInput={(event) => void edit(getFieldText(event))}
          />
        </span>
      </label>
      <div role="status" id={`mistakes-${id}`}>
        <ul>
          {mistakes.map(({ message, span }) => (
            <li class="mistake">
              <code>{formatPosition(text, span.start)}</code> {escapeUnseen(message)}
            </li>
          ))}
        </ul>
      </div>
      <p class="actions">
        <button type="submit" class="primary" disabled={mistakes.length > 0}>
          Save
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

async function mistakesIn(text: string, act: Actions): Promise<readonly EditorError[]> {
  const json = readJson(text);
  const whole = findSpan(json, "");
  if (json.broken !== undefined) return [{ message: "This is not valid JSON.", span: json.broken }];
  if (whole === undefined || text[whole.start] !== "{")
    return [{ message: "A rule must be a JSON object.", span: whole ?? { start: 0, end: 0 } }];
  const { mistakes } = await act.check(JSON.parse(text));
  return mistakes
    .map(({ message, pointer = "" }) => ({
      message: brief(message),
      span: findSpan(json, pointer) ?? whole,
    }))
    .sort((one, other) => one.span.start - other.span.start);
}

/** Shortens an error message: removes its JSON Pointer. If the message suggests a name, also removes the list of known names. */
function brief(message: string): string {
  return message.replace(/ \(at \/[^)]*\)$/, "").replace(/( Did you mean [^?]*\?) Known: .*$/s, "$1");
}

/** Returns the text with underlined errors. The page shows this text behind the text field, so that the lines match. */
function underlined(text: string, mistakes: readonly EditorError[]): readonly Child[] {
  const parts: Child[] = [];
  let at = 0;
  for (const { start, end } of mistakes.map(({ span }) => span)) {
    if (start < at) continue;
    parts.push(text.slice(at, start), <mark>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at), "\n"];
}
