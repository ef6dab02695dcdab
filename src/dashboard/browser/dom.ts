/**
 * What all parts of the dashboard's script share: elements created from text, and calls of the control API. Each
 * function in this folder goes to the browser as source and sees nothing but its arguments.
 */

import type { AttributeName, BrowserWindow, PageElement } from "./window.ts";

export type Attributes = { readonly [N in AttributeName]?: string };

export function createDom(window: BrowserWindow) {
  const { document } = window;
  const base = document.documentElement.dataset["base"] ?? "";
  const shown = new Map<PageElement, string>();
  let announced = "";

  /** The element that the page has under this id. */
  function find(id: string): PageElement {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`The page has no ${id}.`);
    return found;
  }

  /** What a client sent, as text in which nothing is invisible or reverses the order of the rest. */
  function plain(value: unknown): string {
    const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
    return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0");
      return `\\u${code}`;
    });
  }

  function element(
    name: string,
    attributes: Attributes = {},
    ...children: readonly (PageElement | string)[]
  ): PageElement {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key as AttributeName, value); // as typed
    made.append(...children.map((child) => (typeof child === "string" ? plain(child) : child)));
    return made;
  }

  function button(label: string, attributes: Attributes, work: () => Promise<unknown>): PageElement {
    const made = element("button", { type: "button", ...attributes }, label);
    made.addEventListener("click", () => void act(work));
    return made;
  }

  /** A text as it is, in a box of its own that can be scrolled by keyboard. */
  const block = (label: string, text: string): PageElement =>
    element("pre", { tabindex: "0", role: "group", "aria-label": label }, text);

  /** An entry of a list that opens. */
  const fold = (id: string, title: string, note: string, content: PageElement): PageElement =>
    element(
      "details",
      { id },
      element(
        "summary",
        {},
        element("strong", { class: "line" }, title),
        element("span", { class: "quiet" }, note),
      ),
      content,
    );

  /** Redraws only when the value changed; what was open or had the focus has it again. `none` is for empty lists. */
  function show(target: PageElement, value: unknown, draw: () => readonly PageElement[], none = ""): void {
    const text = JSON.stringify(value);
    if (shown.get(target) === text) return;
    shown.set(target, text);
    const open = [...target.querySelectorAll("details[open]")].map(({ id }) => id);
    const focused = document.activeElement?.id ?? "";
    const drawn = draw();
    target.replaceChildren(
      ...(drawn.length === 0 && none !== "" ? [element("li", { class: "quiet" }, none)] : drawn),
    );
    for (const details of target.querySelectorAll("details")) details.open = open.includes(details.id);
    if (focused !== "" && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  }

  /** Shows a message to the user. */
  function announce(message: string): void {
    if (message === announced) return;
    announced = message;
    find("message").replaceChildren(plain(message));
    find("message").hidden = message === "";
  }

  // The control API answers with the shapes that it declares.
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await window.fetch(base + path, {
      method,
      headers: { "content-type": "application/json" },
      ...(/^(GET|DELETE)$/.test(method) ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    const text = await reply.text();
    const read = text === "" ? undefined : JSON.parse(text);
    if (!reply.ok)
      throw new Error(String(read?.detail ?? read?.title ?? `The sandbox answered ${reply.status}.`));
    return read as T;
  }

  let refresh = async (): Promise<void> => {};
  let stirred = false;

  /** Announces the error when the work fails. */
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error));
    }
  }

  /** Does what the user asked for, and shows the result. */
  function act(work: () => Promise<unknown>): Promise<void> {
    announce("");
    return attempt(() => work().then(refresh));
  }

  return {
    window,
    base,
    find,
    plain,
    element,
    button,
    block,
    fold,
    show,
    announce,
    act,
    attempt,
    onClick(id: string, work: () => Promise<unknown>): void {
      find(id).addEventListener("click", () => void act(work));
    },
    /** Something has happened that the numbers may not show. */
    stir(): void {
      stirred = true;
    },
    /** Whether something has, since the last call. */
    takeStirred(): boolean {
      const before = stirred;
      stirred = false;
      return before;
    },
    get: <T>(path: string) => call<T>("GET", path),
    call,
    onAct(work: () => Promise<void>): void {
      refresh = work;
    },
  };
}

export type Dom = ReturnType<typeof createDom>;
