/** Message for an empty list, with a command to copy. */
import type { Child } from "hono/jsx";
import type { Actions } from "../cockpit.ts";
import { QuietButton } from "./quiet-button.tsx";

type EmptyProps = {
  readonly act: Actions;
  readonly title: string;
  readonly sample?: string;
  readonly children?: Child;
};

export function Empty({ act, title, sample, children }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children === undefined ? null : <p>{children}</p>}
      {sample === undefined ? null : <Sample act={act} name="the command" text={sample} />}
    </div>
  );
}

type SampleProps = { readonly act: Actions; readonly name: string; readonly text: string };

export function Sample({ act, name, text }: SampleProps) {
  return (
    <div class="sample">
      <QuietButton onClick={() => act.copy(name, text)} aria-label={`Copy ${name}`}>
        Copy
      </QuietButton>
      <pre>{text}</pre>
    </div>
  );
}
