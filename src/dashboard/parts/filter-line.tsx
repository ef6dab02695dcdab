/** The filter line of the list of exchanges, with suggestions. */
import { useState } from "hono/jsx";
import type { Cockpit } from "../cockpit.ts";
import { parseFilter } from "../filter.ts";
import { escapeUnseen } from "../plain.ts";
import { listSuggestions, type Suggestion } from "../suggest.ts";
import { getFieldText, getPressedKey, setFieldText } from "./field.ts";
import { shortcut } from "./shortcut.ts";

const NONE = -1;

export function FilterLine({ known, place, tab, act }: Cockpit) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(NONE);
  const line = place.filter ?? "";
  const { mistake = tab.mistake } = parseFilter(line);
  const all = isOpen ? listSuggestions(line, known) : [];
  const choose = (index: number) => {
    setOpen(true);
    setChosen(index);
  };
  const close = () => {
    setOpen(false);
    setChosen(NONE);
  };
  const take = (one: Suggestion) => {
    choose(NONE);
    act.go({ filter: one.line });
  };
  const taken = all[chosen];
  const put = (event: Event) => {
    if (taken === undefined) return;
    take(taken);
    // Update the field immediately, because the user may type before the next rendering.
    setFieldText(event, taken.line);
  };
  const keys: Readonly<Record<string, (event: Event) => void>> = {
    ArrowDown: () => choose(Math.min(chosen + 1, all.length - 1)),
    ArrowUp: () => choose(Math.max(chosen - 1, NONE)),
    ...(all.length === 0 ? {} : { Escape: close }),
    ...(taken === undefined ? {} : { Enter: put, Tab: put }),
  };
  return (
    <form onSubmit={(event: Event) => event.preventDefault()}>
      <label class="filter">
        <span class="hidden">Filter</span>
        <input
          id="filter"
          {...shortcut("/")}
          type="search"
          role="combobox"
          value={line}
          placeholder="status:4xx operation:museum.* user:ada@example.test, or a word"
          aria-autocomplete="list"
          aria-expanded={String(all.length > 0)}
          aria-controls="suggestions"
          aria-activedescendant={taken === undefined ? undefined : `suggestion-${chosen}`}
          aria-invalid={mistake === undefined ? undefined : "true"}
          aria-describedby={mistake === undefined ? undefined : "filter-mistake"}
          autocomplete="off"
          spellcheck={false}
          onInput={(event: Event) => {
            choose(NONE);
            act.go({ filter: getFieldText(event) || undefined });
          }}
          onKeyDown={(event: Event) => {
            const work = keys[getPressedKey(event)];
            if (work === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            work(event);
          }}
          onBlur={close}
        />
      </label>
      {all.length === 0 ? null : (
        <div class="suggestions" id="suggestions" role="listbox" aria-label="Suggestions">
          {all.map((one, index) => (
            <div
              id={`suggestion-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={String(index === chosen)}
              // Not `onClick`: before a click, the field loses the focus, which closes the list.
              onMouseDown={(event: Event) => {
                event.preventDefault();
                take(one);
              }}
            >
              <code>{escapeUnseen(one.text)}</code> <span class="quiet">{one.about}</span>
            </div>
          ))}
        </div>
      )}
    </form>
  );
}
