/** The worlds: a list of them, creating one from this, ending this one. */

import type { Dom } from "./dom.ts";

export function worlds(dom: Dom) {
  const here = dom.window.document.documentElement.dataset["world"] ?? "main";
  const path = ({ control = "" }: Readonly<Record<string, string>>): string =>
    `${new URL(control).pathname}/`;
  type World = { readonly id: string; readonly urls: Readonly<Record<string, string>> };

  dom.find("fork").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = dom.find("fork-name").value.trim();
    void dom.act(async () => {
      const { urls } = await dom.call<World>("POST", "/worlds", name === "" ? {} : { name });
      dom.window.location.assign(path(urls));
    });
  });

  return async (): Promise<void> => {
    const list = await dom.get<readonly World[]>("/worlds");
    dom.show(dom.find("world-list"), list, () =>
      list.map(({ id, urls }) => {
        const current = id === here ? { "aria-current": "page" } : {};
        return dom.element("li", {}, dom.element("a", { href: path(urls), ...current }, id));
      }),
    );
    const [main] = list;
    if (here === main?.id) return;
    dom.show(dom.find("world-end"), here, () => [
      dom.button("End this world", { id: "end-world", class: "danger" }, async () => {
        await dom.call("DELETE", `/worlds/${here}`);
        dom.window.location.assign(path(main?.urls ?? {}));
      }),
    ]);
  };
}
