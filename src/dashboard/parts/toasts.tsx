/** What has just been done, with the way back, and the same as commands. */

import type { Actions, Cockpit, Toast } from "../cockpit.ts";
import { QuietButton } from "./quiet-button.tsx";

export function Toasts({ tab, act }: Cockpit) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {tab.toasts.map((toast) => (
        <One key={toast.id} toast={toast} act={act} />
      ))}
    </div>
  );
}

function One({ toast, act }: { readonly toast: Toast; readonly act: Actions }) {
  const { id, text, kind, curl, test, undo } = toast;
  return (
    <div class={`toast ${kind}`}>
      <p>{text}</p>
      {undo === undefined ? null : (
        <button type="button" class="primary" onClick={undo}>
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
