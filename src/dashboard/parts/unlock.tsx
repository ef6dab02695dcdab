/** Asks for the control token. */
import { useState } from "hono/jsx";
import type { Cockpit } from "../cockpit.ts";
import { getFieldText } from "./field.ts";

export function Unlock({ tab, act }: Cockpit) {
  const [token, setToken] = useState("");
  return (
    <main class="unlock" id="page">
      <h1>vitrine</h1>
      <p>Enter the control token. It is the value of VITRINE_CONTROL_TOKEN or --control-token-file.</p>
      <form
        onSubmit={(event: Event) => {
          event.preventDefault();
          act.unlock(token);
        }}
      >
        <label>
          Control token
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={(event) => setToken(getFieldText(event))}
          />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      {tab.refused === undefined ? null : (
        <p class="mistake" role="alert">
          {tab.refused}
        </p>
      )}
      <p class="note">Stored in this tab only, and sent only to this sandbox.</p>
      <noscript>
        <p class="note">
          This page needs JavaScript to send it. The control API accepts Authorization: Bearer.
        </p>
      </noscript>
    </main>
  );
}
