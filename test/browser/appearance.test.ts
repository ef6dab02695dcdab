// What every page looks like to those who need it: no violation that axe finds, contrast computed, nothing cut at any width,
// in both schemes, empty and full; and all of it without a mouse.

import axe from "axe-core";
import { describe, expect, test } from "vitest";
import { EVENT, LOGIN, seat } from "./cockpit.ts";

const EMPTY = ["start", "requests", "misbehave", "data", "time", "mail", "client"].map(
  (page) => `?page=${page}`,
);
const FULL = [
  ...EMPTY,
  ...["why", "request", "response", "changed", "rules"].map((tab) => `?page=requests&seq=2&tab=${tab}`),
  "?page=requests&seq=1&other=2",
  "?page=requests&filter=status:5xx",
  "?page=requests&filter=stat:4",
  "?page=misbehave&force=museum.createSpecialEvent/invalidInput",
  "?page=data&collection=account/preSales",
  "?page=mail&mail=1",
];

const at = seat();

/** Something on every page, with a request that waits. */
async function fill() {
  const { sandbox } = at;
  await sandbox.scenario("presale-nearly-used-up");
  sandbox.usage.record({ sent: 100 });
  sandbox.use({
    when: { operation: "museum.getMuseumHours" },
    limit: { times: 1 },
    then: { respond: { status: 503 } },
  });
  sandbox.use({ when: { operation: "account.listPreSales" }, then: { hold: "checkout" } });
  await sandbox.museum.listSpecialEvents();
  await sandbox.museum.createSpecialEvent({ body: EVENT });
  await sandbox.museum.createSpecialEvent({ body: { ...EVENT, dates: [] } });
  await sandbox.museum.getMuseumHours();
  await sandbox.account.login({ body: LOGIN });
  await sandbox.fetch("/museum/v1.1/specialevents");
  sandbox.snapshot("before");
  sandbox.fork("cart");
  void sandbox.account.listPreSales();
  await sandbox.gates.arrived("checkout");
}

/** Color of each text and of what is behind it, and of the edge of each field: those that are too near to each other. */
const NEAR = `(() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const behind = (one) => {
    for (let at = one; at !== null; at = at.parentElement) {
      const [r, g, b, a = 1] = rgb(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
      if (a > 0) throw new Error("half transparent: " + at.className);
    }
    return [255, 255, 255];
  };
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const near = [];
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const one = node.parentElement;
    if (node.data.trim() === "" || !seen(one) || one.closest("button:disabled")) continue;
    count += 1;
    const found = ratio(rgb(getComputedStyle(one).color), behind(one));
    if (found < 4.5) near.push("text " + found.toFixed(2) + " " + node.data.slice(0, 40));
  }
  for (const field of document.querySelectorAll("input, select, textarea")) {
    if (!seen(field)) continue;
    count += 1;
    const edge = rgb(getComputedStyle(field).borderTopColor);
    for (const beside of [behind(field), behind(field.parentElement)])
      if (ratio(edge, beside) < 3) near.push("edge " + ratio(edge, beside).toFixed(2) + " " + field.outerHTML.slice(0, 60));
  }
  return { count, near };
})()`;

const AXE = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 120))))`;

describe.each(["light", "dark"] as const)("in the %s scheme", (colorScheme) => {
  test.each([
    ["empty", EMPTY],
    ["full", FULL],
  ] as const)(
    "axe finds no problems, and texts and borders have enough contrast: %s",
    async (filling, pages) => {
      if (filling === "full") await fill();
      await at.page.emulateMedia({ colorScheme });
      const wrong: string[] = [];
      for (const width of [400, 1280]) {
        await at.page.setViewportSize({ width, height: 900 });
        for (const search of pages) {
          await at.open(search);
          await at.page.evaluate(axe.source);
          const violations = (await at.page.evaluate(AXE)) as string[];
          const { count, near } = (await at.page.evaluate(NEAR)) as {
            readonly count: number;
            readonly near: string[];
          };
          wrong.push(...[...violations, ...near].map((one) => `${search} ${width}: ${one}`));
          expect(count).toBeGreaterThan(15);
        }
      }
    },
    240_000,
  );

  test("axe finds no problems with menus, an editor and messages open", async () => {
    await fill();
    await at.page.emulateMedia({ colorScheme });
    await at.open("?page=misbehave&force=account.login");
    await at.page.evaluate(axe.source);
    const holds = async () => {
      expect(await at.page.evaluate(AXE)).toEqual([]);
      expect(await at.page.evaluate(`${NEAR}.near`)).toEqual([]);
    };
    for (const menu of ["worlds", "scenario", "clock"]) {
      await at.page.locator(`.menu-${menu} summary`).click();
      await holds();
      await at.page.keyboard.press("Escape");
    }
    await at.page.getByText("User, delay, fault").click();
    await at.button("Edit use-1").click();
    await at.page.locator(".editor textarea").fill("{");
    await at.page.getByText("This is not valid JSON.").waitFor();
    await holds();
    await at.page.locator(".editor textarea").fill('{"then":{"problem":"nope"}}');
    await at.page.locator(".mistake code").first().waitFor();
    await at.button("Next time").click();
    await at.page.locator(".toast").waitFor();
    await holds();
    await at.open("?page=requests");
    await at.page.evaluate(axe.source);
    await at.page.locator("#filter").pressSequentially("s");
    await at.page.keyboard.press("ArrowDown");
    await at.page.getByRole("option", { selected: true }).waitFor();
    await holds();
  });
});

test.each([320, 400, 600, 900, 1600])("nothing is cut at a width of %i", async (width) => {
  await fill();
  await at.page.setViewportSize({ width, height: 800 });
  for (const search of FULL) {
    await at.open(search);
    const beyond = await at.page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    expect([search, beyond]).toEqual([search, 0]);
  }
});

test.each([
  [400, "?page=requests"],
  [900, "?page=requests"],
  [1600, "?page=requests&seq=2"],
])("a row at a width of %i has room for its path and its marks", async (width, search) => {
  await fill();
  await at.page.setViewportSize({ width, height: 800 });
  await at.open(search);
  const row = at.page.locator("#exchange-6 > a");
  for (const part of [".seq", "time", ".problem", ".marks"]) await row.locator(part).waitFor();
  const path = "document.querySelector('#exchange-6 .address')";
  expect(await at.page.evaluate(`${path}.scrollWidth - ${path}.clientWidth`)).toBe(0);
});

test("keys lead to the pages, the filter, the next request, and back", async () => {
  await fill();
  await at.open("?page=start");
  const press = (keys: string) =>
    [...keys].reduce((before, key) => before.then(() => at.page.keyboard.press(key)), Promise.resolve());
  await press("gr");
  await at.page.locator("#exchange-6 a").waitFor();
  await press("j");
  await at.page.keyboard.press("Enter");
  await at.page.getByRole("heading", { name: "#6" }).waitFor();
  await press("j");
  await at.page.getByRole("heading", { name: "#5" }).waitFor();
  await press("k");
  await at.page.getByRole("heading", { name: "#6" }).waitFor();
  await press("c");
  await at.page.getByText("Copied #6 as curl.").waitFor();
  await at.page.keyboard.press("Escape");
  await at.page.locator(".detail").waitFor({ state: "detached" });
  await press("/");
  await at.page.keyboard.type("status:503");
  await expect.poll(() => at.page.locator(".rows a").count()).toBe(1);
  await at.page.keyboard.press("Escape");
  await press("gm");
  await at.page.getByText("Documented responses").waitFor();
  await at.page.goBack();
  await at.page.locator("#exchange-4 a").waitFor();
  await press(".");
  await at.sandbox.museum.getMuseumHours();
  await at.button("Resume (1 new)").click();
});
