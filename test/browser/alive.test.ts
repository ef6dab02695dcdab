// The dashboard stays alive where a browser has no connection to spare, and says so where the sandbox is gone; a control
// token is asked for once; hidden pages keep no connection.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { EVENT, seat, watch } from "./cockpit.ts";

const at = seat();
const TOKEN = "correct-horse";

/** Requests of an app in the same browser, which the sandbox does not answer. */
const HANG = (count: number) =>
  `for (let i = 0; i < ${count}; i += 1) void fetch("/museum/v1.1/museum-hours?i=" + i, { headers: { authorization: "Basic YTpi" } }).catch(() => {})`;

test("the page shows five waiting requests of its own browser, moves the clock, and releases them", async () => {
  at.sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "checkout" } });
  await at.open("?page=requests");
  const app = await at.context.newPage();
  await app.goto(`${at.origin}/museum/v1.1/openapi.json`);
  await app.evaluate(HANG(5));
  await at.sandbox.gates.arrived("checkout", 5);
  await at.page.bringToFront();
  await expect.poll(() => at.page.locator(".in-flight .row").count()).toBe(5);
  await at.page.locator(".menu-clock summary").click();
  await at.button("+ 1 h").click();
  await at.page.locator(".menu-clock summary").getByText("2026-03-02 10:00:00").waitFor();
  await at.page.keyboard.press("Escape");
  const releases = at.page.getByRole("button", { name: /^Release #/ });
  for (let left = 4; left >= 0; left -= 1) {
    await releases.first().click();
    await expect.poll(() => releases.count()).toBe(left); // or the same would be clicked again
  }
  const answered = at.page.locator(".rows a", { hasText: "museum-hours" }).locator(".status.good");
  await expect.poll(() => answered.count()).toBe(5);
  expect(at.sandbox.gates.waiting()).toEqual([]);
  await at.page.locator(".connection.live").waitFor();
});

test("seven tabs are updated live at the same time", async () => {
  const tabs = [at.page];
  while (tabs.length < 7) tabs.push(await at.context.newPage());
  for (const tab of tabs) {
    watch(tab, at.origin, at.wrongs);
    await tab.goto(`${at.origin}/_vitrine/?page=requests`);
    await tab.locator(".connection.live").waitFor();
  }
  await at.sandbox.museum.createSpecialEvent({ body: EVENT });
  for (const tab of tabs) await tab.locator("#exchange-1").waitFor();
});

test("only one visible tab of a browser keeps an event stream", async () => {
  const streams = new Set<unknown>();
  at.page.on("request", (request) => request.url().endsWith("/events") && streams.add(request));
  at.page.on("requestfailed", (request) => streams.delete(request));
  at.page.on("requestfinished", (request) => streams.delete(request));
  await at.open("?page=requests");
  await expect.poll(() => streams.size).toBe(1);
  await at.page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
  await expect.poll(() => streams.size).toBe(0);
  await at.sandbox.museum.createSpecialEvent({ body: EVENT });
  await at.page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: false });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
  await at.page.locator("#exchange-1").waitFor();
});

describe("a request that ends after others that began later is shown", () => {
  const withoutStream = () => at.page.route("**/_vitrine/events", (route) => route.abort());

  test("at its position among earlier requests that the list has not loaded yet", async () => {
    await withoutStream();
    at.sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "checkout" } });
    const answer = at.sandbox.museum.getMuseumHours();
    await at.sandbox.gates.arrived("checkout");
    for (let sent = 0; sent < 60; sent += 1) await at.sandbox.museum.listSpecialEvents();
    await at.open("?page=requests");
    await at.page.locator("#exchange-12").waitFor();
    at.sandbox.gates.release("checkout");
    expect((await answer).status).toBe(200);
    await at.page.locator(".in-flight").waitFor({ state: "detached" });
    expect(await at.page.locator(".rows .row").count()).toBe(50);
    await at.button("Earlier ones").click();
    await at.page.locator("#exchange-1").waitFor();
    expect(await at.page.locator(".rows .row").count()).toBe(61);
  });

  test("even if more requests arrived than one read returns, and rows are drawn when a user scrolls to them", async () => {
    await withoutStream();
    await at.open("?page=requests");
    await Promise.all(Array.from({ length: 120 }, () => at.sandbox.museum.listSpecialEvents()));
    await at.page.locator("#exchange-120").waitFor();
    expect(await at.page.locator(".rows .row").count()).toBe(50);
    const scrolled = async () => {
      await at.page.evaluate("scrollTo(0, document.body.scrollHeight)");
      return at.page.locator(".rows .row").count();
    };
    await expect.poll(scrolled).toBe(120);
    await at.page.evaluate("scrollTo(0, 0)");
    await expect.poll(() => at.page.locator(".rows .row").count()).toBe(50);
  });
});

test("the page reports a lost sandbox, and keeps the last known state", async () => {
  const own = await createSandbox();
  const { url } = await own.listen();
  await own.museum.listSpecialEvents();
  const page = await at.context.newPage();
  await page.goto(`${url}/_vitrine/`);
  await page.locator(".connection.live").waitFor();
  await own.close();
  await page.locator(".connection.lost").waitFor();
  await page.locator("#exchange-1").waitFor();
  await page.close();
});

test("a failed call shows its reason in a message", async () => {
  await at.open("?page=requests");
  await at.page.locator(".menu-worlds summary").click();
  await at.page.getByLabel("Name").fill("no/name");
  await at.button("New world").click();
  await at.page.locator(".toast.failed").getByText('"no/name" is not a valid world name').waitFor();
});

describe("with a control token", () => {
  test("the page asks for the token once, keeps it for the tab, and works with it", async () => {
    const own = await createSandbox({ controlToken: TOKEN, clock: "2026-03-02T09:00:00Z" });
    const { url } = await own.listen();
    await own.museum.listSpecialEvents();
    const page = await at.context.newPage();
    watch(page, url, at.wrongs);
    await page.goto(`${url}/_vitrine/?page=requests&seq=1`);
    expect(new URL(page.url()).pathname).toBe("/_vitrine/locked");
    expect(await page.content()).not.toContain("special-events");
    await page.getByLabel("Control token").fill("wrong");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("alert").getByText("requires its token").waitFor();
    await page.getByLabel("Control token").fill(TOKEN);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "#1" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/_vitrine/");
    await own.museum.createSpecialEvent({ body: EVENT });
    await page.locator("#exchange-2").waitFor();
    await page.reload();
    await page.locator("#exchange-2").waitFor();
    await page.close();
    await own.close();
  });
});
