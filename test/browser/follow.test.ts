// The page shows what the control API shows, and says why where it cannot.

import { expect, test } from "vitest";
import { seat } from "./cockpit.ts";

const at = seat();

const shown = () =>
  at.page.evaluate<string[]>(
    `[...document.querySelectorAll(".rows .row")].map((row) => [row.querySelector(".seq"), row.querySelector(".status")].map((one) => one.textContent).join(" "))`,
  );
const ask = (path: string) => at.sandbox.fetch(`/museum/v1.1${path}`);
const list = () => at.sandbox.museum.listSpecialEvents();

test("after a reset the page shows no exchange from before, and closes the one that was open", async () => {
  for (let sent = 0; sent < 3; sent += 1) await list();
  await at.open("?page=requests&seq=2");
  await at.page.getByRole("heading", { name: "#2 200" }).waitFor();
  at.sandbox.reset();
  for (let sent = 0; sent < 6; sent += 1) await ask("/nowhere");
  await at.page.locator("#exchange-6").waitFor();
  expect(await shown()).toEqual([6, 5, 4, 3, 2, 1].map((seq) => `#${seq} 404`));
  expect(await at.page.locator(".detail").count()).toBe(0);
  expect(new URL(at.page.url()).searchParams.has("seq")).toBe(false);
});

test("page and control API agree after resets, clears, restores and the end of a world", async () => {
  const cart = at.sandbox.fork("cart");
  cart.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "late" } });
  cart.markStart();
  await at.page.goto(`${at.origin}/~cart/_vitrine/?page=requests`);
  await at.page.locator(".connection.live").waitFor();
  const world = () => at.sandbox.worlds.get("cart");
  const actions = [
    () => world().journal.clear(),
    () => world().reset(),
    () => void at.sandbox.worlds.put("cart", { record: world().record() }, { replace: true }),
    () => {
      const record = world().record();
      at.sandbox.worlds.remove("cart");
      at.sandbox.worlds.put("cart", { record });
    },
  ];
  for (let round = 0; round < 12; round += 1) {
    actions[(round * 7 + 3) % 4]?.();
    for (let sent = 0; sent <= round % 3; sent += 1) await world().fetch(`/museum/v1.1/nowhere?${round}`);
    if (round % 2 === 0)
      void world()
        .museum.getMuseumHours()
        .catch(() => {});
    if (round % 5 === 4) world().gates.release("late");
    const expected = () =>
      world()
        .journal.list()
        .map(({ seq, status, waits }) => `#${seq} ${waits === undefined ? status : "waits"}`)
        .sort();
    const both = async () => [(await shown()).sort(), expected()].map(String);
    await expect.poll(both).toSatisfy(([page, api]: string[]) => page === api);
  }
});

test.each([
  ["operation:museum.nosuch", 'Unknown operation "museum.nosuch".'],
  ['body:{"$regex":"("}', "$regex"],
])("a rejected filter shows the reason, and the last list stays: %s", async (filter, message) => {
  await list();
  await ask("/nowhere");
  await at.open("?page=requests");
  await at.page.locator("#filter").fill("status:404");
  await expect.poll(shown).toEqual(["#2 404"]);
  await at.page.locator("#filter").fill(filter);
  await at.page.getByRole("alert").getByText(message).waitFor();
  expect(await shown()).toEqual(["#2 404"]);
  await at.page.locator(".connection.live").waitFor();
  await at.page.locator("#filter").fill("");
  await expect.poll(shown).toEqual(["#2 404", "#1 200"]);
  expect(await at.page.getByRole("alert").count()).toBe(0);
});

test("the page says that its world has ended, and links to the main world", async () => {
  at.sandbox.fork("cart");
  await at.page.goto(`${at.origin}/~cart/_vitrine/?page=requests`);
  await at.page.locator(".connection.live").waitFor();
  at.sandbox.worlds.remove("cart");
  await at.page.getByText('The sandbox has no world "cart".').waitFor();
  await at.page.locator(".connection.ended").waitFor();
  expect(await at.page.getByText("Send the first").count()).toBe(0);
  await at.link("Open the main world").click();
  await at.page.waitForURL(`${at.origin}/_vitrine/**`);
  await at.page.locator(".connection.live").waitFor();
});

test("the page says if an app occupies all six connections, and links to the page that releases them", async () => {
  at.sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "late" } });
  await at.open("?page=requests");
  const app = await at.context.newPage();
  await app.goto(`${at.origin}/museum/v1.1/openapi.json`);
  const hold = `fetch("/museum/v1.1/museum-hours?" + Math.random(), { headers: { authorization: "Basic YTpi" } }).catch(() => {})`;
  await app.evaluate(`for (let i = 0; i < 6; i += 1) void ${hold}`);
  await at.sandbox.gates.arrived("late", 6);
  await at.page.bringToFront();
  const href = await at.link("open this page by another name").getAttribute("href");
  const other = await at.context.newPage();
  await other.goto(href ?? "");
  await expect.poll(() => other.locator(".in-flight .row").count()).toBe(6);
  await other.getByRole("button", { name: "Release #2 from late" }).click();
  await expect.poll(() => at.sandbox.journal.list({ state: "open" }).length).toBe(5);
  await at.page.locator(".connection.live").waitFor();
  expect(await at.link("open this page by another name").count()).toBe(0);
});

test.each([
  ["", 300],
  ["&seq=110", 700],
])(
  "the list does not move while a user reads it, even if rows arrive and requests wait: %s",
  async (search, by) => {
    at.sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "late" } });
    for (let sent = 0; sent < 120; sent += 1) await ask("/nowhere");
    await at.open(`?page=requests${search}`);
    await at.page.mouse.wheel(0, by);
    await expect.poll(() => at.page.evaluate("scrollY")).toBe(by);
    const place = () =>
      at.page.evaluate("document.getElementById('exchange-90').getBoundingClientRect().top");
    const before = await place();
    for (let sent = 0; sent < 10; sent += 1) await ask("/nowhere");
    void at.sandbox.museum.getMuseumHours();
    await at.page.locator("#exchange-130").waitFor();
    await at.page.locator("#open-131").waitFor();
    expect(await place()).toBe(before);
  },
);
