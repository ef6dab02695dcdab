/** A button that opens a small panel beneath it; without the script too. The script closes it by Escape and by a click beside it. */

import type { Child } from "hono/jsx";

type MenuProps = {
  readonly name: string;
  readonly label: Child;
  /** What the button is for, where its label shows a value alone. */
  readonly title: string;
  readonly children: Child;
};

export function Menu({ name, label, title, children }: MenuProps) {
  return (
    <details class={`menu menu-${name}`} name="menu">
      <summary title={title}>{label}</summary>
      <div class="panel">{children}</div>
    </details>
  );
}
