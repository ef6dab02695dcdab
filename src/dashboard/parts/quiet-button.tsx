/** A button without a border. */
import type { JSX } from "hono/jsx";

export function QuietButton(props: JSX.IntrinsicElements["button"]) {
  return <button type="button" class="quiet-button" {...props} />;
}
