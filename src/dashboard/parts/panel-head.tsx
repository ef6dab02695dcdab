/** Title of a panel that opens next to a list, with a link that closes the panel. */
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
