/** The title of what opens beside a list, with a link that closes it. */
type PanelHeadProps = {
  readonly id: string;
  readonly href: string;
  readonly close: string;
  readonly children: unknown;
};

export function PanelHead({ id, href, close, children }: PanelHeadProps) {
  return (
    <header>
      <h2 id={id}>{children}</h2>
      <a class="close button" href={href} aria-label={close}>
        ×
      </a>
    </header>
  );
}
