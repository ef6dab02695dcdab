/** A button for an action without undo. The second press confirms and runs the action. */
import { type Child, type JSX, useState } from "hono/jsx";

type SureButtonProps = JSX.IntrinsicElements["button"] & {
  readonly sure: string;
  readonly act: () => void;
  readonly children: Child;
};

export function SureButton({ sure, act, children, ...props }: SureButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const press = () => {
    setAsked(!isAsked);
    if (isAsked) act();
  };
  return (
    <button
      type="button"
      {...props}
      {...(isAsked ? { class: "sure", "aria-label": sure } : {})}
      onClick={press}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? sure : children}
    </button>
  );
}
