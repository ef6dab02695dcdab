/**
 * What the dashboard's script may use of a browser, which is less than a browser has: nothing here turns text into
 * markup, so the compiler refuses code that tries.
 */

export type BrowserEvent = { preventDefault(): void };

export type AttributeName =
  | "class"
  | "id"
  | "type"
  | "href"
  | "scope"
  | "tabindex"
  | "role"
  | "aria-label"
  | "aria-current"
  | "max"
  | "value";

/** A part of the page. Strings that are appended become text. */
export type PageElement = {
  readonly id: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  /** Of a field of a form. */
  value: string;
  disabled: boolean;
  hidden: boolean;
  /** Of a `details`. */
  open: boolean;
  append(...children: readonly (PageElement | string)[]): void;
  prepend(...children: readonly (PageElement | string)[]): void;
  replaceChildren(...children: readonly (PageElement | string)[]): void;
  remove(): void;
  readonly lastElementChild: PageElement | null;
  readonly childElementCount: number;
  setAttribute(name: AttributeName, value: string): void;
  querySelectorAll(selector: string): Iterable<PageElement>;
  addEventListener(
    type: "click" | "submit" | "change" | "toggle",
    listen: (event: BrowserEvent) => void,
  ): void;
  focus(): void;
};

export type EventFeed = {
  addEventListener(type: "open" | "exchange", listen: (event: { readonly data: string }) => void): void;
};

export type BrowserWindow = {
  readonly document: {
    readonly hidden: boolean;
    readonly documentElement: PageElement;
    readonly activeElement: PageElement | null;
    createElement(name: string): PageElement;
    getElementById(id: string): PageElement | null;
    addEventListener(type: "visibilitychange", listen: () => void): void;
  };
  readonly location: { assign(url: string): void };
  readonly EventSource: new (url: string) => EventFeed;
  readonly fetch: typeof fetch;
  setInterval(work: () => void, everyMs: number): void;
};
