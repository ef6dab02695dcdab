/** A form with a field for a name. The field is cleared after the action succeeds. */
import { type Child, useState } from "hono/jsx";
import type { DashboardAction } from "../action.ts";
import type { Actions } from "../cockpit.ts";
import { getFieldText } from "./field.ts";

type NameFormProps = {
  /** Hint in the empty field: the default name. */
  readonly placeholder: string;
  readonly make: (name: string) => DashboardAction;
  readonly act: Actions;
  readonly children: Child;
};

export function NameForm({ placeholder, make, act, children }: NameFormProps) {
  const [name, setName] = useState("");
  return (
    <form
      class="inline"
      onSubmit={async (event: Event) => {
        event.preventDefault();
        if (await act.run(make(name))) setName("");
      }}
    >
      <label>
        Name{" "}
        <input
          value={name}
          placeholder={placeholder}
          autocomplete="off"
          onInput={(event) => setName(getFieldText(event))}
        />
      </label>
      {children}
    </form>
  );
}
