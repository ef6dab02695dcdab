/** A button with a panel, also without JavaScript. The script closes it on Escape and on a click elsewhere. */

import type { Child } from "hono/jsx";

type MenuProps = {
  readonly name: string;
  readonly label: Child;
  /** Purpose of the button: its label is only a value. */
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
