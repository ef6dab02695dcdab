import { useState } from "hono/jsx";
import type { Cockpit } from "../cockpit.ts";
import { getFieldText } from "./field.ts";

export function Unlock({ tab, act }: Cockpit) {
  const [token, setToken] = useState("");
  return (
    <main class="unlock" id="page">
      <h1>vitrine</h1>
      <p>
        This sandbox asks for its control token: what it was started with as VITRINE_CONTROL_TOKEN or
        --control-token-file.
      </p>
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
      <p class="note">It is kept until this tab is closed, and sent to this sandbox alone.</p>
      <noscript>
        <p class="note">
          Without its script the page has no way to send it. The control API takes it as Authorization:
          Bearer.
        </p>
      </noscript>
    </main>
  );
}
