/** Messages after actions, with buttons to undo the action and to copy it as curl command or test code. */
import type { StateReport } from "../../sandbox/views.ts";
import type { Actions, Cockpit, Toast } from "../cockpit.ts";
import { QuietButton } from "./quiet-button.tsx";

export function Toasts({ known, tab, act }: Cockpit) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {tab.toasts.map((toast) => (
        <One key={toast.id} toast={toast} state={known.state} act={act} />
      ))}
    </div>
  );
}

type OneProps = { readonly toast: Toast; readonly state: StateReport | undefined; readonly act: Actions };

function One({ toast, state, act }: OneProps) {
  const { id, text, kind, curl, test, undo, after } = toast;
  return (
    <div class={`toast ${kind}`}>
      <p>
        {text} {describeLater(after, state)}
      </p>
      {undo === undefined ? null : (
        <button type="button" class="primary" onClick={() => void undo()}>
          Undo
        </button>
      )}
      {curl === undefined ? null : (
        <QuietButton onClick={() => act.copy("it as curl", curl)}>as curl</QuietButton>
      )}
      {test === undefined ? null : (
        <QuietButton onClick={() => act.copy("it as TypeScript", test)}>as TypeScript</QuietButton>
      )}
      <QuietButton aria-label={`Dismiss: ${text}`} onClick={() => act.dismiss(id)}>
        ×
      </QuietButton>
    </div>
  );
}

/** Returns a warning if Undo also reverts changes that were made after the action. */
function describeLater(after: StateReport | undefined, now: StateReport | undefined): string {
  if (after === undefined || after.world !== now?.world) return "";
  const count = now.exchanges - after.exchanges;
  if (count <= 0) return now.digest === after.digest ? "" : "Undo also reverts later changes.";
  return `Undo also reverts ${count} later ${count === 1 ? "request" : "requests"}.`;
}
