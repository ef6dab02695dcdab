/** What has just been done, with the way back, and the same as commands. */

import type { Cockpit, Toast } from "../cockpit.ts";

export function Toasts({ tab, act }: Cockpit) {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {tab.toasts.map((toast) => (
        <One key={toast.id} toast={toast} act={act} />
      ))}
    </div>
  );
}

function One({
  toast: { id, text, kind, curl, test, undo },
  act,
}: {
  readonly toast: Toast;
  readonly act: Cockpit["act"];
}) {
  return (
    <div class={`toast ${kind}`}>
      <p>{text}</p>
      {undo === undefined ? null : (
        <button type="button" class="primary" onClick={undo}>
          Undo
        </button>
      )}
      {curl === undefined ? null : (
        <button type="button" class="quiet-button" onClick={() => act.copy("it as curl", curl)}>
          as curl
        </button>
      )}
      {test === undefined ? null : (
        <button type="button" class="quiet-button" onClick={() => act.copy("it as TypeScript", test)}>
          as TypeScript
        </button>
      )}
      <button
        type="button"
        class="quiet-button"
        aria-label={`Dismiss: ${text}`}
        onClick={() => act.dismiss(id)}
      >
        ×
      </button>
    </div>
  );
}
