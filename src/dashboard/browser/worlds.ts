// Owns the worlds: which there are, making one from this, ending this one.

import type { Kit } from "./kit.ts";

export function worlds(kit: Kit) {
  const here = kit.window.document.documentElement.dataset["world"] ?? "main";
  const path = ({ control = "" }: Readonly<Record<string, string>>): string =>
    `${new URL(control).pathname}/`;
  type World = { readonly id: string; readonly urls: Readonly<Record<string, string>> };

  kit.find("fork").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = kit.find("fork-name").value.trim();
    void kit.act(async () => {
      const { urls } = await kit.call<World>("POST", "/worlds", name === "" ? {} : { name });
      kit.window.location.assign(path(urls));
    });
  });

  return async (): Promise<void> => {
    const list = await kit.get<readonly World[]>("/worlds");
    kit.show(kit.find("world-list"), list, () =>
      list.map(({ id, urls }) => {
        const current = id === here ? { "aria-current": "page" } : {};
        return kit.element("li", {}, kit.element("a", { href: path(urls), ...current }, id));
      }),
    );
    const [main] = list;
    if (here === main?.id) return;
    kit.show(kit.find("world-end"), here, () => [
      kit.button("End this world", { id: "end-world", class: "danger" }, async () => {
        await kit.call("DELETE", `/worlds/${here}`);
        kit.window.location.assign(path(main?.urls ?? {}));
      }),
    ]);
  };
}
